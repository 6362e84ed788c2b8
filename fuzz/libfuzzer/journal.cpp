// Any bytes go as a journal through every command that makes something of one, into a folder. They
// end with a documented status, write nothing beside that folder, and nothing that could control a
// terminal.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance/command/commands.h"
#include "fuzz/libfuzzer/one_second.h"
#include "gpu/wire/utf8.h"

namespace {

using namespace dmlcts;
namespace fs = std::filesystem;

const std::string kNeighbour = "what was there before\n";

std::FILE* ownErrors = stderr;

[[noreturn]] void fail(const std::string& what, const std::string& of) {
  std::fprintf(ownErrors, "%s: %s\n", of.c_str(), what.c_str());
  std::abort();
}

std::string textOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A folder with the journal, a folder for what is made of it, and neighbours of both.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "dmlcts-journal-XXXXXX").string();
    base_ = ::mkdtemp(name.data());
    fs::create_directories(base_ / "in");
    fs::create_directories(base_ / "bundles/000");
    write(base_ / "neighbour", kNeighbour);
    write(base_ / "bundles/000/README.md", kNeighbour);
    fs::current_path(base_);
  }
  ~Place() { fs::remove_all(base_); }

  void begin(std::string_view journal) const {
    write("in/journal.jsonl", journal);
    fs::remove_all("out");
    fs::create_directory("out");
  }

  void check(std::string_view journal) const {
    size_t entries = 0;
    for (const auto& each : fs::recursive_directory_iterator(base_)) {
      const fs::path path = each.path().lexically_relative(base_);
      if (*path.begin() != "out") {
        ++entries;
        continue;
      }
      if (each.is_symlink()) fail("is a link", path.string());
      if (!each.is_regular_file()) continue;
      const std::string text = textOf(path);
      if (plainText(text) != text && path.extension() != ".html") {
        fail("is not plain text", path.string());
      }
    }
    if (entries != 6) fail("has more or fewer files", base_.string());
    if (textOf("in/journal.jsonl") != journal || textOf("neighbour") != kNeighbour ||
        textOf("bundles/000/README.md") != kNeighbour) {
      fail("has other content", base_.string());
    }
  }

 private:
  fs::path base_;
};

// Every command that reads journals, after `report`; each writes to a name of its own.
const std::vector<std::vector<std::string>>& commands() {
  static const auto made = [] {
    std::vector<std::vector<std::string>> all{
        {"show", "in"},
        {"merge", "in", "--report", "out/report"},
        {"expectations", "in", "--out", "out/expectations"},
    };
    for (const char* form : {"text", "json", "markdown", "html", "junit", "deqp"}) {
      all.push_back({"show", "in", "--format", form, "--out", std::string("out/") + form});
    }
    for (const char* form : {"text", "json", "markdown", "html"}) {
      all.push_back({"diff", "in", "in/journal.jsonl", "--format", form, "--out",
                     std::string("out/diff.") + form});
    }
    return all;
  }();
  return made;
}

// Returns the exit status.
int report(std::vector<std::string> words) {
  words.insert(words.begin(), {"dmlcts", "report"});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  CommandContext context = contextOf("dmlcts", argv);
  CLI::App app("", "dmlcts");
  addReportCommand(app, context);
  const int status = runApplication(app, static_cast<int>(argv.size()), argv.data(), context);
  const bool mayShareNoCase = words[2] == "diff";
  if (status > (mayShareNoCase ? kHarnessFailure : kBadUsage))
    fail("status " + std::to_string(status), context.commandLine);
  return status;
}

const Place& place() {
  static const Place made;
  return made;
}

// A command that is not there ends with the status of bad bytes, and would test nothing.
void checkThatAllCommandsAreThere() {
  JournalHeader header;
  header.target = "d3d12";
  JournalEntry entry;
  entry.caseString = "gather_nd level=2.1 input=f32:3 indices=u32:1 output=1";
  entry.verdict = Verdict::Pass;
  place().begin(toJsonLine(header) + "\n" + toJsonLine(entry) + "\n");
  for (const std::vector<std::string>& words : commands()) {
    if (report(words) == kBadUsage) fail("reads no journal", words.front() + " " + words.back());
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // Drops what commands print. Sanitizers write to the descriptor, libFuzzer to a copy of stderr.
  stdout = std::fopen("/dev/null", "w");
  stderr = stdout;
  checkThatAllCommandsAreThere();
  return stdout == nullptr ? 1 : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OneSecond limit;
  const std::string_view journal(reinterpret_cast<const char*>(data), size);
  place().begin(journal);
  for (const std::vector<std::string>& words : commands()) report(words);
  place().check(journal);
  return 0;
}
