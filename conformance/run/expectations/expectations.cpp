#include "conformance/run/expectations/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/facts/rules_of.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/tiers/tiers.h"
#include "reference/counted.h"

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

bool isCounted(std::string_view kind) {
  return kind == kind::kWrongElements || kind == kind::kPaddingBytes || kind == kind::kGuardBytes ||
         kind == kind::kInputBytes;
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

std::string CaseSet::reasonText() const { return reason + (link.empty() ? "" : " (" + link + ")"); }

bool Expectation::matches(const Case& testCase, const std::string& caseText) const {
  // The query comes last: it may have to generate inputs.
  return (exact || !rule || isAbout(testCase, *rule)) && CaseSet::matches(testCase, caseText);
}

bool Expectation::expects(Verdict failure, std::string_view failureMessage) const {
  return failure == verdict && (!sometimes || failed < sometimes->atMost) &&
         (message.empty() || matchesPattern(message, failureMessage));
}

bool Expectation::covers(Verdict failure, std::string_view failureMessage, std::string_view kind,
                         uint64_t count) const {
  const auto most = kinds.find(std::string(kind));
  return most != kinds.end() && count <= most->second && expects(failure, failureMessage);
}
namespace {

Kinds kindsOf(Verdict verdict, const Kinds& kinds) {
  if (!kinds.empty() || ownKind(verdict).empty()) return kinds;
  return {{std::string(ownKind(verdict)), 1}};
}

// Returns the part of a failure that the entries do not cover: "509 guard-bytes, 7 wrong-elements
// (at most 4)", or "". `used` receives entries that cover something.
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
    const auto covers = [&, &kind = which, amount = count](const Expectation* entry) {
      return entry->covers(verdict, message, kind, amount);
    };
    const auto found = std::ranges::find_if(entries, covers);
    if (found != entries.end()) {
      if (std::ranges::find(used, *found) == used.end()) used.push_back(*found);
      continue;
    }
    missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", count, which);
    uint64_t most = 0;
    for (const Expectation* entry : entries) {
      const auto bound = entry->kinds.find(which);
      if (entry->verdict == verdict && bound != entry->kinds.end())
        most = std::max(most, bound->second);
    }
    if (most > 0 && most < count) missing += fmt::format(" (at most {})", most);
  }
  return missing;
}

// Explains why a failure is not waived although entries match its case.
std::string notWaived(const std::vector<Expectation*>& entries, Verdict verdict,
                      const std::string& message, const std::string& missing) {
  const auto same = std::ranges::find(entries, verdict, &Expectation::verdict);
  if (same == entries.end()) {
    return fmt::format("not waived by \"{}\", which expects {}", entries.front()->text,
                       name(entries.front()->verdict));
  }
  const Expectation& entry = **same;
  if (!entry.message.empty() && !matchesPattern(entry.message, message)) {
    return fmt::format("not waived by \"{}\", which expects the message \"{}\"", entry.text,
                       entry.message);
  }
  if (entry.sometimes && entry.failed >= entry.sometimes->atMost) {
    return fmt::format("not waived by \"{}\", which expects {} of at most {}", entry.text,
                       name(verdict), counted(entry.sometimes->atMost, "case"));
  }
  return fmt::format("not waived by \"{}\": {}", entry.text, missing);
}

}  // namespace

std::vector<Expectation*> Expectations::entriesFor(const Case& testCase,
                                                   const std::string& caseText) {
  std::vector<Expectation*> found;
  for (Expectation& entry : entries_) {
    if (entry.matches(testCase, caseText)) found.push_back(&entry);
  }
  for (Expectation* entry : found) ++entry->matched;
  return found;
}

std::optional<std::string> Expectations::whySkipped(const Case& testCase) const {
  if (skips_.empty()) return std::nullopt;
  const std::string text = caseString(testCase);
  const auto found =
      std::ranges::find_if(skips_, [&](const Skip& skip) { return skip.matches(testCase, text); });
  return found == skips_.end() ? std::nullopt : std::optional(found->reasonText());
}

