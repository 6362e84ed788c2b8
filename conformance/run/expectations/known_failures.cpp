#include "conformance/run/expectations/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "conformance/language/case_string.h"
#include "conformance/language/operator_syntax.h"
#include "reference/counted.h"
#include "reports/compare/version.h"
#include "reports/journal/input_file.h"
#include "reports/summary/alike_cases.h"
#include "reports/summary/clusters.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

// Targets with separate faults; texts as in the journal.
struct Subject {
  std::string target;
  std::string shaderModel;
  auto operator<=>(const Subject&) const = default;
};

// A tested subject with its driver and version.
struct Implementation {
  Subject subject;
  std::string driver;
  std::string version;
  auto operator<=>(const Implementation&) const = default;
};

bool isKnownByKinds(Verdict verdict) {
  return verdict == Verdict::Fail || verdict == Verdict::Flaky;
}

using Failures = std::vector<const JournalEntry*>;

bool isAbout(const JournalEntry& entry, const Rule& rule) {
  const auto testCase = caseOf(entry);
  return testCase && isAbout(*testCase, rule);
}

// Returns the verdict of a failure at the time when it failed.
Verdict onceOf(const JournalEntry& failure) {
  if (failure.verdict != Verdict::Flaky) return failure.verdict;
  const std::string_view message = failure.message;
  const auto once = parseVerdict(message.substr(0, message.find(' ')));
  const bool expectable =
      once && std::ranges::find(kExpectable, *once) != kExpectable.end() && *once != Verdict::Flaky;
  return expectable ? *once : Verdict::Flaky;
}

// The entries of one implementation.
class Entries {
 public:
  // `whens`: by failureKind().
  Entries(std::vector<ordered_json>& all, const std::multimap<std::string, Occurs>& whens)
      : all_(all), whens_(whens) {}

  void add(const JournalEntry& entry) {
    if (isKnownByKinds(entry.verdict) && entry.kinds.empty()) {
      throw InputError(
          fmt::format("the journal does not say what kind of {} this is: {}; it is of an older "
                      "version of dmlcts, so run the case again",
                      name(entry.verdict), entry.caseString));
    }
    if (entry.others > 0 && entry.verdict != Verdict::Pass) {
      throw InputError(
          fmt::format("the journal has more than {} cases that did not pass", grouped(kMostWhole)));
    }
    cases_.push_back(&entry);
  }

  void write() {
    findKindsByChance();
    explainFailures([&](const JournalEntry& entry) {
      return std::ranges::find(kExplained, entry.verdict) != kExplained.end() &&
             !happensByChance(entry);
    });
    addVacuous();
    addNotSupported();
    addByChance();
    for (const JournalEntry* each : cases_) {
      const bool expectable = std::ranges::find(kExpectable, each->verdict) != kExpectable.end();
      if (expectable && !covered_.contains(each)) addCase(*each);
    }
  }

 private:
  static constexpr std::array kExplained{Verdict::Fail, Verdict::Crash, Verdict::Timeout,
                                         Verdict::DeviceRemoved};

  static constexpr const char* kRepeatable = "call.repeatable";
  static constexpr size_t kFewByChance = 10;

  // Finds kinds of failure that hit other cases in each run. Where no run asked, more Flaky ones
  // than others show it.
  void findKindsByChance() {
    std::map<std::string, int64_t> balance;
    for (const JournalEntry* each : cases_) {
      if (std::ranges::find(kExplained, each->verdict) != kExplained.end()) {
        --balance[failureKind(*each)];
      }
      if (each->verdict == Verdict::Flaky) ++balance[failureKind(*each)];
    }
    for (const auto& [kind, more] : balance) {
      bool always = false, sometimes = more >= 0;
      const auto [begin, end] = whens_.equal_range(kind);
      for (auto when = begin; when != end; ++when) {
        if (when->second == Occurs::Unknown) continue;
        (when->second == Occurs::Always ? always : sometimes) = true;
      }
      if (sometimes && !always) byChance_.insert(kind);
    }
  }

  bool happensByChance(const JournalEntry& entry) const {
    return entry.verdict == Verdict::Flaky || byChance_.contains(failureKind(entry));
  }

  template <class Fails>
  std::vector<Cause> causes(const Fails& fails) const {
    const auto evidence = [&](const JournalEntry& entry) {
      return fails(entry)                     ? Evidence::Fails
             : entry.verdict == Verdict::Pass ? Evidence::Passes
                                              : Evidence::None;
    };
    return causesOf(cases_, evidence);
  }

