#include "conformance/command/journals.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "conformance/run/environment.h"
#include "conformance/run/runner.h"
#include "reports/journal/packed_journal.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// Throws UsageError when a journal is given twice, also by two names or through a link.
void requireDistinct(const std::vector<std::string>& paths) {
  std::map<fs::path, std::string> seen;  // by where links lead
  std::vector<fs::path> linked;          // files of several names
  for (const std::string& name : paths) {
    const fs::path file = journalIn(name);
    if (!fs::is_regular_file(file)) continue;
    const auto [first, fresh] = seen.emplace(fs::canonical(file), name);
    if (!fresh)
      throw UsageError(fmt::format("{} and {} are the same journal", first->second, name));
    if (fs::hard_link_count(file) < 2) continue;
    for (const fs::path& other : linked) {
      if (!fs::equivalent(file, other)) continue;
      throw UsageError(
          fmt::format("{} and {} are the same journal", other.string(), file.string()));
    }
    linked.push_back(file);
  }
}

// Journals begin with another member.
bool isPacked(std::istream& in) {
  constexpr std::string_view kBegin = "{\"packedJournal\":";
  std::string begin(kBegin.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  in.clear();
  in.seekg(0);
  return begin == kBegin;
}

Journal readEither(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) return readJournal(file);  // says why not
  std::stringstream piped;  // what a pipe brings, it brings once
  const bool isFile = fs::is_regular_file(file);
  if (!isFile) piped << stream.rdbuf();
  std::istream& in = isFile ? static_cast<std::istream&>(stream) : piped;
  if (!isPacked(in)) return isFile ? readJournal(file) : parseJournal(in, file.string());
  std::istringstream lines(unpackedWithNote(in, file.string()));
  return parseJournal(lines, file.string());
}

}  // namespace

std::string unpackedWithNote(std::istream& in, const std::string& name) {
  UnpackedJournal unpacked = unpackJournal(in, name);
  if (!unpacked.checked) {
    fmt::print(stderr, "dmlcts: note: {} has no checksum (version 1), so damage may go unnoticed\n",
               plainLine(name));
  }
  return std::move(unpacked.lines);
}

fs::path journalIn(const std::string& name) {
  const fs::path path = pathOf(name);
  return fs::is_directory(path) ? path / "journal.jsonl" : path;
}

std::vector<Journal> readJournals(const std::vector<std::string>& paths) {
  requireDistinct(paths);
  std::vector<Journal> journals;
  for (const std::string& path : paths) {
    const fs::path file = journalIn(path);
    if (!fs::exists(file)) throw UsageError(file.string() + ": there is no such journal");
    journals.push_back(readEither(file));
  }
  return journals;
}

Report readReport(const std::vector<std::string>& paths, const fs::path& folder) {
  std::vector<Journal> journals = readJournals(paths);
  for (size_t i = 0; i < journals.size(); ++i) {
    const fs::path home = fs::absolute(journalIn(paths[i])).parent_path();
    for (JournalEntry& entry : journals[i].entries) {
      if (entry.bundle.empty()) continue;
      entry.bundle = (home / entry.bundle).lexically_relative(fs::absolute(folder)).string();
    }
  }
  return summarize(journals);
}

}  // namespace dmlcts
