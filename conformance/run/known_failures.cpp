#include "conformance/run/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "conformance/cases/case_string.h"
#include "conformance/cases/explanation.h"
#include "conformance/run/expectation.h"
#include "reports/compare/version.h"
#include "reports/journal/input_error.h"

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

// The first dotted version in a text: "580.159.03" of "NVIDIA 580.159.03"; "" without one.
std::string versionIn(const std::string& text) {
  const size_t digits = text.find_first_of("0123456789");
  if (digits == std::string::npos) return "";
  std::string version = text.substr(digits, text.find_first_not_of("0123456789.", digits) - digits);
  version.erase(version.find_last_not_of('.') + 1);
  return version;
}

bool isOlder(const std::string& a, const std::string& b) {
  return versionNumbers(a) < versionNumbers(b);
}

ordered_json whenOf(const JournalHeader& header) {
  ordered_json when{{"target", header.target}};
  for (const auto& [member, text] :
       {std::pair("driver", &header.driver), std::pair("implementation", &header.implementation)}) {
    const std::string version = versionIn(*text);
    if (!version.empty()) when[member] = {{"from", version}, {"through", version}};
  }
  return when;
}

bool isKnownByKinds(Verdict verdict) {
  return verdict == Verdict::Fail || verdict == Verdict::Flaky;
}

// A failed case; `testCase` is empty where its string belongs to another version.
struct Failure {
  const JournalEntry* entry;
  std::optional<Case> testCase;
};
using Failures = std::vector<const Failure*>;

// The entries of one implementation.
class Entries {
 public:
  explicit Entries(ordered_json& all) : all_(all) {}

  void add(const JournalEntry& entry) {
    if (isKnownByKinds(entry.verdict) && entry.kinds.empty()) {
      throw InputError(
          fmt::format("the journal does not say what kind of {} this is: {}; it is of an older "
                      "version of dmlcts, so run the case again",
                      name(entry.verdict), entry.caseString));
    }
    if (entry.verdict == Verdict::Pass) {
      for (const std::string& rule : entry.rules) ++passingByRule_[rule];
    }
    Failure& failure = failures_.emplace_back(Failure{&entry, std::nullopt});
    try {
      Case testCase = parseCase(entry.caseString);
      testCase.family = entry.family;
      if (!caseProblem(testCase)) failure.testCase = std::move(testCase);
    } catch (const SyntaxError&) {
      // Of another version.
    }
    if (failure.testCase) explainer_.add(*failure.testCase);
  }

  void write(const ordered_json& when) {
    when_ = when;
    explainFailures([](const JournalEntry& entry) {
      return entry.verdict == Verdict::Fail || entry.verdict == Verdict::Crash ||
             entry.verdict == Verdict::Timeout || entry.verdict == Verdict::DeviceRemoved;
    });
    std::set<std::pair<Verdict, std::string>> others;
    for (const Failure& failure : failures_) {
      const Verdict verdict = failure.entry->verdict;
      if (verdict == Verdict::NotSupported) others.emplace(verdict, failure.entry->message);
      if (verdict == Verdict::Vacuous) others.emplace(verdict, "");
    }
    for (const auto& [verdict, message] : others) {
      explainFailures([&, of = verdict, text = message](const JournalEntry& entry) {
        return entry.verdict == of && (text.empty() || entry.message == text);
      });
    }
    for (const Failure& failure : failures_) {
      const bool expectable =
          std::ranges::find(kExpectable, failure.entry->verdict) != kExpectable.end();
      if (expectable && !covered_.contains(failure.entry)) addCase(*failure.entry);
    }
  }

 private:
  template <class Fails>
  void explainFailures(const Fails& fails) {
    std::vector<Evidence> evidence;
    std::vector<const Failure*> labelled;
    for (const Failure& failure : failures_) {
      if (!failure.testCase) continue;
      labelled.push_back(&failure);
      evidence.push_back(fails(*failure.entry)                     ? Evidence::Fails
                         : failure.entry->verdict == Verdict::Pass ? Evidence::Passes
                                                                   : Evidence::None);
    }
    for (const Cause& cause : explainer_.explain(evidence).causes) {
      std::map<Verdict, Failures> byVerdict;
      for (size_t each : cause.cases) {
        const Failure* failure = labelled[each];
        if (!covered_.contains(failure->entry))
          byVerdict[failure->entry->verdict].push_back(failure);
      }
      for (const auto& [verdict, cases] : byVerdict) addFault(cause, verdict, cases);
    }
  }

  void addFault(const Cause& cause, Verdict verdict, Failures cases) {
    if (cases.size() == 1) return;  // its case string says more
    while (!cases.empty()) {
      const Rule* rule = verdict == Verdict::Fail ? commonRule(cases) : nullptr;
      if (verdict == Verdict::Fail && !rule) return;  // an entry for each case
      Failures about, others;
      for (const Failure* each : cases) {
        (!rule || isAbout(*each->testCase, *rule) ? about : others).push_back(each);
      }
      addEntries(cause, verdict, rule, about);
      cases = std::move(others);
    }
  }

  // The rule that most of the failures test, of those that can be broken in their kinds of ways.
  const Rule* commonRule(const Failures& cases) const {
    std::map<std::string_view, uint64_t> counts;
    for (const Failure* each : cases) {
      for (const std::string& rule : each->entry->rules) ++counts[rule];
    }
    Kinds kinds = kindsOf(cases);
    const Rule* most = nullptr;
    uint64_t count = 0;
    for (const Rule& rule : rules()) {
      const auto found = counts.find(rule.id);
      if (found == counts.end() || found->second < count) continue;
      // Of rules that as many test, the one that fewest passing cases do.
      if (most && found->second == count && passing(rule.id) >= passing(most->id)) continue;
      if (rule.checked == Checked::NotAtAll) continue;
      const bool byRejecting = rule.checked == Checked::ByRejecting;
      const bool can = std::ranges::none_of(kinds, [&](const auto& each) {
        const std::string& which = each.first;
        return byRejecting ? which == kind::kWrongElements || which == kind::kPaddingBytes
                           : which == kind::kAccepted || which == kind::kHresult;
      });
      const bool isOfAny = std::ranges::any_of(
          cases, [&](const Failure* each) { return isAbout(*each->testCase, rule); });
      if (!can || !isOfAny) continue;
      most = &rule;
      count = found->second;
    }
    return most;
  }

