#include "conformance/run/expectations/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "conformance/facts/rules_of.h"
#include "conformance/language/case_string.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {

std::string_view ownKind(Verdict verdict) {
  switch (verdict) {
    case Verdict::Crash:
      return kind::kCrash;
    case Verdict::Timeout:
      return kind::kTimeout;
    case Verdict::DeviceRemoved:
      return kind::kDeviceRemoved;
    default:
      return "";
  }
}

bool needsOwnEntry(std::string_view kind) {
  return kind == kind::kGuardBytes || kind == kind::kInputBytes || kind == kind::kMalformedAnswer ||
         kind == kind::kCrash || kind == kind::kTimeout || kind == kind::kDeviceRemoved;
}

bool isAbout(const Case& testCase, const Rule& rule) {
  if (rule.checked == Checked::Always) return true;
  if (testCase.expect == Expect::Reject) return testCase.rejectBy == rule.id;
  if (rule.checked == Checked::ByRejecting) {
    const std::string_view subject = rule.id.substr(0, rule.id.find('.'));
    return rule.holdsAt(testCase.level) &&
           (subject == "tensor" || subject == operatorName(testCase.descriptor));
  }
  const auto rules = rulesOf(testCase);
  return std::ranges::find(rules, rule.id) != rules.end();
}

bool CaseSet::matches(const Case& testCase, const std::string& caseText) const {
  return exact ? text == caseText : query.front().matches(testCase);
}

bool Expectation::matches(const Case& testCase, const std::string& caseText) const {
  // The query comes last: it may have to generate inputs.
  return (exact || !rule || isAbout(testCase, *rule)) && CaseSet::matches(testCase, caseText);
}

bool Expectation::expects(Verdict failure, std::string_view failureMessage) const {
  return (failure == verdict || (sometimes && failure == Verdict::Flaky)) &&
         (message.empty() || matchesPattern(message, failureMessage));
}

bool Expectation::covers(Verdict failure, std::string_view failureMessage,
                         std::string_view kind) const {
  return kinds.contains(kind) && expects(failure, failureMessage);
}
namespace {

Kinds kindsOf(Verdict verdict, const Kinds& kinds) {
  if (!kinds.empty() || ownKind(verdict).empty()) return kinds;
  return {{std::string(ownKind(verdict)), 1}};
}

// Returns the part of a failure that the entries do not cover: "509 guard-bytes, 1 accepted", or
// "". `used` receives entries that cover something.
std::string uncovered(const std::vector<Expectation*>& entries, Verdict verdict, const Kinds& kinds,
                      const std::string& message, std::vector<Expectation*>& used) {
  if (verdict == Verdict::NotSupported || verdict == Verdict::Vacuous) {  // they have no kinds
    const auto found = std::ranges::find_if(
        entries, [&](const Expectation* entry) { return entry->expects(verdict, message); });
    if (found == entries.end()) return std::string(name(verdict));
    used.push_back(*found);
    return "";
  }
  if (kinds.empty()) return fmt::format("{} of no known kind", name(verdict));
  std::string missing;
  for (const auto& [which, count] : kinds) {
    const auto covers = [&, &kind = which](const Expectation* entry) {
      return entry->covers(verdict, message, kind);
    };
    const auto found = std::ranges::find_if(entries, covers);
    if (found != entries.end()) {
      if (std::ranges::find(used, *found) == used.end()) used.push_back(*found);
      continue;
    }
    missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", count, which);
  }
  return missing;
}

// Explains why a failure is not waived although entries match its case.
std::string notWaived(const std::vector<Expectation*>& entries, Verdict verdict,
                      const std::string& message, const std::string& missing) {
  const auto same = std::ranges::find_if(entries, [&](const Expectation* entry) {
    return entry->verdict == verdict || (entry->sometimes && verdict == Verdict::Flaky);
  });
  if (same == entries.end()) {
    return fmt::format("not waived by \"{}\", which expects {}", entries.front()->text,
                       name(entries.front()->verdict));
  }
  const Expectation& entry = **same;
  if (!entry.message.empty() && !matchesPattern(entry.message, message)) {
    return fmt::format("not waived by \"{}\", which expects the message \"{}\"", entry.text,
                       entry.message);
  }
  return fmt::format("not waived by \"{}\": {}", entry.text, missing);
}

// Returns the first query that matches none of the scheduled cases, nor any of a tier; or "". Those
// that ask for a value are matched in one pass over the cases.
template <class Set>
std::string firstOfNoCase(const std::vector<Set>& sets, const CaseSetIndex& index,
                          std::span<const ScheduledCase> scheduled) {
  std::vector<bool> matched(sets.size());
  for (size_t n = 0; n < sets.size(); ++n) matched[n] = sets[n].exact;
  const auto see = [&](const Case& testCase, const std::string& text) {
    for (const size_t n : index.found(testCase, text)) {
      matched[n] = matched[n] || sets[n].matches(testCase, text);
    }
  };
  for (const ScheduledCase& each : scheduled) see(each.testCase, each.text);
  for (const size_t n : index.others()) {
    matched[n] = std::ranges::any_of(scheduled, [&](const ScheduledCase& each) {
      return sets[n].matches(each.testCase, each.text);
    });
  }
  if (std::ranges::find(matched, false) == matched.end()) return "";
  std::vector<Case> all;
  for (Tier tier : {Tier::Default, Tier::Large, Tier::Huge}) {
    std::ranges::move(cases(tier), std::back_inserter(all));
  }
  for (const Case& each : all) see(each, "");
  for (size_t n = 0; n < sets.size(); ++n) {
    const auto matches = [&](const Case& each) { return sets[n].matches(each, ""); };
    if (!matched[n] && std::ranges::none_of(all, matches)) return sets[n].text;
  }
  return "";
}

}  // namespace

