#include "reports/journal/input_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// The shell's `<(…)` and /dev/stdin lead to pipes that no path names.
bool hasName(const fs::path& pipe) {
  std::error_code none;
  return !fs::canonical(pipe, none).empty();
}

InputError wrong(const fs::path& file, const std::string& what) {
  return InputError(file.string() + ": " + what);
}

std::string readAll(std::istream& stream, const fs::path& file) {
  std::string text;
  std::array<char, 65536> piece;
  while (stream) {
    stream.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<size_t>(stream.gcount()));
    if (text.size() > kMostText) throw wrong(file, "is longer than 256 MiB");
  }
  if (stream.bad()) throw wrong(file, "cannot be read");
  return text;
}

}  // namespace

std::string whyNotInput(const fs::path& file) {
  std::error_code error;
  switch (fs::status(file, error).type()) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::not_found:
      return "there is no such file";
    case fs::file_type::directory:
      return "is a folder, not a file";
    case fs::file_type::fifo:
      return hasName(file) ? "is a named pipe, not a file" : "";
    case fs::file_type::block:
    case fs::file_type::character:
      return "is a device, not a file";
    default:
      return error ? error.message() : "is not a file";
  }
}

std::unique_ptr<std::istream> openInput(const fs::path& file) {
  if (const std::string problem = whyNotInput(file); !problem.empty()) throw wrong(file, problem);
  auto stream = std::make_unique<std::ifstream>(file, std::ios::binary);
  if (!*stream) throw wrong(file, "cannot be read");
  if (fs::is_regular_file(file)) return stream;
  return std::make_unique<std::istringstream>(readAll(*stream, file));
}

bool nextLine(std::istream& in, std::string_view name, std::string& line) {
  const auto wrongLine = [&](const char* what) {
    return InputError(std::string(name) + ": " + what);
  };
  line.clear();
  if (in.eof()) return false;
  try {
    std::streambuf& buffer = *in.rdbuf();
    for (int c = buffer.sbumpc(); c != '\n'; c = buffer.sbumpc()) {
      if (c == std::streambuf::traits_type::eof()) {
        in.setstate(std::ios::eofbit);
        return !line.empty();
      }
      if (line.size() == kMostLine) throw wrongLine("has a line longer than 16 MiB");
      line += static_cast<char>(c);
    }
  } catch (const std::ios_base::failure&) {
    throw wrongLine("cannot be read");
  }
  return true;
}

std::string readInput(const fs::path& file) {
  std::error_code none;
  if (fs::is_regular_file(file, none) && fs::file_size(file, none) > kMostText) {
    throw wrong(file, "is longer than 256 MiB");
  }
  return readAll(*openInput(file), file);
}

bool isPathError(const std::error_code& error) {
  constexpr std::array kOfThePath{std::errc::permission_denied,
                                  std::errc::operation_not_permitted,
                                  std::errc::read_only_file_system,
                                  std::errc::not_a_directory,
                                  std::errc::is_a_directory,
                                  std::errc::file_exists,
                                  std::errc::no_such_file_or_directory,
                                  std::errc::no_such_device_or_address,
                                  std::errc::directory_not_empty,
                                  std::errc::too_many_symbolic_link_levels,
                                  std::errc::filename_too_long,
                                  std::errc::invalid_argument};
  return std::ranges::any_of(kOfThePath, [&](std::errc each) { return error == each; });
}

}  // namespace dmlcts
