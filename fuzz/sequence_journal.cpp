#include "fuzz/sequence_journal.h"

#include <fmt/format.h>

#include "conformance/run/json_entry.h"
#include "conformance/run/runner.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint64_t kVersion = 1;
constexpr auto kInterval = std::chrono::seconds(1);

std::string textOf(const json& line) {
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

void requireSame(const JsonEntry& header, const SequenceJournal::Facts& facts,
                 const fs::path& path) {
  if (header.number("sequences") != kVersion) {
    header.fail(fmt::format("is not the first line of a journal of version {}", kVersion));
  }
  for (const auto& [name, now] : facts) {
    const std::string before = header.text(name.c_str());
    if (before == now) continue;
    throw UsageError(fmt::format("{} is of another run: the {} is \"{}\" now, not \"{}\"",
                                 path.string(), name, now, before));
  }
}

Totals totalsOf(const JsonEntry& totals) {
  Totals result;
  for (const std::string& which : totals.names()) {
    const auto verdict = parseVerdict(which);
    if (!verdict) totals.fail("\"" + which + "\" is no verdict");
    result[*verdict] = totals.number(which.c_str()).value_or(0);
  }
  return result;
}

}  // namespace

SequenceJournal::SequenceJournal(const Folder& folder, const Facts& facts, bool resume)
    : file_(folder, kSequenceJournal,
            resume ? AppendFile::Mode::Append : AppendFile::Mode::Replace) {
  const fs::path path = folder.path() / kSequenceJournal;
  if (resume && read(path, facts)) return;
  file_.clear();
  json header(facts);
  header["sequences"] = kVersion;
  file_.appendLine(textOf(header));
}

bool SequenceJournal::read(const fs::path& path, const Facts& facts) {
  const auto stream = openInput(path);
  size_t number = 0;
  for (std::string line; nextLine(*stream, path.string(), line);) {
    if (stream->eof()) break;  // cut
    const std::string where = fmt::format("{}: line {}", path.string(), ++number);
    const json document = parseJson(line, where);
    const JsonEntry entry(document, where);
    if (number == 1) {
      requireSame(entry, facts, path);
    } else if (entry.has("finding")) {
      const std::string bundle = entry.text("finding");
      if (const std::string problem = whyNotName(bundle); !problem.empty()) {
        entry.fail("\"finding\" " + problem);
      }
      found_.push_back({bundle, entry.text("kind")});
    } else if (entry.isObject("totals")) {
      programs_ = entry.number("programs").value_or(0);
      totals_ = totalsOf(entry.member("totals"));
    } else {
      entry.fail("has neither \"finding\" nor \"totals\"");
    }
  }
  return number > 0;
}

void SequenceJournal::count(uint64_t programs, const Totals& totals, bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - counted_ < kInterval) return;
  counted_ = time;
  json counts = json::object();
  for (Verdict verdict : kVerdicts) {
    if (totals[verdict]) counts[std::string(name(verdict))] = totals[verdict];
  }
  file_.appendLine(textOf({{"programs", programs}, {"totals", std::move(counts)}}));
}

void SequenceJournal::find(const Found& found) {
  file_.appendLine(textOf({{"finding", found.name}, {"kind", found.kind}}));
}

}  // namespace dmlcts