  uint64_t passing(std::string_view rule) const {
    const auto found = passingByRule_.find(rule);
    return found == passingByRule_.end() ? 0 : found->second;
  }

  static Kinds kindsOf(const Failures& cases) {
    Kinds kinds;
    for (const Failure* each : cases) {
      for (const auto& [which, count] : each->entry->kinds) {
        kinds[which] = std::max(kinds[which], count);
      }
    }
    return kinds;
  }

  void addEntries(const Cause& cause, Verdict verdict, const Rule* rule, const Failures& cases) {
    const auto& shortest = **std::ranges::min_element(cases, {}, [](const Failure* each) {
      return std::pair<size_t, const std::string&>(each->entry->caseString.size(),
                                                   each->entry->caseString);
    });
    ordered_json entry{{"query", cause.query()}};
    if (rule) entry["rule"] = rule->id;
    // Its other cases may fail in another way, or pass.
    const std::string reason = fmt::format("{} such cases, the shortest {}: {}", cases.size(),
                                           shortest.entry->caseString, messageOf(*shortest.entry));
    for (const Failure* each : cases) covered_.insert(each->entry);
    const bool always = cause.passing == 0;
    addKinds(std::move(entry), verdict, kindsOf(cases), shortest.entry->message, reason,
             always ? ordered_json() : ordered_json{{"atLeast", 1}});
  }

  void addCase(const JournalEntry& failure) {
    ordered_json entry{{"case", failure.caseString}};
    // An execution tests several rules, and it is unknown which one was broken.
    if (!failure.executed && failure.rules.size() == 1) entry["rule"] = failure.rules.front();
    addKinds(std::move(entry), failure.verdict, failure.kinds, failure.message, messageOf(failure),
             failure.verdict == Verdict::Flaky ? ordered_json{{"atMost", 1}} : ordered_json());
  }

  // The entry, or several of it where kinds need their own.
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
      if (verdict == Verdict::NotSupported) made["message"] = message;
      made["reason"] = reason;
      made["when"] = when_;
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

  ordered_json& all_;
  ordered_json when_;
  std::vector<Failure> failures_;  // every case, also those that passed
  Explainer explainer_;
  std::set<const JournalEntry*> covered_;
  std::map<std::string_view, uint64_t> passingByRule_;  // cases
};

// Makes one of the entries that are the same for every implementation of a target.
ordered_json joined(const ordered_json& entries, const std::map<std::string, size_t>& identities) {
  std::vector<std::pair<ordered_json, std::vector<ordered_json>>> same;  // entry, its "when"s
  std::map<std::string, size_t> placeOf;
  for (const ordered_json& entry : entries) {
    ordered_json content = entry;
    content.erase("when");
    const std::string key = entry["when"]["target"].dump() + content.dump();
    const auto [place, fresh] = placeOf.emplace(key, same.size());
    if (fresh) same.emplace_back(std::move(content), std::vector<ordered_json>());
    same[place->second].second.push_back(entry["when"]);
  }
  ordered_json all = ordered_json::array();
  for (auto& [content, whens] : same) {
    if (whens.size() == identities.at(whens.front()["target"].get<std::string>())) {
      ordered_json range = whens.front();
      for (const ordered_json& when : whens) {
        for (const char* member : {"driver", "implementation"}) {
          if (!when.contains(member) || !range.contains(member)) {
            range.erase(member);
            continue;
          }
          const auto from = when[member]["from"].get<std::string>();
          const auto through = when[member]["through"].get<std::string>();
          if (isOlder(from, range[member]["from"].get<std::string>())) range[member]["from"] = from;
          if (isOlder(range[member]["through"].get<std::string>(), through)) {
            range[member]["through"] = through;
          }
        }
      }
      whens = {std::move(range)};
    }
    for (ordered_json& when : whens) {
      ordered_json entry = content;
      entry["when"] = std::move(when);
      all.push_back(std::move(entry));
    }
  }
  return all;
}

}  // namespace

std::string knownFailures(std::span<const Journal> journals) {
  using Identity = std::tuple<std::string, std::string, std::string>;
  std::map<Identity, std::pair<const JournalHeader*, std::vector<const JournalEntry*>>> groups;
  std::set<std::pair<Identity, std::string_view>> seen;
  for (const Journal& journal : journals) {
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const JournalHeader& header = journal.headers.at(journal.headerOf.at(i));
      const JournalEntry& entry = journal.entries[i];
      const Identity identity{header.target, header.driver, header.implementation};
      if (!seen.emplace(identity, entry.caseString).second) continue;
      auto& [first, entries] = groups[identity];
      if (!first) first = &header;
      entries.push_back(&entry);
    }
  }
  ordered_json all = ordered_json::array();
  std::map<std::string, size_t> identities;  // with failures or without, by target
  for (const auto& [identity, group] : groups) {
    ++identities[std::get<0>(identity)];
    Entries entries(all);
    for (const JournalEntry* entry : group.second) entries.add(*entry);
    entries.write(whenOf(*group.first));
  }
  return ordered_json{{"version", 2}, {"expectations", joined(all, identities)}}.dump(2) + '\n';
}

}  // namespace dmlcts
