#include "reports/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dmlcts {
namespace {

// Those that need attention first, the rest in their own order, Pass last.
constexpr std::array kByGravity{
    Verdict::Fail,    Verdict::Crash,          Verdict::DeviceRemoved, Verdict::Timeout,
    Verdict::Flaky,   Verdict::UnexpectedPass, Verdict::InternalError, Verdict::NotSupported,
    Verdict::Vacuous, Verdict::Waived,         Verdict::NotAsked,      Verdict::Pass,
};
static_assert(kByGravity.size() == kVerdicts.size());

std::string shellWord(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.=:,()*+/@ ";
  const bool plain = text.find_first_not_of(kPlain) == text.npos;
  if (plain && text.find_first_of(" ()*") == text.npos && !text.empty()) return std::string(text);
  if (plain) return fmt::format("\"{}\"", text);
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string headlineOf(const Totals& totals, bool complete) {
  const uint64_t all = totals.all();
  if (all == 0) return "No case was run.";
  if (totals.failures() > 0) {
    return fmt::format("{} of {} failed.", grouped(totals.failures()), counted(all, "case"));
  }
  if (totals[Verdict::Pass] == all) {
    if (!complete) {
      return fmt::format("{} so far, all as expected; the report is incomplete.",
                         counted(all, "case"));
    }
    return all == 1 ? "The only case went as expected."
                    : fmt::format("All {} as expected.", counted(all, "case"));
  }
  return fmt::format("No failure in {}; {} passed.", counted(all, "case"),
                     grouped(totals[Verdict::Pass]));
}

// The verdicts other than Pass: failures, then what else there is.
std::string detailOf(const Totals& totals) {
  Totals failed;
  Totals others;
  for (Verdict verdict : kVerdicts) {
    if (verdict != Verdict::Pass) (isFailure(verdict) ? failed : others)[verdict] = totals[verdict];
  }
  const std::string first = listVerdicts(failed);
  const std::string second = listVerdicts(others);
  if (first.empty()) return second.empty() ? "" : second + ".";
  return first + "." + (second.empty() ? "" : " Besides: " + second + ".");
}

std::string ranges(const std::vector<IndexRange>& missing) {
  std::string out;
  for (const auto& [first, last] : missing) {
    if (!out.empty()) out += ", ";
    out += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
  }
  return out;
}

void remarkOnPlan(const Plan& plan, std::vector<std::string>& remarks) {
  if (!plan.missingShards.empty()) {
    remarks.push_back(fmt::format("No journal of shard {} (counted from 0) of {}.",
                                  ranges(plan.missingShards), plan.shardCount));
  }
  for (const Shard& shard : plan.shards) {
    if (shard.complete()) continue;
    remarks.push_back(fmt::format("Shard {} of {} has {} of {} planned.", shard.index,
                                  plan.shardCount, counted(shard.seen, "verdict"),
                                  grouped(shard.planned)));
  }
}

}  // namespace

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
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

Conclusion conclude(const Report& report) {
  Conclusion conclusion;
  conclusion.headline = headlineOf(report.totals, report.complete());
  conclusion.detail = detailOf(report.totals);
  auto& remarks = conclusion.remarks;
  for (const Conflict& conflict : report.conflicts) {
    std::string values;
    for (const std::string& value : conflict.values) {
      values += (values.empty() ? "\"" : "\", \"") + value;
    }
    remarks.push_back(fmt::format("The journals disagree on {}: {}\".", conflict.member, values));
  }
  for (const Plan& plan : report.plans) remarkOnPlan(plan, remarks);
  for (const std::string& journal : report.cutJournals) {
    remarks.push_back(fmt::format("The journal {} ends in an unfinished line.", journal));
  }
  if (!report.duplicates.empty()) {
    const Duplicate& first = report.duplicates.front();
    remarks.push_back(
        fmt::format("{} {} more than one verdict; the graver one counts. The first: "
                    "{} ({} and {}).",
                    counted(report.duplicates.size(), "case string"),
                    report.duplicates.size() == 1 ? "has" : "have", first.caseString,
                    name(first.counted), name(first.other)));
  }
  if (report.totals.failures() > 0) {
    conclusion.tone = Conclusion::Tone::Bad;
  } else if (report.complete() && report.totals.all() > 0 &&
             report.totals[Verdict::Pass] + report.totals[Verdict::NotSupported] ==
                 report.totals.all()) {
    conclusion.tone = Conclusion::Tone::Good;
  }
  return conclusion;
}

std::string replayCommand(const Report& report, const JournalEntry& entry) {
  return fmt::format("dmlcts replay --target {} {}", shellWord(report.run.target),
                     shellWord(entry.caseString));
}

std::string words(Compliance compliance) {
  switch (compliance) {
    case Compliance::Holds:
      return "holds";
    case Compliance::Waived:
      return "holds but for waived failures";
    case Compliance::Broken:
      return "broken";
    case Compliance::Unproven:
      return "unproven";
    case Compliance::NotSupported:
      return "not supported";
    case Compliance::NotRun:
      return "not run";
  }
  return "";
}

}  // namespace dmlcts