std::string Expectations::queryOfNoCase(std::span<const ScheduledCase> scheduled) const {
  std::vector<const CaseSet*> unmatched;
  const auto look = [&](const CaseSet& entry) {
    const auto matches = [&](const ScheduledCase& each) {
      return entry.matches(each.testCase, each.text);
    };
    if (!entry.exact && std::ranges::none_of(scheduled, matches)) unmatched.push_back(&entry);
  };
  std::ranges::for_each(entries_, look);
  std::ranges::for_each(skips_, look);
  for (Tier tier : {Tier::Default, Tier::Large, Tier::Huge}) {
    if (unmatched.empty()) break;
    const std::vector<Case> all = cases(tier);
    std::erase_if(unmatched, [&](const CaseSet* entry) {
      return std::ranges::any_of(all, [&](const Case& each) { return entry->matches(each, ""); });
    });
  }
  return unmatched.empty() ? "" : unmatched.front()->text;
}

void Expectations::countSkipped(const Case& testCase, const std::string& caseText) {
  for (Skip& skip : skips_) skip.matched += skip.matches(testCase, caseText) ? 1 : 0;
}

Verdict Expectations::apply(const Case& testCase, const std::string& caseText, Verdict verdict,
                            const Kinds& kinds, std::string& message) {
  if (verdict == Verdict::Skipped) countSkipped(testCase, caseText);
  const bool canMatch =
      verdict == Verdict::Pass || std::ranges::find(kExpectable, verdict) != kExpectable.end();
  if (!canMatch) return verdict;  // not asked, arguable, or not the target's fault
  const auto entries = entriesFor(testCase, caseText);
  if (entries.empty()) return verdict;
  if (verdict == Verdict::Pass) {
    const auto always =
        std::ranges::find_if(entries, [](auto* entry) { return !entry->sometimes; });
    if (always == entries.end()) return verdict;
    message = fmt::format("expected {} by \"{}\" in {}: {}", name((*always)->verdict),
                          (*always)->text, file_, (*always)->reasonText());
    return Verdict::UnexpectedPass;
  }
  return waived(entries, verdict, kinds, message);
}

Verdict Expectations::waived(const std::vector<Expectation*>& entries, Verdict verdict,
                             const Kinds& kinds, std::string& message) {
  std::vector<Expectation*> used;
  const std::string missing = uncovered(entries, verdict, kindsOf(verdict, kinds), message, used);
  if (!missing.empty()) {
    message += (message.empty() ? "" : "; ") + notWaived(entries, verdict, message, missing);
    return verdict;
  }
  std::string reasons;
  for (Expectation* entry : used) {
    ++entry->failed;
    const std::string reason = entry->reasonText();
    if (reasons.find(reason) == std::string::npos) {
      reasons += (reasons.empty() ? "" : ", and ") + reason;
    }
  }
  message = fmt::format("{}; {}: {}", reasons, name(verdict), message);
  return Verdict::Waived;
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
          const auto most = each->kinds.find(kind.first);
          return most != each->kinds.end() && (waived || kind.second <= most->second);
        });
    each->failed += did ? 1 : 0;
  }
}

std::vector<std::string> Expectations::unmet() const {
  std::vector<std::string> lines;
  for (const Expectation& entry : entries_) {
    const uint64_t needed = std::min(entry.matched, entry.sometimes.value_or(Sometimes{}).atLeast);
    if (entry.failed >= needed) continue;
    lines.push_back(fmt::format("expected {} of at least {} of {} matching \"{}\", seen in {}: {}",
                                name(entry.verdict), needed, counted(entry.matched, "case"),
                                entry.text, entry.failed, entry.reasonText()));
  }
  return lines;
}

std::string Expectations::unused() const {
  uint64_t count = 0;
  std::string first;
  const auto countUnmatched = [&](const CaseSet& entry) {
    if (entry.matched == 0 && ++count == 1) first = entry.text;
  };
  for (const Expectation& entry : entries_) {
    if (!entry.sometimes || entry.sometimes->atLeast > 0) countUnmatched(entry);
  }
  for (const Skip& skip : skips_) countUnmatched(skip);
  if (count <= 1) return count == 0 ? "" : "no case matched: " + first;
  return fmt::format("no case matched {} of {} entries; the first: {}", count, size(), first);
}

}  // namespace dmlcts
