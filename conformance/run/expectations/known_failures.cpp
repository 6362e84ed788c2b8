#include "conformance/run/expectations/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reference/counted.h"
#include "reports/compare/version.h"
#include "reports/journal/input_file.h"
#include "reports/summary/alike_cases.h"
#include "reports/summary/clusters.h"
#include "reports/summary/summary.h"

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

// The entries of one implementation.
class Entries {
 public:
  explicit Entries(std::vector<ordered_json>& all) : all_(all) {}

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
    explainFailures([](const JournalEntry& entry) {
      return entry.verdict == Verdict::Fail || entry.verdict == Verdict::Crash ||
             entry.verdict == Verdict::Timeout || entry.verdict == Verdict::DeviceRemoved;
    });
    std::set<std::pair<Verdict, std::string>> others;
    for (const JournalEntry* each : cases_) {
      if (each->verdict == Verdict::NotSupported) {
        others.emplace(each->verdict, limitOf(each->message));
      }
      if (each->verdict == Verdict::Vacuous) others.emplace(each->verdict, "");
    }
    for (const auto& [verdict, message] : others) {
      explainFailures([&, of = verdict, text = message](const JournalEntry& entry) {
        return entry.verdict == of && (text.empty() || limitOf(entry.message) == text);
      });
    }
    for (const JournalEntry* each : cases_) {
      const bool expectable = std::ranges::find(kExpectable, each->verdict) != kExpectable.end();
      if (expectable && !covered_.contains(each)) addCase(*each);
    }
  }

 private:
  template <class Fails>
  void explainFailures(const Fails& fails) {
    const auto evidence = [&](const JournalEntry& entry) {
      return fails(entry)                     ? Evidence::Fails
             : entry.verdict == Verdict::Pass ? Evidence::Passes
                                              : Evidence::None;
    };
    for (const Cause& cause : causesOf(cases_, evidence)) {
      std::map<Verdict, Failures> byVerdict;
      for (size_t each : cause.cases) {
        const JournalEntry* failure = cases_[each];
        if (!covered_.contains(failure)) byVerdict[failure->verdict].push_back(failure);
      }
      for (const auto& [verdict, cases] : byVerdict) addFault(cause, verdict, cases);
    }
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
      addEntries(cause, verdict, of, about);
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

  static Kinds kindsOf(const Failures& cases) {
    Kinds kinds;
    for (const JournalEntry* each : cases) {
      for (const auto& [which, count] : each->kinds) {
        kinds[which] = std::max(kinds[which], count);
      }
    }
    return kinds;
  }

  void addEntries(const Cause& cause, Verdict verdict, const CauseRule& rule,
                  const Failures& cases) {
    const auto& shortest = **std::ranges::min_element(cases, {}, [](const JournalEntry* each) {
      return std::pair<size_t, const std::string&>(each->caseString.size(), each->caseString);
    });
    ordered_json entry{{"query", cause.text()}};
    if (!rule.id.empty()) entry["rule"] = rule.id;
    const bool unknown = !rule.id.empty() && !rule.broken;
    // Other matching cases may fail differently, or pass.
    const std::string reason =
        fmt::format("{}, the shortest {}: {}{}", counted(cases.size(), "such case"),
                    shortest.caseString, messageOf(shortest),
                    unknown ? "; they exercise the rule, which one is broken is not known" : "");
    covered_.insert(cases.begin(), cases.end());
    const bool always = cause.passing == 0;
    addKinds(std::move(entry), verdict, kindsOf(cases), shortest.message, reason,
             always ? ordered_json() : ordered_json{{"atLeast", 1}});
  }

  void addCase(const JournalEntry& failure) {
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
    addKinds(std::move(entry), failure.verdict, failure.kinds, failure.message, reason,
             failure.verdict == Verdict::Flaky ? ordered_json{{"atMost", 1}} : ordered_json());
  }

  // Adds the entry; splits it if kinds need their own entry.
  void addKinds(ordered_json entry, Verdict verdict, const Kinds& kinds, const std::string& message,
                const std::string& reason, const ordered_json& sometimes) {
    entry["verdict"] = name(verdict);
    const auto push = [&](const Kinds& part) {
      ordered_json made = entry;
      for (const auto& [which, count] : part) {
        ordered_json bounds = ordered_json::object();
        if (isCounted(which)) bounds["atMost"] = count;
        made["kinds"][which] = std::move(bounds);
      }
      if (!sometimes.is_null()) made["sometimes"] = sometimes;
      if (verdict == Verdict::NotSupported) made["message"] = limitOf(message);
      made["reason"] = reason;
      all_.push_back(std::move(made));
    };
    if (!isKnownByKinds(verdict)) return push({});
    Kinds together;
    for (const auto& [which, count] : kinds) {
      if (needsOwnEntry(which)) {
        push({{which, count}});
      } else {
        together.emplace(which, count);
      }
    }
    if (!together.empty()) push(together);
  }

  static std::string messageOf(const JournalEntry& failure) {
    return failure.message.empty() ? std::string(name(failure.verdict)) + ", without a message"
                                   : failure.message;
  }

  std::vector<ordered_json>& all_;
  std::vector<const JournalEntry*> cases_;  // also those that passed
  std::set<const JournalEntry*> covered_;
};