std::vector<Expectation*> Expectations::entriesFor(const Case& testCase,
                                                   const std::string& caseText) {
  std::vector<Expectation*> found;
  for (const size_t number : entryIndex_.candidates(testCase, caseText)) {
    if (entries_[number].matches(testCase, caseText)) found.push_back(&entries_[number]);
  }
  for (Expectation* entry : found) entry->matched = true;
  return found;
}

std::optional<std::string> Expectations::whySkipped(const Case& testCase) const {
  if (skips_.empty()) return std::nullopt;
  const std::string text = caseString(testCase);
  for (const size_t number : skipIndex_.candidates(testCase, text)) {
    if (skips_[number].matches(testCase, text)) return skips_[number].reason;
  }
  return std::nullopt;
}

std::string Expectations::queryOfNoCase(std::span<const ScheduledCase> scheduled) const {
  const std::string entry = firstOfNoCase(entries_, entryIndex_, scheduled);
  return entry.empty() ? firstOfNoCase(skips_, skipIndex_, scheduled) : entry;
}

void Expectations::countSkipped(const Case& testCase, const std::string& caseText) {
  for (const size_t number : skipIndex_.candidates(testCase, caseText)) {
    Skip& skip = skips_[number];
    skip.matched = skip.matched || skip.matches(testCase, caseText);
  }
}

void Expectations::apply(const Case& testCase, const std::string& caseText, Judgement& judgement) {
  const Verdict verdict = judgement.verdict;
  if (verdict == Verdict::Skipped) countSkipped(testCase, caseText);
  const bool canMatch =
      verdict == Verdict::Pass || std::ranges::find(kExpectable, verdict) != kExpectable.end();
  if (!canMatch) return;  // not asked, arguable, or not the target's fault
  const auto entries = entriesFor(testCase, caseText);
  if (entries.empty()) return;
  if (verdict != Verdict::Pass) return waive(entries, judgement);
  const auto always = std::ranges::find_if(entries, [](auto* entry) { return !entry->sometimes; });
  if (always == entries.end()) return;
  judgement.verdict = Verdict::UnexpectedPass;
  judgement.message = fmt::format("expected {} by \"{}\" in {}: {}", name((*always)->verdict),
                                  (*always)->text, file_, (*always)->reason);
}

void Expectations::waive(const std::vector<Expectation*>& entries, Judgement& failure) {
  const Verdict verdict = failure.verdict;
  std::string& message = failure.message;
  std::vector<Expectation*> used;
  const Kinds all = kindsOf(verdict, failure.kinds);
  const std::string missing = uncovered(entries, verdict, all, message, used);
  if (!missing.empty()) {
    message += (message.empty() ? "" : "; ") + notWaived(entries, verdict, message, missing);
    return;
  }
  for (Expectation* entry : entries) {  // those that others made needless, too
    const bool did = all.empty() ? entry->expects(verdict, message)
                                 : std::ranges::any_of(all, [&](const auto& kind) {
                                     return entry->covers(verdict, message, kind.first);
                                   });
    entry->met = entry->met || did;
  }
  std::string reasons;
  for (const Expectation* entry : used) {
    if (reasons.find(entry->reason) == std::string::npos) {
      reasons += (reasons.empty() ? "" : ", and ") + entry->reason;
    }
  }
  message = fmt::format("{}; {}: {}", reasons, name(verdict), message);
  failure.verdict = Verdict::Waived;
}

void Expectations::recall(const JournalEntry& entry) {
  if (entry.verdict == Verdict::Arguable || entry.verdict == Verdict::NotAsked ||
      entry.verdict == Verdict::InternalError) {
    return;  // as in apply()
  }
  const Case testCase = parseCase(entry.caseString);
  if (entry.verdict == Verdict::Skipped) return countSkipped(testCase, entry.caseString);
  for (Expectation* each : entriesFor(testCase, entry.caseString)) {
    const Kinds kinds = kindsOf(each->verdict, entry.kinds);
    // The session may have had other expectations, which did not waive it.
    const bool waived = entry.verdict == Verdict::Waived;
    if (!waived && !each->expects(entry.verdict, entry.message)) continue;
    const bool did =
        kinds.empty() ? each->kinds.empty() : std::ranges::any_of(kinds, [&](const auto& kind) {
          return each->kinds.contains(kind.first);
        });
    each->met = each->met || did;
  }
}

std::vector<std::string> Expectations::unmet() const {
  std::vector<std::string> lines;
  for (const Expectation& entry : entries_) {
    if (!entry.matched || entry.met || entry.sometimes) continue;
    lines.push_back(fmt::format("expected {} of cases matching \"{}\", seen in none: {}",
                                name(entry.verdict), entry.text, entry.reason));
  }
  return lines;
}

std::string Expectations::unused() const {
  uint64_t count = 0;
  std::string first;
  const auto countUnmatched = [&](const CaseSet& entry) {
    if (!entry.matched && ++count == 1) first = entry.text;
  };
  std::ranges::for_each(entries_, countUnmatched);
  std::ranges::for_each(skips_, countUnmatched);
  if (count <= 1) return count == 0 ? "" : "no case matched: " + first;
  return fmt::format("no case matched {} of {} entries; the first: {}", count, size(), first);
}

}  // namespace dmlcts