  template <class Fails>
  void explainFailures(const Fails& fails) {
    for (const Cause& cause : causes(fails)) {
      std::map<Verdict, Failures> byVerdict;
      for (size_t each : cause.cases) {
        const JournalEntry* failure = cases_[each];
        if (!covered_.contains(failure)) byVerdict[failure->verdict].push_back(failure);
      }
      for (const auto& [verdict, cases] : byVerdict) addFault(cause, verdict, cases);
    }
  }

  void addVacuous() {
    explainFailures([](const JournalEntry& entry) { return entry.verdict == Verdict::Vacuous; });
  }

  // The message tells such cases apart; a query only says more about them.
  void addNotSupported() {
    std::map<std::string, Failures> byLimit;
    for (const JournalEntry* each : cases_) {
      if (each->verdict == Verdict::NotSupported) byLimit[limitOf(each->message)].push_back(each);
    }
    for (const auto& [limit, cases] : byLimit) {
      const auto found = causes([&, &of = limit](const JournalEntry& entry) {
        return entry.verdict == Verdict::NotSupported && limitOf(entry.message) == of;
      });
      const bool whole =
          found.size() == 1 && found[0].passing == 0 && found[0].cases.size() == cases.size();
      addQuery(whole ? found[0].text() : "*", Verdict::NotSupported, "", cases, !whole);
    }
  }

  void addByChance() {
    std::map<std::tuple<std::string, Verdict, std::string>, Failures> groups;
    for (const JournalEntry* each : cases_) {
      const bool fails = each->verdict == Verdict::Flaky ||
                         std::ranges::find(kExplained, each->verdict) != kExplained.end();
      if (!fails || covered_.contains(each) || !happensByChance(*each)) continue;
      groups[{each->op, onceOf(*each), failureKind(*each)}].push_back(each);
    }
    for (const auto& [group, cases] : groups) {
      const auto& [op, verdict, kind] = group;
      const std::set<const JournalEntry*> failing(cases.begin(), cases.end());
      // A query of few cases may hold by chance, too: those of the next run could be others.
      if (!dependsOnProcess(kind) && cases.size() >= kFewByChance) {
        const Cause common = commonCause(cases_, failing);
        addQuery(common.text(), verdict, ruleByChance(common, verdict, cases), cases, true);
        continue;
      }
      const auto operators = operatorNames();
      const bool known = std::ranges::find(operators, op) != operators.end();
      addQuery(known ? op : "*", verdict, verdict == Verdict::Fail ? kRepeatable : "", cases, true);
    }
  }

  // True if a run said that failures of this kind follow from what the process did, or from other
  // workers. No query of cases tells them.
  bool dependsOnProcess(const std::string& kind) const {
    const auto [begin, end] = whens_.equal_range(kind);
    return std::any_of(begin, end, [](const auto& when) {
      return when.second == Occurs::AfterRequests || when.second == Occurs::AfterCase ||
             when.second == Occurs::BesideWorkers;
    });
  }

  // Returns the rule that an entry for a Fail names: one that all failures exercise.
  static std::string ruleByChance(const Cause& cause, Verdict verdict, const Failures& cases) {
    if (verdict != Verdict::Fail) return "";
    Failures fails;
    std::ranges::copy_if(cases, std::back_inserter(fails),
                         [](const JournalEntry* each) { return each->verdict == Verdict::Fail; });
    if (fails.empty()) return kRepeatable;
    const CauseRule of = ruleOf(cause, fails);
    const Rule* rule = of.broken ? findRule(of.id) : nullptr;
    const bool ofAll = rule && std::ranges::all_of(cases, [&](const JournalEntry* each) {
                         return isAbout(*each, *rule);
                       });
    return ofAll ? of.id : kRepeatable;
  }

  void addFault(const Cause& cause, Verdict verdict, Failures cases) {
    if (cases.size() == 1) return;  // its case string is more specific
    std::string known;  // broken by all; the fewer that are left may break another by chance
    while (!cases.empty()) {
      CauseRule of = verdict == Verdict::Fail ? ruleOf(cause, cases) : CauseRule();
      const std::string says(sharedPart(of.id));
      if (known.empty()) known = says;
      of.broken = of.broken && says == known;
      const Rule* rule = findRule(of.id);
      Failures about, others;
      for (const JournalEntry* each : cases) {
        const bool isIt = verdict != Verdict::Fail || (rule && isAbout(*each, *rule));
        (isIt ? about : others).push_back(each);
      }
      if (about.empty()) return;  // each case gets its own entry
      addQuery(cause.text(), verdict, of.id, about, cause.passing > 0,
               of.id.empty() || of.broken
                   ? ""
                   : "; they exercise the rule, which one is broken is not known");
      cases = std::move(others);
    }
  }

