#include "reports/summary/cause_rule.h"

#include <algorithm>
#include <map>

#include "conformance/cases/operators.h"
#include "reference/rules.h"

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

}  // namespace dmlcts
