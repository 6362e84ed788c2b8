#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <system_error>

#include "gpu/identity/file_hash.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal_members.h"
#include "reports/render/writers.h"
#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHash = ": SHA-256 ";
constexpr std::string_view kJournalLine = "Journal ";

// Adds a line for a member of the identity; two spaces and a line for each element of a map.
struct AddIdentity {
  std::string& text;
  void operator()(const std::string& member, const std::string& value, Member) const {
    text += fmt::format("  {}: {}\n", member, value.empty() ? "not reported" : plainLine(value));
  }
  void operator()(const std::string& member, uint32_t value, Member) const {
    text += fmt::format("  {}: 0x{:04X}\n", member, value);
  }
  void operator()(const std::string& member, const std::map<std::string, std::string>& values,
                  Member) const {
    if (values.empty()) text += fmt::format("  {}: not reported\n", member);
    for (const auto& [key, value] : values) {
      text += fmt::format("  {} {}: {}\n", member, plainLine(key), plainLine(value));
    }
  }
};

std::string expectationsOf(const Report& report) {
  std::string text = report.waivers.empty() ? "no case is waived" : "";
  for (const Waiver& each : report.waivers) {
    text += fmt::format("{}{} waived: {}", text.empty() ? "" : "; ", counted(each.cases, "case"),
                        plainLine(each.reason));
  }
  if (const uint64_t skipped = report.totals[Verdict::Skipped]; skipped > 0) {
    text += fmt::format("; {} skipped", counted(skipped, "case"));
  }
  return text;
}

std::string testedWith(const Report& report) {
  const JournalHeader& run = report.run;
  std::string text;
  const auto add = [&](std::string_view what, const std::string& value) {
    text += fmt::format("  {}: {}\n", what, plainLine(value));
  };
  add("Suite", suiteOf(run));
  add("Specification edition", run.specification);
  add("Tier", run.tier.empty() ? "none: cases that were given" : run.tier);
  add("Strict", run.strict ? "yes: inferred rules and rules of ours count, too" : "no");
  add("Execution mode", run.mode.empty() ? "the ordinary one" : run.mode);
  add("Cases chosen by", report.filters.empty()
                             ? "nothing: the whole tier"
                             : fmt::format("{}", fmt::join(report.filters, " | ")));
  add("Expectations", expectationsOf(report));
  add("Complete", report.complete() ? "yes" : "no: " + shortfallOf(report));
  add("Command", run.commandLine);
  add("Started", run.startedAt);
  if (run.target == "d3d12" && run.shaderModel == "5.1") {
    add("Shader model 5.1", "it has no wave operations, so none was executed");
  }
  return text;
}

// Lists the rules that brokenRules() counts, by operator.
std::string rulesBroken(const Report& report) {
  const BrokenRules broken = brokenRules(report);
  std::set<std::string> ids;  // a cause may break a rule that no single case names
  for (const Cluster& cluster : report.clusters) {
    if (cluster.isCause() && cluster.rule.broken) ids.insert(cluster.rule.id);
  }
  std::string possible;
  for (const RuleRow& row : report.rules) {
    if (row.violated == 0) continue;
    const std::string shared(sharedPart(row.id));
    if (broken.certain.contains(shared)) ids.insert(row.id);
    if (!broken.possible.contains(shared)) continue;
    possible +=
        fmt::format("  possibly {}, in {}\n", plainLine(row.id), counted(row.violated, "case"));
  }
  std::string text;
  for (const std::string& id : ids) {
    const Rule* rule = findRule(id);
    text += fmt::format("  {}{}\n", plainLine(id), rule ? ": " + std::string(rule->wording) : "");
  }
  text += possible;
  return text.empty() ? "  none is known to be broken\n" : text;
}

// Returns the SHA-256 of a regular file, or "". A pipe would block, or have ended.
std::string hashOf(const fs::path& file) {
  std::error_code none;
  try {
    const bool plain = fs::is_regular_file(file, none) && whyNotInput(file).empty();
    return plain ? gpu::sha256OfFile(file) : "";
  } catch (const std::runtime_error&) {
    return "";
  }
}

}  // namespace

std::string statementText(const Report& report) {
  std::string text = "Conformance tests by dmlcts\n\nIn one sentence: ";
  text += plainLine(conclude(report).sentence) + ".\n\nTested:\n";
  visitIdentities(AddIdentity{text}, report.run);
  text += "\nWith:\n" + testedWith(report);
  if (!report.compliance.empty()) text += "\nBy operator and level:\n";
  for (const ComplianceRow& row : report.compliance) {
    text += fmt::format("  {} {}: {}\n", plainLine(row.op), plainLine(row.level),
                        plainLine(row.statement));
  }
  text += "\nCases by verdict:\n";
  for (Verdict verdict : kVerdicts) {
    if (report.totals[verdict] == 0) continue;
    text += fmt::format("  {}: {}\n", name(verdict), grouped(report.totals[verdict]));
  }
  text += fmt::format("  all: {}\n  worker failures: {}\n", grouped(report.caseCount),
                      grouped(report.workerFailures.size()));
  return text + "\nRules broken:\n" + rulesBroken(report);
}

void writeStatement(std::ostream& out, const Report& report, const fs::path& folder) {
  out << statementText(report) << '\n';
  for (const std::string& journal : report.journals) {
    const fs::path path = fs::absolute(journal);
    const fs::path near = path.lexically_relative(fs::absolute(folder));
    const std::string hash = hashOf(path);
    out << kJournalLine << plainLine((near.empty() ? path : near).generic_string()) << kHash
        << (hash.empty() ? "of no file: it cannot be read" : hash) << '\n';
  }
}

StatementCheck checkStatement(const fs::path& given) {
  const fs::path folder = given.filename() == kStatementFile ? given.parent_path() : given;
  if (std::error_code none; fs::is_regular_file(folder, none)) {
    throw InputError(folder.string() + ": give the folder that holds statement.txt");
  }
  const fs::path file = folder / kStatementFile;
  const std::unique_ptr<std::istream> in = openInput(file);
  StatementCheck check{"", true};
  for (std::string line; nextLine(*in, file.string(), line);) {
    if (line.ends_with('\r')) line.pop_back();
    const size_t at = line.rfind(kHash);
    if (!line.starts_with(kJournalLine) || at == line.npos) continue;
    const std::string journal = line.substr(kJournalLine.size(), at - kJournalLine.size());
    const std::string now = hashOf(folder / journal);
    const bool same = !now.empty() && now == line.substr(at + kHash.size());
    check.unchanged = check.unchanged && same;
    check.text += fmt::format("{}: {}\n", journal,
                              same          ? "as it was when the statement was written"
                              : now.empty() ? "cannot be read"
                                            : "not the file of the statement: SHA-256 " + now);
  }
  if (check.text.empty()) throw InputError(file.string() + ": names no journal");
  return check;
}

}  // namespace dmlcts