// Entries of several implementations that differ only in bounds and reasons.
struct Fault {
  ordered_json entry;                          // with the highest bounds
  std::map<std::string, SeenByVersion> where;  // by driver, then by implementation version
};

void raiseBounds(ordered_json& entry, const ordered_json& other) {
  if (!entry.contains("kinds")) return;
  for (auto& [kind, bounds] : entry["kinds"].items()) {
    if (!bounds.contains("atMost")) continue;
    const uint64_t most = other["kinds"][kind]["atMost"];
    bounds["atMost"] = std::max(bounds["atMost"].get<uint64_t>(), most);
  }
}

std::string withoutBounds(ordered_json entry) {
  entry.erase("reason");
  if (entry.contains("kinds")) {
    for (auto& [kind, bounds] : entry["kinds"].items()) bounds = nullptr;
  }
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
  std::map<Implementation, std::vector<const JournalEntry*>> groups;
  std::set<std::pair<Implementation, std::string_view>> seen;
  for (const Journal& journal : journals) {
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const JournalHeader& header = journal.headers.at(journal.headerOf.at(i));
      const JournalEntry& entry = journal.entries[i];
      const Implementation of{
          {header.target, header.shaderModel}, header.driver, header.implementation};
      if (seen.emplace(of, entry.caseString).second) groups[of].push_back(&entry);
    }
  }
  std::map<Subject, std::vector<Fault>> faults;  // in order of appearance
  std::map<std::pair<Subject, std::string>, size_t> placeOf;
  for (const auto& [of, cases] : groups) {
    std::vector<ordered_json> found;
    Entries entries(found);
    for (const JournalEntry* entry : cases) entries.add(*entry);
    entries.write();
    for (ordered_json& entry : found) {
      std::vector<Fault>& all = faults[of.subject];
      const auto [place, fresh] =
          placeOf.emplace(std::pair(of.subject, withoutBounds(entry)), all.size());
      if (fresh) {
        all.push_back({std::move(entry), {}});
      } else {
        raiseBounds(all[place->second].entry, entry);
      }
      all[place->second].where[of.driver][of.version].found = true;
    }
  }
  ordered_json all = ordered_json::array();
  for (auto& [subject, ofSubject] : faults) {
    for (Fault& fault : ofSubject) {
      for (const auto& [of, cases] : groups) {
        if (of.subject == subject) fault.where[of.driver][of.version].asked = true;
      }
      append(subject, fault, all);
    }
  }
  return ordered_json{{"version", 2}, {"expectations", all}}.dump(2) + '\n';
}

}  // namespace dmlcts
