#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <system_error>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "conformance/command/commands.h"
#include "conformance/run/environment.h"
#include "conformance/run/runner.h"
#include "reports/journal/append_file.h"
#include "reports/journal/input_file.h"

// Checks the files and folders given to a command before it starts.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& option, const fs::path& path, const std::string& why) {
  throw UsageError(fmt::format("{} {}: {}", option, path.string(), why));
}

void requireWritable([[maybe_unused]] const std::string& option,
                     [[maybe_unused]] const fs::path& path) {
#ifndef _WIN32
  if (::access(path.c_str(), W_OK) != 0) {
    fail(option, path, std::generic_category().message(errno));
  }
#endif
}

void requireShort(const fs::path& file, const std::string& option, const fs::path& given) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::status_known(status) && isPathError(error)) fail(option, given, error.message());
}

}  // namespace

Folder requireFolder(const fs::path& path, const std::string& option) {
  requireShort(path / "bundles/000/dmlcts.01234567.partial/shrunk.new/indices.expected.npy", option,
               path);
  try {
    Folder folder(path);
    requireWritable(option, path);
    return folder;
  } catch (const std::system_error& error) {
    fail(option, path, error.code().message());
  }
}

void requireFile(const fs::path& file, const std::string& option) {
  if (file.empty()) return;
  if (file == "-") {
    fail(option, file, "is not standard output here; name a file, ./- if it is to be called so");
  }
  requireShort(file, option, file);
  const bool isThere = fs::exists(file);
  if (isThere && !fs::is_regular_file(file)) {
    fail(option, file,
         fs::is_directory(file) ? "is a folder" : "is a device or a pipe, not a file");
  }
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder)) fail(option, file, "there is no folder " + folder.string());
  requireWritable(option, isThere ? file : folder);
}

void requireFile(const fs::path& file, const std::string& option, bool overwrite) {
  requireFile(file, option);
  if (!overwrite && fs::exists(file)) {
    fail(option, file, "the file is there; --overwrite replaces it");
  }
}

void writeNewFile(const std::string& path, const std::string& option, std::string_view text) {
  requireFile(pathOf(path), option);
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::optional<AppendFile> file;
  try {
    const fs::path given = pathOf(path);
    file.emplace(Folder(given.parent_path()), given.filename().string(),
                 AppendFile::Mode::CreateNew);
    file->appendLine(text);
  } catch (const std::system_error& error) {
    if (file) file->discard();
    if (error.code() != std::errc::file_exists) throw;
    throw UsageError(path + " exists, and is not overwritten");
  }
}

}  // namespace dmlcts
