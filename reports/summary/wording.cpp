#include "reports/summary/wording.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

std::string_view participle(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts.size()> kWords{
      "passed",    "failed",           "arguable",  "not supported",
      "not asked", "crashed",          "timed out", "lost the device",
      "flaky",     "skipped",          "waived",    "passed unexpectedly",
      "vacuous",   "without a verdict"};
  return kWords.at(static_cast<size_t>(verdict));
}

}  // namespace

std::string tally(const Totals& totals, std::string_view noun) {
  const uint64_t all = totals.all();
  std::string out = fmt::format("{} of {} {}", grouped(totals[Verdict::Pass]),
                                noun.empty() ? grouped(all) : counted(all, noun),
                                totals[Verdict::Pass] == 1 ? "passes" : "pass");
  for (Verdict verdict : kByGravity) {
    if (verdict == Verdict::Pass || totals[verdict] == 0) continue;
    out += fmt::format(", {} {}", grouped(totals[verdict]), participle(verdict));
  }
  return out;
}

std::optional<WrongElements> wrongElements(const JournalEntry& entry) {
  const auto wrong = entry.kinds.find(std::string(kind::kWrongElements));
  const auto testCase = wrong == entry.kinds.end() ? std::nullopt : caseOf(entry);
  if (!testCase) return std::nullopt;
  WrongElements counts{wrong->second, 0};
  for (const TensorSlot& slot : tensors(testCase->descriptor)) {
    if (slot.isOutput) counts.all += elementCount(slot.desc->sizes).value_or(0);
  }
  return counts.wrong <= counts.all ? std::optional(counts) : std::nullopt;
}

ReportDocument toDocument(const Totals& totals) {
  auto counts = ReportDocument::object();
  for (Verdict verdict : kVerdicts) {
    if (totals[verdict] > 0) counts[std::string(name(verdict))] = totals[verdict];
  }
  return counts;
}

std::string chosenBy(const Report& report) {
  std::vector<std::string_view> all;
  for (const std::string& filter : report.filters) {
    if (filter.starts_with("--cases ")) continue;
    const auto options = {"--gtest_filter", "--last-failed", "--level", "--mode"};
    const auto option =
        std::ranges::find_if(options, [&](const char* each) { return filter.starts_with(each); });
    const std::string_view words = option == options.end() ? "queries" : *option;
    if (std::ranges::find(all, words) == all.end()) all.push_back(words);
  }
  std::ranges::sort(all, std::greater());  // queries first
  return fmt::format("{}", fmt::join(all, " and "));
}

Facts factsOf(const Report& report) {
  const JournalHeader& run = report.run;
  std::string files;
  for (const auto& [file, sha256] : run.files) {
    files += (files.empty() ? "" : ", ") + file + " " + sha256.substr(0, 12);
  }
  std::vector<std::string_view> hosts(report.hosts.begin(), report.hosts.end());
  std::erase(hosts, "");
  return {{"Target", run.target},
          {"Adapter", run.adapter},
          {"Vendor and device",
           run.vendorId == 0 ? "" : fmt::format("0x{:04X}:0x{:04X}", run.vendorId, run.deviceId)},
          {"Driver", run.driver},
          {"Runtime", run.runtime},
          {"Implementation", run.implementation},
          {"Shader model", run.shaderModel},
          {"Execution mode", run.mode},
          {"Highest level", run.maxLevel},
          {"Suite", suiteOf(run)},
          {"Files", files},
          {"Specification edition", run.specification + (run.strict ? ", strict" : "")},
          {"Tier", run.tier},
          {"Filtered by", fmt::format("{}", fmt::join(report.filters, " | "))},
          {"Worker failures",
           report.workerFailures.empty() ? "" : grouped(report.workerFailures.size())},
          {"Started", run.startedAt},
          {"Host", fmt::format("{}", fmt::join(hosts, "; "))},
          {"Command", run.commandLine},
          {"Complete", report.complete() ? "yes" : "no"}};
}

std::string firstWords(const JournalEntry& entry) {
  return entry.differences.empty() ? entry.message : entry.differences.front().text();
}

std::string lastWords(const JournalEntry& entry) {
  return entry.differences.empty() ? lastLines(entry.workerStderr) : "";
}

std::string disagreementOf(const Report& report) {
  std::vector<std::string_view> members;
  for (const Conflict& each : report.conflicts) members.push_back(each.member);
  return fmt::format("the journals disagree on {}", fmt::join(members, ", "));
}

std::string suiteOf(const JournalHeader& run) {
  return run.suiteVersion + (run.suiteCommit.empty() ? "" : " " + run.suiteCommit);
}

std::string otherSuite(const JournalHeader& before, const JournalHeader& after) {
  if (suiteOf(before) != suiteOf(after)) {
    return fmt::format("the suites differ, {} and {}: a change need not be one of the target",
                       suiteOf(before), suiteOf(after));
  }
  return before.planHash == after.planHash ? "" : "the runs planned different cases";
}

std::string passWithout(uint64_t number, std::string_view noun, std::string_view term, bool rest) {
  const std::string_view es = number == 1 ? "es" : "";
  const std::string of = counted(number, noun);
  if (!rest) return fmt::format("{} that do{} not match {} pass{}", of, es, term, es);
  return fmt::format("{} that match{} the rest of the query but not {} pass{}", of, es, term, es);
}

std::string listVerdicts(const Totals& totals) {
  std::string out;
  for (Verdict verdict : kByGravity) {
    if (totals[verdict] == 0) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", grouped(totals[verdict]), name(verdict));
  }
  return out;
}

}  // namespace dmlcts