  // Returns the rule that the failures broke, if it is known and an entry can name it: of all of
  // them, of the first failure's operator, or of the first failure. Otherwise a rule that all
  // failures of that operator exercise.
  static CauseRule ruleOf(const Cause& cause, Failures failing) {
    const auto names = [&, cases = failing](const std::string& id) {
      const Rule* rule = findRule(id);
      return rule && std::ranges::any_of(
                         cases, [&](const JournalEntry* each) { return isAbout(*each, *rule); });
    };
    std::string broken = brokenRule(failing, cause);
    if (names(broken)) return {broken, true};
    std::erase_if(failing,
                  [op = failing.front()->op](const JournalEntry* each) { return each->op != op; });
    broken = brokenRule(failing, cause);
    if (names(broken)) return {broken, true};
    const std::vector<std::string>& own = failing.front()->violated;
    if (!own.empty() && names(own.front())) return {own.front(), broken.empty()};
    return {commonRule(failing, [](std::string_view) { return uint64_t{0}; }), false};
  }

  // Adds entries for the failures that a query matches.
  void addQuery(const std::string& query, Verdict verdict, const std::string& rule,
                const Failures& cases, bool sometimes, std::string_view more = "") {
    const auto& shortest = **std::ranges::min_element(cases, {}, [](const JournalEntry* each) {
      return std::pair<size_t, const std::string&>(each->caseString.size(), each->caseString);
    });
    ordered_json entry{{"query", query}};
    if (!rule.empty()) entry["rule"] = rule;
    entry["verdict"] = name(verdict);
    if (verdict == Verdict::NotSupported) entry["message"] = limitOf(shortest.message);
    if (sometimes) entry["sometimes"] = true;
    // Other matching cases may fail differently, or pass.
    entry["reason"] = fmt::format("{}, the shortest {}: {}{}", counted(cases.size(), "such case"),
                                  shortest.caseString, messageOf(shortest), more);
    std::set<std::string> kinds;
    for (const JournalEntry* each : cases) {
      for (const auto& [which, count] : each->kinds) kinds.insert(which);
    }
    covered_.insert(cases.begin(), cases.end());
    addKinds(std::move(entry), verdict, kinds);
  }

  void addCase(const JournalEntry& failure) {
    try {
      parseCase(failure.caseString);
    } catch (const SyntaxError& error) {
      throw InputError(
          fmt::format("a case of another version of dmlcts failed, which no expectation can name: "
                      "{}: {}",
                      failure.caseString, error.what()));
    }
    ordered_json entry{{"case", failure.caseString}};
    std::string reason = messageOf(failure);
    const bool says = failure.verdict == Verdict::Fail && !failure.violated.empty();
    const Rule* rule = says ? findRule(failure.violated.front()) : nullptr;
    if (rule && isAbout(failure, *rule)) {
      entry["rule"] = rule->id;
      // One case may break a rule by chance: a denormal that was not written looks flushed.
      if (caseOf(failure)->expect != Expect::Reject)
        reason += "; by this case alone, which rule is broken is not known";
    }
    entry["verdict"] = name(failure.verdict);
    entry["reason"] = reason;
    std::set<std::string> kinds;
    for (const auto& [which, count] : failure.kinds) kinds.insert(which);
    addKinds(std::move(entry), failure.verdict, kinds);
  }

  // Adds the entry; splits it if kinds need their own entry.
  void addKinds(const ordered_json& entry, Verdict verdict, const std::set<std::string>& kinds) {
    const auto push = [&](const std::vector<std::string>& part) {
      ordered_json made;
      for (const auto& [member, value] : entry.items()) {
        made[member] = value;
        if (member == "verdict" && !part.empty()) made["kinds"] = part;
      }
      all_.push_back(std::move(made));
    };
    if (!isKnownByKinds(verdict)) return push({});
    std::vector<std::string> together;
    for (const std::string& which : kinds) {
      if (needsOwnEntry(which)) {
        push({which});
      } else {
        together.push_back(which);
      }
    }
    if (!together.empty()) push(together);
  }

  static std::string messageOf(const JournalEntry& failure) {
    return failure.message.empty() ? std::string(name(failure.verdict)) + ", without a message"
                                   : failure.message;
  }

