#include "reports/summary/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "conformance/cases/facts/terms.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/operators/operators.h"
#include "reference/rules.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"

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

// Returns the id without its operator: rules of several operators that say the same share it.
std::string_view sharedPart(std::string_view id) { return id.substr(id.find('.')); }

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
namespace {

// Returns what a verdict shows about causes. A flaky failure may have any cause, and an expected
// failure already has one.
Evidence evidenceOf(Verdict verdict) {
  if (verdict == Verdict::Pass) return Evidence::Passes;
  const bool fails =
      isFailure(verdict) && verdict != Verdict::Flaky && verdict != Verdict::UnexpectedPass;
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

void findRuleOf(const Report& report, Cluster& cluster) {
  std::vector<const JournalEntry*> failing;
  for (size_t index : cluster.cases) failing.push_back(&report.cases[index]);
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
  if (!cluster.query.empty()) findDimensions(report, cluster);
}

}  // namespace

std::optional<Case> caseOf(const JournalEntry& entry) {
  try {
    Case testCase = parseCase(entry.caseString);
    testCase.family = entry.family;
    return caseProblem(testCase) ? std::nullopt : std::optional(std::move(testCase));
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

std::vector<Cause> causesOf(std::span<const JournalEntry* const> entries,
                            const std::function<Evidence(const JournalEntry&)>& evidenceOf) {
  Explainer explainer;
  std::vector<Evidence> evidence;
  std::vector<size_t> indices;
  for (size_t i = 0; i < entries.size(); ++i) {
    const JournalEntry& entry = *entries[i];
    const Evidence of = evidenceOf(entry);
    const auto testCase = of == Evidence::None ? std::nullopt : caseOf(entry);
    if (!testCase) continue;
    std::optional<Traits> traits;  // nothing if nobody looked
    if (!entry.executed) {
      traits = Traits{};
    } else if (!entry.has.empty()) {
      traits = parseTraits(entry.has + (entry.weak ? " weak" : ""));
    }
    explainer.add(*testCase, traits);
    evidence.push_back(of);
    indices.push_back(i);
  }
  std::vector<Cause> causes = explainer.explain(evidence);
  for (Cause& cause : causes) {
    for (size_t& each : cause.cases) each = indices[each];
  }
  return causes;
}

std::vector<Cluster> findClusters(const Report& report) {
  std::vector<size_t> all(report.cases.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return findClusters(report, report.failures, all);
}

std::vector<Cluster> findClusters(const Report& report, std::span<const size_t> failures,
                                  std::span<const size_t> among) {
  std::vector<Cluster> clusters;
  if (failures.empty()) return clusters;
  const bool any = std::ranges::any_of(failures, [&](size_t index) {
    return evidenceOf(report.cases[index].verdict) == Evidence::Fails;
  });
  std::vector<const JournalEntry*> entries;
  for (size_t i : any ? among : std::span<const size_t>()) entries.push_back(&report.cases[i]);
  const auto evidence = [](const JournalEntry& entry) { return evidenceOf(entry.verdict); };
  std::set<size_t> explained;
  for (const Cause& cause : causesOf(entries, evidence)) {
    Cluster& cluster = clusters.emplace_back();
    static_cast<Cause&>(cluster) = cause;
    cluster.query = cause.text();
    for (size_t& each : cluster.cases) each = among[each];
    explained.insert(cluster.cases.begin(), cluster.cases.end());
  }
  Cluster rest;
  std::ranges::set_difference(failures, explained, std::back_inserter(rest.cases));
  if (!rest.cases.empty()) clusters.push_back(std::move(rest));
  for (Cluster& cluster : clusters) complete(report, cluster);
  return clusters;
}

std::string faultsOf(const Report& report) {
  if (report.clusters.empty()) return "";
  const Cluster& last = report.clusters.back();
  const uint64_t rest = last.query.empty() ? last.totals.all() : 0;
  const uint64_t faults = report.clusters.size() - (last.query.empty() ? 1 : 0);
  const uint64_t all = report.totals.failures() + report.totals[Verdict::InternalError];
  const std::string cases = counted(all, "failing case");
  if (faults == 0) return cases + " that no query tells from passing ones";
  if (rest == 0) return fmt::format("{}, {}", counted(faults, "fault"), cases);
  return fmt::format("{} in {} of {}", counted(faults, "fault"), grouped(all - rest), cases);
}

std::string headlineOf(const Cluster& cluster) {
  const std::string totals = listVerdicts(cluster.totals);
  const std::string a = cluster.amongListed ? "listed case" : "case";
  if (cluster.query.empty()) return totals + ", which no query tells from passing cases";
  if (cluster.query == "*" && cluster.passing == 0) {
    return fmt::format("{}: every {} {}", totals, a,
                       cluster.whole ? "of the run" : "with a clear verdict");
  }
  std::string words;
  for (bool negated : {false, true}) {  // positive terms first
    for (const Cause::Term& term : cluster.terms) {
      if ((term.text.find("!=") != term.text.npos) != negated) continue;
      words += (words.empty() ? "" : ", ") + wordsOf(term.text);
    }
  }
  if (words != "with " + cluster.query) words += " (" + cluster.query + ")";
  if (cluster.passing > 0) {
    return fmt::format("{} of {} {}", totals, counted(cluster.totals.all() + cluster.passing, a),
                       words);
  }
  if (cluster.totals.all() == 1) return fmt::format("{}: the only {} {}", totals, a, words);
  return fmt::format("{}: every {} {}", totals, a, words);
}

std::string extentOf(const Cluster& cluster) {
  std::string text;
  for (const Cluster::Dimension& each : cluster.dimensions) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", each.whole ? "all " : "", each.name,
                        each.whole ? "" : " " + each.values);
  }
  for (const Cause::Term& term : cluster.terms) {
    text += "; " + passWithout(term.passWithout, "case", term.text, cluster.terms.size() > 1);
  }
  return text;
}

std::tuple<bool, size_t, const std::string&> preference(const Report& report,
                                                        const Cluster& cluster, size_t index) {
  const JournalEntry& entry = report.cases[index];
  const bool shows = !entry.violated.empty() && entry.violated.front() == cluster.rule.id;
  return {!shows, entry.caseString.size(), entry.caseString};
}

std::string ruleTextOf(const Report& report, const Cluster& cluster) {
  std::string_view id = cluster.rule.id, is = cluster.rule.broken ? "breaks" : "exercises";
  if (id.empty()) {
    const JournalEntry& shortest = report.cases[cluster.shortest];
    if (shortest.violated.empty()) return "";
    id = shortest.violated.front();
    is = "its shortest case breaks";
  }
  const Rule* rule = findRule(id);
  return fmt::format("{} {}{}", is, id, rule ? ": " + std::string(rule->wording) : "");
}

}  // namespace dmlcts
