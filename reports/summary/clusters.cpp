#include "reports/summary/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "conformance/facts/operators.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "reference/rules.h"
#include "reports/summary/summary.h"

namespace dmlcts {

namespace {

// Returns a term's key; "" for an operator's name.
std::string_view keyOf(std::string_view term) {
  return term.find('=') == term.npos ? "" : term.substr(0, term.find_first_of("!<>="));
}

// Returns the suffix of the rule id that bounds a query's key; "" without one.
std::string_view boundedBy(std::string_view key, std::string_view op) {
  if (key == "rank") return "rank";
  if (key == "input") return "data-types";
  if (key == "indices") return "index-types";
  if (key != "attributes") return "";
  const auto facts = std::ranges::find(operatorFacts(), op, &OperatorFacts::name);
  return facts == operatorFacts().end() ? "" : facts->attributesRule;
}

// Finds the bound's rule, which may be split by level: "gather_nd.rank-2.1".
const Rule* findBound(const std::string& op, std::string_view bound, Level level) {
  const std::string id = op + '.' + std::string(bound);
  for (const Rule& rule : rules()) {
    if (rule.checked != Checked::ByRejecting || !rule.holdsAt(level)) continue;
    const std::string_view rest = rule.id.substr(std::min(id.size(), rule.id.size()));
    const bool ofLevels = rest.size() > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9';
    if (rule.id.starts_with(id) && (rest.empty() || ofLevels)) return &rule;
  }
  return nullptr;
}

const JournalEntry& shortestOf(std::span<const JournalEntry* const> entries) {
  return **std::ranges::min_element(entries, {}, [](const JournalEntry* entry) {
    return std::pair<size_t, std::string_view>(entry->caseString.size(), entry->caseString);
  });
}

std::string boundRule(std::span<const JournalEntry* const> failing, const Cause& cause) {
  const bool rejected = std::ranges::all_of(failing, [](const JournalEntry* entry) {
    return entry->kinds.size() == 1 && entry->kinds.contains(std::string(kind::kRejected));
  });
  if (!rejected) return "";
  std::string_view key;
  for (const auto& [term, passWithout] : cause.terms) {
    const std::string_view its = keyOf(term);
    if (term == "expect=accept") return "";  // a bound rejects what executes, too
    // has=nonzero only excludes cases that must be rejected, which have no inputs.
    if (its.empty() || its == "level" || its == "expect" || term == "has=nonzero") continue;
    if (!key.empty() && its != key) return "";
    if (term.find("!=") != term.npos) return "";
    key = its;
  }
  const std::string& op = shortestOf(failing).op;
  const std::string_view bound = boundedBy(key, op);
  if (bound.empty()) return "";
  for (const JournalEntry* entry : failing) {
    const auto level = parseLevel(entry->level);
    if (entry->op != op || !level) continue;
    if (const Rule* rule = findBound(op, bound, *level)) return std::string(rule->id);
  }
  return "";
}

// Refines OP.gather to OP.negative-indices: where all tuples of a case have a negative index, its
// outputs cannot tell the two apart. Another case of the cause can, or the passing cases without
// negative indices, which the cause's term leaves out.
std::string refined(std::string rule, std::span<const JournalEntry* const> failing,
                    const Cause& cause) {
  constexpr std::string_view kGather = ".gather";
  if (!rule.ends_with(kGather)) return rule;
  const std::string negative = rule.substr(0, rule.size() - kGather.size()) + ".negative-indices";
  const bool all = std::ranges::all_of(failing, [](const JournalEntry* entry) {
    return (' ' + entry->has + ' ').find(" negative-index ") != entry->has.npos;
  });
  const bool told = std::ranges::any_of(failing, [&](const JournalEntry* entry) {
    return std::ranges::find(entry->violated, sharedPart(negative), sharedPart) !=
           entry->violated.end();
  });
  const bool apart =
      cause.passing == 0 &&
      std::ranges::find(cause.terms, "has=negative-index", &Cause::Term::text) != cause.terms.end();
  return all && (told || apart) ? negative : rule;
}

// Returns what a verdict shows about causes. An expected failure already has one.
Evidence evidenceOf(Verdict verdict) {
  if (verdict == Verdict::Pass) return Evidence::Passes;
  const bool fails = isFailure(verdict) && verdict != Verdict::UnexpectedPass;
  return fails ? Evidence::Fails : Evidence::None;
}

// Sorts as the suite does: numbers and levels by value, anything else by name.
struct Ordered {
  uint64_t number = 0;
  std::string text;
  auto operator<=>(const Ordered&) const = default;
};
using Values = std::set<Ordered>;

struct DimensionOf {
  std::string_view name;
  bool ordered;
  Ordered (*of)(const JournalEntry& entry);
};

Ordered levelOf(const JournalEntry& entry) {
  const auto level = parseLevel(entry.level);
  return {level ? static_cast<uint64_t>(*level) : UINT64_MAX, entry.level};
}

constexpr std::array kDimensions{
    DimensionOf{"operators", false, [](const JournalEntry& entry) { return Ordered{0, entry.op}; }},
    DimensionOf{"data types", false,
                [](const JournalEntry& entry) { return Ordered{0, entry.type}; }},
    DimensionOf{
        "ranks", true,
        [](const JournalEntry& entry) { return Ordered{entry.rank, std::to_string(entry.rank)}; }},
    DimensionOf{"levels", true, levelOf},
};

// Returns "2.1, 4.0 to 6.4"; three or more neighbours in `all` make a range.
std::string listed(const Values& values, const Values& all, bool ordered) {
  std::vector<std::string> parts;
  for (auto first = values.begin(); first != values.end();) {
    auto last = first;
    auto inAll = all.find(*first);
    size_t length = 1;
    for (auto next = std::next(first); ordered && next != values.end(); ++next) {
      if (inAll == all.end()) break;
      ++inAll;
      if (inAll == all.end() || *inAll != *next) break;
      last = next;
      ++length;
    }
    const auto end = std::next(last);
    if (length > 2) {
      parts.push_back(first->text + " to " + last->text);
    } else {
      for (; first != end; ++first) parts.push_back(first->text);
    }
    first = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Compares with conclusive cases of the same operators that execute, or are rejected, as these do.
void findDimensions(const Report& report, Cluster& cluster) {
  std::set<std::pair<std::string_view, bool>> like;
  std::array<Values, kDimensions.size()> own, all;
  for (size_t index : cluster.cases) {
    const JournalEntry& entry = report.cases[index];
    like.emplace(entry.op, entry.executed);
    for (size_t i = 0; i < own.size(); ++i) own[i].insert(kDimensions[i].of(entry));
  }
  for (const JournalEntry& entry : report.cases) {
    if (evidenceOf(entry.verdict) == Evidence::None) continue;
    all[0].insert(kDimensions[0].of(entry));
    if (!like.contains({entry.op, entry.executed})) continue;
    for (size_t i = 1; i < all.size(); ++i) all[i].insert(kDimensions[i].of(entry));
  }
  for (size_t i = 0; i < own.size(); ++i) {
    cluster.dimensions.push_back(
        {std::string(kDimensions[i].name), listed(own[i], all[i], kDimensions[i].ordered),
         !kDimensions[i].ordered && own[i] == all[i] && own[i].size() > 1});
  }
}

// True if parameters of the case do not tell when it fails.
bool isOfProcess(const When& when) {
  return when.occurs == Occurs::AfterRequests || when.occurs == Occurs::AfterCase ||
         when.occurs == Occurs::BesideWorkers;
}

void findRuleOf(const Report& report, Cluster& cluster) {
  std::vector<const JournalEntry*> failing;
  for (size_t index : cluster.cases) failing.push_back(&report.cases[index]);
  // A lost worker says nothing of a rule.
  if (std::ranges::all_of(failing, [](const JournalEntry* entry) {
        return entry->violated.empty() && losesWorker(entry->kinds);
      })) {
    cluster.rule = {};
    return;
  }
  // A fault of the process may break several rules, none of them more than the others.
  std::set<std::string_view> broken;
  for (const JournalEntry* entry : failing) {
    if (!entry->violated.empty()) broken.insert(sharedPart(entry->violated.front()));
  }
  if (isOfProcess(cluster.when) && broken.size() > 1) {
    cluster.rule = {};
    return;
  }
  cluster.rule = causeRule(failing, cluster, [&](std::string_view id) {
    const auto row = std::ranges::find(report.rules, id, &RuleRow::id);
    return row == report.rules.end() ? 0 : row->totals.all();
  });
}

void complete(const Report& report, Cluster& cluster) {
  findRuleOf(report, cluster);
  cluster.shortest = *std::ranges::min_element(
      cluster.cases, {}, [&](size_t index) { return preference(report, cluster, index); });
  for (size_t index : cluster.cases) {
    cluster.totals[report.cases[index].verdict] += report.cases[index].count();
  }
  cluster.whole = cluster.totals.all() == report.caseCount;
  cluster.amongListed = report.caseCount > report.cases.size();
  if (cluster.isCause() && !isOfProcess(cluster.when)) findDimensions(report, cluster);
}

// The cases of a run whose causes can be searched, examined once for several searches.
class Examined {
 public:
  // Leaves out entries that are no evidence, and those of other versions.
  Examined(std::span<const JournalEntry* const> entries,
           const std::function<bool(const JournalEntry&)>& isEvidence)
      : entries_(entries.begin(), entries.end()) {
    for (size_t i = 0; i < entries.size(); ++i) {
      const JournalEntry& entry = *entries[i];
      const auto testCase = isEvidence(entry) ? caseOf(entry) : std::nullopt;
      if (!testCase) continue;
      std::optional<Traits> traits;  // nothing if nobody looked
      if (!entry.executed) {
        traits = Traits{};
      } else if (!entry.has.empty()) {
        traits = parseTraits(entry.has + (entry.weak ? " weak" : ""));
      }
      explainer_.add(*testCase, traits);
      indices_.push_back(i);
    }
  }

  // Returns causes whose `cases` are indices into the entries.
  std::vector<Cause> explain(const std::function<Evidence(const JournalEntry&)>& evidenceOf) const {
    std::vector<Evidence> evidence;
    std::set<std::string> broken;
    for (size_t i : indices_) {
      evidence.push_back(evidenceOf(*entries_[i]));
      if (evidence.back() == Evidence::Fails && !entries_[i]->violated.empty()) {
        broken.insert(entries_[i]->violated.front());
      }
    }
    const std::vector<std::string> rules(broken.begin(), broken.end());
    std::vector<Cause> causes = explainer_.explain(evidence, rules);
    for (Cause& cause : causes) {
      for (size_t& each : cause.cases) each = indices_[each];
    }
    return causes;
  }

  // Returns what these failing cases have in common, of the passing ones as few as possible; its
  // `cases` mean nothing.
  Cause common(const std::set<const JournalEntry*>& failing) const {
    std::vector<Evidence> evidence;
    for (size_t i : indices_) {
      evidence.push_back(failing.contains(entries_[i])           ? Evidence::Fails
                         : entries_[i]->verdict == Verdict::Pass ? Evidence::Passes
                                                                 : Evidence::None);
    }
    return explainer_.common(evidence);
  }

 private:
  std::vector<const JournalEntry*> entries_;
  std::vector<size_t> indices_;
  Explainer explainer_;
};

// True if the answers may be of one cause.
bool isSame(const When& a, const When& b) {
  const auto [fewer, more] = std::minmax(a.requests, b.requests);
  return a.occurs == b.occurs && a.after == b.after && more - fewer <= fewer / 4 + 2;
}

// The answers to questions about each kind of failure.
using Answers = std::map<std::string, std::vector<When>>;

Answers answersOf(const Report& report) {
  Answers answers;
  for (const JournalInvestigation& each : report.investigations) {
    answers[each.failure].push_back(each.when);
  }
  return answers;
}

// Returns the answer that is true of all failures of a kind, if they depend on the process.
const When* whenOfAll(const Answers& answers, const std::string& kind) {
  const auto found = answers.find(kind);
  if (found == answers.end()) return nullptr;
  const std::vector<When>& all = found->second;
  const bool agree = std::ranges::all_of(
      all, [&](const When& each) { return isOfProcess(each) && isSame(each, all.front()); });
  return agree ? &all.front() : nullptr;
}

const When* whenOfSome(const Answers& answers, const std::string& kind) {
  const auto found = answers.find(kind);
  if (found == answers.end()) return nullptr;
  const auto some = std::ranges::find_if(found->second, isOfProcess);
  return some == found->second.end() ? nullptr : &*some;
}

Cluster& clusterOf(std::vector<Cluster>& clusters, const When& when) {
  for (Cluster& each : clusters) {
    if (!isOfProcess(each.when) || !isSame(each.when, when)) continue;
    each.when.requests = std::min(each.when.requests, when.requests);
    return each;
  }
  clusters.emplace_back().when = when;
  return clusters.back();
}

// Returns the kind without the word that marks a message.
std::string messageOf(std::string_view kind) {
  return std::string(kind.substr(std::min(kind.size(), kind.find(' ') + 1)));
}

// Gathers failures that are one cause whatever their parameters.
std::vector<Cluster> clustersWithoutQueries(const Report& report, std::span<const size_t> failures,
                                            const Answers& answers) {
  std::vector<Cluster> clusters;
  std::map<std::string, std::vector<size_t>> byMessage;
  for (size_t index : failures) {
    const std::string kind = failureKind(report.cases[index]);
    if (kind.empty()) continue;
    if (const When* when = whenOfAll(answers, kind)) {
      Cluster& cluster = clusterOf(clusters, *when);
      cluster.cases.push_back(index);
    } else if (isMessage(kind)) {
      byMessage[kind].push_back(index);
    }
  }
  for (auto& [kind, cases] : byMessage) {
    Cluster& cluster = clusters.emplace_back();
    cluster.message = messageOf(kind);
    cluster.cases = std::move(cases);
  }
  return clusters;
}

// Adds the one query that tells nearly all cases of a message from passing ones, if there is one.
void findQuery(const Report& report, const Examined& examined, Cluster& cluster) {
  std::set<const JournalEntry*> own;
  for (size_t index : cluster.cases) own.insert(&report.cases[index]);
  std::vector<Cause> causes = examined.explain([&](const JournalEntry& entry) {
    if (own.contains(&entry)) return Evidence::Fails;
    return entry.verdict == Verdict::Pass ? Evidence::Passes : Evidence::None;
  });
  constexpr uint64_t kNearly = 20;
  if (causes.size() != 1) return;
  Cause& cause = causes.front();
  if (kNearly * (cluster.cases.size() - cause.cases.size()) > cluster.cases.size()) return;
  const std::vector<size_t> all = std::move(cluster.cases);
  static_cast<Cause&>(cluster) = std::move(cause);
  cluster.query = cluster.text();
  cluster.cases = all;
}

// Merges causes that break the same rule in mostly the same cases.
void mergeOverlapping(std::vector<Cluster>& clusters) {
  for (size_t i = 0; i < clusters.size(); ++i) {
    for (size_t j = i + 1; j < clusters.size();) {
      Cluster& one = clusters[i];
      Cluster& other = clusters[j];
      std::vector<size_t> both, all;
      std::ranges::set_intersection(one.cases, other.cases, std::back_inserter(both));
      const bool same = !one.query.empty() && !other.query.empty() && one.rule.broken &&
                        other.rule.broken && sharedPart(one.rule.id) == sharedPart(other.rule.id);
      if (!same || 2 * both.size() < std::min(one.cases.size(), other.cases.size())) {
        ++j;
        continue;
      }
      std::ranges::set_union(one.cases, other.cases, std::back_inserter(all));
      one.cases = std::move(all);
      one.passing += other.passing;
      one.query += " or " + other.query;
      one.alternatives.push_back(other);
      clusters.erase(clusters.begin() + static_cast<ptrdiff_t>(j));
    }
  }
}

// Makes one cause of failures that break the same rule, if several queries match a few of them
// each, or most have no cause: a fault that only some cases show. Names what the failures have in
// common.
void mergeScattered(const Report& report, const Examined& examined, std::vector<Cluster>& clusters,
                    Cluster& rest) {
  constexpr size_t kSeveral = 3;
  constexpr size_t kFewEach = 8;
  struct OfRule {
    std::vector<size_t> clusters;
    std::vector<size_t> rest;
  };
  std::map<std::string, OfRule> byRule;
  for (size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].query.empty() || !clusters[i].rule.broken) continue;
    byRule[std::string(sharedPart(clusters[i].rule.id))].clusters.push_back(i);
  }
  for (size_t index : rest.cases) {
    const auto& violated = report.cases[index].violated;
    if (!violated.empty() && caseOf(report.cases[index])) {
      byRule[std::string(sharedPart(violated.front()))].rest.push_back(index);
    }
  }
  std::set<size_t> gone;
  for (const auto& [rule, of] : byRule) {
    std::set<size_t> all(of.rest.begin(), of.rest.end());
    for (size_t i : of.clusters) all.insert(clusters[i].cases.begin(), clusters[i].cases.end());
    const bool isScattered =
        of.clusters.size() >= kSeveral && all.size() < kFewEach * of.clusters.size();
    const bool isUnexplained = of.rest.size() > kSeveral && 2 * of.rest.size() > all.size();
    if (!isScattered && !isUnexplained) continue;
    // With them, failures of the same kind that are too large to name a rule.
    std::set<std::string> kinds;
    for (size_t index : all) kinds.insert(failureKind(report.cases[index]));
    kinds.erase("");
    std::ranges::copy_if(rest.cases, std::inserter(all, all.end()), [&](size_t index) {
      const JournalEntry& entry = report.cases[index];
      return entry.violated.empty() && kinds.contains(failureKind(entry)) && caseOf(entry);
    });
    std::set<const JournalEntry*> failing;
    for (size_t index : all) failing.insert(&report.cases[index]);
    Cluster cluster;
    static_cast<Cause&>(cluster) = examined.common(failing);
    cluster.query = cluster.text();
    cluster.cases.assign(all.begin(), all.end());
    findRuleOf(report, cluster);
    clusters.push_back(std::move(cluster));
    gone.insert(of.clusters.begin(), of.clusters.end());
    std::erase_if(rest.cases, [&](size_t index) { return all.contains(index); });
  }
  size_t at = 0;
  std::erase_if(clusters, [&](const Cluster&) { return gone.contains(at++); });
}

}  // namespace

std::string brokenRule(std::span<const JournalEntry* const> failing, const Cause& cause) {
  std::map<std::string_view, std::vector<const JournalEntry*>> broken;
  for (const JournalEntry* entry : failing) {
    if (!entry->violated.empty()) broken[sharedPart(entry->violated.front())].push_back(entry);
  }
  const auto most =
      std::ranges::max_element(broken, {}, [](const auto& each) { return each.second.size(); });
  if (most != broken.end() && 2 * most->second.size() > failing.size()) {
    return refined(shortestOf(most->second).violated.front(), failing, cause);
  }
  return failing.empty() || cause.passing > 0 ? "" : boundRule(failing, cause);
}

std::string commonRule(std::span<const JournalEntry* const> failing,
                       const std::function<uint64_t(std::string_view rule)>& casesOf) {
  std::string common;
  uint64_t fewest = UINT64_MAX;
  if (failing.empty()) return common;
  for (const std::string& rule : failing.front()->rules) {
    const bool all = std::ranges::all_of(failing, [&](const JournalEntry* entry) {
      return std::ranges::find(entry->rules, rule) != entry->rules.end();
    });
    if (!all || casesOf(rule) >= fewest) continue;
    fewest = casesOf(rule);
    common = rule;
  }
  return common;
}

CauseRule causeRule(std::span<const JournalEntry* const> failing, const Cause& cause,
                    const std::function<uint64_t(std::string_view rule)>& casesOf) {
  std::string broken = brokenRule(failing, cause);
  if (!broken.empty()) return {std::move(broken), true};
  return {commonRule(failing, casesOf), false};
}

std::optional<Case> caseOf(const JournalEntry& entry) {
  try {
    Case testCase = parseCase(entry.caseString);
    testCase.family = entry.family;
    return caseProblem(testCase) ? std::nullopt : std::optional(std::move(testCase));
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

bool Cluster::isCause() const { return !query.empty() || !message.empty() || isOfProcess(when); }

Cause commonCause(std::span<const JournalEntry* const> entries,
                  const std::set<const JournalEntry*>& failing) {
  return Examined(entries,
                  [&](const JournalEntry& entry) {
                    return entry.verdict == Verdict::Pass || failing.contains(&entry);
                  })
      .common(failing);
}

std::vector<Cause> causesOf(std::span<const JournalEntry* const> entries,
                            const std::function<Evidence(const JournalEntry&)>& evidenceOf) {
  return Examined(entries,
                  [&](const JournalEntry& entry) { return evidenceOf(entry) != Evidence::None; })
      .explain(evidenceOf);
}

std::vector<Cluster> findClusters(const Report& report) {
  std::vector<size_t> all(report.cases.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return findClusters(report, report.failures, all);
}

std::vector<Cluster> findClusters(const Report& report, std::span<const size_t> failures,
                                  std::span<const size_t> among) {
  if (failures.empty()) return {};
  const Answers answers = answersOf(report);
  std::vector<Cluster> clusters = clustersWithoutQueries(report, failures, answers);
  std::set<size_t> explained;
  for (const Cluster& each : clusters) explained.insert(each.cases.begin(), each.cases.end());

  std::vector<const JournalEntry*> entries;
  for (size_t i : among) entries.push_back(&report.cases[i]);
  const bool any = std::ranges::any_of(failures, [&](size_t index) {
    return evidenceOf(report.cases[index].verdict) == Evidence::Fails;
  });
  const Examined examined(entries, [&](const JournalEntry& entry) {
    return any && evidenceOf(entry.verdict) != Evidence::None;
  });
  for (Cluster& each : clusters) {
    if (!each.message.empty()) findQuery(report, examined, each);
  }
  std::set<const JournalEntry*> gone;
  for (size_t index : explained) gone.insert(&report.cases[index]);
  const auto causes = examined.explain([&](const JournalEntry& entry) {
    return gone.contains(&entry) ? Evidence::None : evidenceOf(entry.verdict);
  });
  for (const Cause& cause : causes) {
    Cluster& cluster = clusters.emplace_back();
    static_cast<Cause&>(cluster) = cause;
    cluster.query = cause.text();
    for (size_t& each : cluster.cases) each = among[each];
    explained.insert(cluster.cases.begin(), cluster.cases.end());
  }
  Cluster rest;
  std::vector<Cluster> later;  // of kinds some of whose failures depend on the process
  for (size_t index : failures) {
    if (explained.contains(index)) continue;
    const When* when = whenOfSome(answers, failureKind(report.cases[index]));
    (when ? clusterOf(later, *when) : rest).cases.push_back(index);
  }
  std::ranges::move(later, std::back_inserter(clusters));
  for (Cluster& cluster : clusters) findRuleOf(report, cluster);
  mergeScattered(report, examined, clusters, rest);
  mergeOverlapping(clusters);
  std::ranges::stable_sort(clusters, std::greater{},
                           [](const Cluster& each) { return each.cases.size(); });
  if (!rest.cases.empty()) clusters.push_back(std::move(rest));
  for (Cluster& cluster : clusters) {
    complete(report, cluster);
    if (isOfProcess(cluster.when)) continue;
    for (const JournalInvestigation& each : report.investigations) {
      const bool isOne = std::ranges::any_of(cluster.cases, [&](size_t index) {
        return report.cases[index].caseString == each.caseString;
      });
      if (isOne) cluster.when = each.when;
    }
  }
  return clusters;
}

BrokenRules brokenRules(const Report& report) {
  BrokenRules rules;
  for (const Cluster& cluster : report.clusters) {
    if (cluster.isCause() && cluster.rule.broken) {
      rules.certain.emplace(sharedPart(cluster.rule.id));
    }
  }
  std::set<std::string> others;
  for (size_t index : report.failures) {
    for (const std::string& id : report.cases[index].violated) {
      if (!rules.certain.contains(std::string(sharedPart(id)))) others.emplace(sharedPart(id));
    }
  }
  (rules.certain.empty() ? rules.certain : rules.possible) = std::move(others);
  return rules;
}

std::tuple<bool, size_t, const std::string&> preference(const Report& report,
                                                        const Cluster& cluster, size_t index) {
  const JournalEntry& entry = report.cases[index];
  // Prefers the case whose circumstances were tried, where the process matters.
  const bool shows =
      isOfProcess(cluster.when)
          ? std::ranges::find(report.investigations, entry.caseString,
                              &JournalInvestigation::caseString) != report.investigations.end()
          : !entry.violated.empty() && entry.violated.front() == cluster.rule.id;
  return {!shows, entry.caseString.size(), entry.caseString};
}

}  // namespace dmlcts