  std::vector<ordered_json>& all_;
  const std::multimap<std::string, Occurs>& whens_;
  std::vector<const JournalEntry*> cases_;  // also those that passed
  std::set<const JournalEntry*> covered_;
  std::set<std::string> byChance_;  // failureKind()
};

// Entries of several implementations that differ only in their reasons.
struct Fault {
  ordered_json entry;                          // with the first reason
  std::map<std::string, SeenByVersion> where;  // by driver, then by implementation version
};

std::string withoutReason(ordered_json entry) {
  entry.erase("reason");
  return entry.dump();
}

// Returns ranges that cover the affected versions: one if possible, "" for those without a version.
std::vector<std::string> rangesOf(const SeenByVersion& versions) {
  const VersionSpan span = spanOf(versions);
  if (const std::string range = rangeOf(span); !range.empty()) return {range};
  std::set<std::string> each;
  for (const std::string& version : span.has) {
    const std::string numbers = versionIn(version);
    each.insert(numbers.empty() ? "" : "=" + numbers);
  }
  return {each.begin(), each.end()};
}

// Returns "NVIDIA " for "NVIDIA 580.159.03": only versions of one driver are comparable.
std::string productOf(const std::string& driver) {
  const std::string version = versionIn(driver);
  return version.empty() ? driver : driver.substr(0, driver.find(version));
}

// Appends the fault once per set of versions and drivers that has it.
void append(const Subject& subject, const Fault& fault, ordered_json& all) {
  // Drivers of one product with the same affected implementation versions.
  std::map<std::pair<std::string, std::vector<std::string>>, SeenByVersion> alike;
  for (const auto& [driver, versions] : fault.where) {
    const auto ranges = rangesOf(versions);
    if (!ranges.empty()) alike.try_emplace({productOf(driver), ranges});
  }
  for (auto& [key, drivers] : alike) {
    for (const auto& [driver, versions] : fault.where) {
      if (productOf(driver) != key.first) continue;
      drivers[driver] = {true, rangesOf(versions) == key.second};
    }
    for (const std::string& driver : rangesOf(drivers)) {
      for (const std::string& version : key.second) {
        ordered_json entry = fault.entry;
        ordered_json& when = entry["when"] = {{"target", subject.target}};
        if (!subject.shaderModel.empty()) when["shaderModel"] = "=" + subject.shaderModel;
        if (!driver.empty()) when["driver"] = driver;
        if (!version.empty()) when["implementation"] = version;
        all.push_back(std::move(entry));
      }
    }
  }
}

}  // namespace

std::string knownFailures(std::span<const Journal> journals) {
  struct Group {
    std::vector<const JournalEntry*> cases;
    std::multimap<std::string, Occurs> whens;
  };
  std::map<Implementation, Group> groups;
  std::set<std::pair<Implementation, std::string_view>> seen;
  for (const Journal& journal : journals) {
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const JournalHeader& header = journal.headers.at(journal.headerOf.at(i));
      const JournalEntry& entry = journal.entries[i];
      const Implementation of{
          {header.target, header.shaderModel}, header.driver, header.implementation};
      Group& group = groups[of];
      if (seen.emplace(of, entry.caseString).second) group.cases.push_back(&entry);
      if (i > 0) continue;
      for (const JournalInvestigation& each : journal.investigations) {
        group.whens.emplace(each.failure, each.when.occurs);
      }
    }
  }
  std::map<Subject, std::vector<Fault>> faults;  // in order of appearance
  std::map<std::pair<Subject, std::string>, size_t> placeOf;
  for (const auto& [of, group] : groups) {
    std::vector<ordered_json> found;
    Entries entries(found, group.whens);
    for (const JournalEntry* entry : group.cases) entries.add(*entry);
    entries.write();
    for (ordered_json& entry : found) {
      std::vector<Fault>& all = faults[of.subject];
      const auto [place, fresh] =
          placeOf.emplace(std::pair(of.subject, withoutReason(entry)), all.size());
      if (fresh) all.push_back({std::move(entry), {}});
      all[place->second].where[of.driver][of.version].found = true;
    }
  }
  ordered_json all = ordered_json::array();
  for (auto& [subject, ofSubject] : faults) {
    for (Fault& fault : ofSubject) {
      for (const auto& [of, group] : groups) {
        if (of.subject == subject) fault.where[of.driver][of.version].asked = true;
      }
      append(subject, fault, all);
    }
  }
  return ordered_json{{"version", 2}, {"expectations", all}}.dump(2) + '\n';
}

}  // namespace dmlcts
