#include "conformance/cases/facts/query.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "conformance/cases/facts/measures.h"
#include "conformance/cases/facts/rules_of.h"
#include "conformance/cases/facts/traits.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/fill.h"
#include "conformance/cases/language/nearest.h"
#include "conformance/cases/language/operator_syntax.h"
#include "conformance/cases/language/syntax.h"
#include "conformance/cases/tiers/tiers.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr std::array<QueryKey, 5> kOwnKeys{
    {{"family", "the aspect tested; `dmlcts list --families` lists them"},
     {"rule", "a rule that it exercises; `dmlcts list --rules` lists them"},
     {"rank", "dimensions of the input tensor"},
     {"attributes", "the class of the operator's attributes, like partial-tuples"},
     {"has", "the contents of the input tensors"}}};

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

// Throws if no operator matches the pattern: that is a typing error.
void requireOperator(const Piece& pattern) {
  const auto names = operatorNames();
  const std::string small = lower(pattern.text);
  const bool known =
      std::ranges::any_of(names, [&](std::string_view op) { return matchesPattern(small, op); });
  if (known) return;
  std::string list;
  for (std::string_view op : names) list += (list.empty() ? "" : ", ") + std::string(op);
  throw SyntaxError(pattern.column, pattern.text,
                    "no operator matches; there are " + list + didYouMean(pattern.text, names));
}

void requireKey(const Piece& key) {
  if (std::ranges::find(kOwnKeys, key.text, &QueryKey::key) != kOwnKeys.end()) return;
  const auto& keys = caseKeys();
  if (std::ranges::find(keys, key.text) != keys.end()) return;
  std::vector<std::string_view> names;
  for (const QueryKey& each : kOwnKeys) names.push_back(each.key);
  names.insert(names.end(), keys.begin(), keys.end());
  for (const Measure& each : measures()) names.push_back(each.key);
  std::string list;
  for (std::string_view known : names) list += (list.empty() ? "" : ", ") + std::string(known);
  throw SyntaxError(key.column, key.text,
                    "no such key; there are " + list + didYouMean(key.text, names));
}

uint64_t parseNumber(const Piece& piece) {
  uint64_t number = 0;
  const char* last = piece.text.data() + piece.text.size();
  const auto [end, error] = std::from_chars(piece.text.data(), last, number);
  if (error != std::errc() || end != last) {
    throw SyntaxError(piece.column, piece.text, "not a whole number below 2^64");
  }
  return number;
}

[[noreturn]] void failAtLevel(const Piece& piece) {
  std::vector<std::string_view> names;
  std::string list;
  for (Level level : kLevels) {
    names.push_back(name(level));
    if (names.back().starts_with(std::string(piece.text) + '.')) {
      list += (list.empty() ? "" : ", ") + std::string(names.back());
    }
  }
  throw SyntaxError(
      piece.column, piece.text,
      "no such level" + (list.empty() ? didYouMean(piece.text, names)
                                      : "; there are " + list + ", and \"" +
                                            std::string(piece.text) + ".*\" is all of them"));
}

// Parses the operand of ">=" or "<=": a level's value or a rank. Returns nothing for other keys.
std::optional<uint64_t> parseBound(std::string_view key, const Piece& piece) {
  if (key == "rank") return parseNumber(piece);
  if (key != "level") return std::nullopt;
  const auto level = parseLevel(piece.text);
  if (!level) failAtLevel(piece);
  return static_cast<uint64_t>(*level);
}

uint64_t rankOf(const Case& testCase) {
  return tensors(testCase.descriptor).front().desc->sizes.size();
}

template <typename List, typename NameOf>
ValueNames namesOf(std::string_view key, std::string_view one, std::string_view ends,
                   const List& list, const NameOf& nameOf) {
  ValueNames names{key, one, ends, {}};
  for (const auto& each : list) names.all.push_back(nameOf(each));
  return names;
}

bool hasTrait(std::string_view pattern, const Case& testCase) {
  const bool known = std::ranges::any_of(
      kTraitNames, [&](std::string_view name) { return matchesPattern(pattern, name); });
  if (!known) return false;
  const Traits traits = traitsOf(testCase);
  for (size_t i = 0; i < kTraitNames.size(); ++i) {
    if (traits.has(static_cast<Trait>(i)) && matchesPattern(pattern, kTraitNames[i])) return true;
  }
  return false;
}

}  // namespace

Query::Query(std::string_view text) {
  const auto words = splitWords(text);
  if (words.empty()) throw SyntaxError(1, text, "an empty query; \"*\" names every case");
  for (const Word& word : words) {
    Piece key = word.key;
    Piece value = word.value;
    Relation relation = Relation::Equal;
    const size_t comparison = key.text.find_first_of("<>");
    if (!word.hasValue && comparison != key.text.npos) {
      relation = key.text[comparison] == '>' ? Relation::Above : Relation::Below;
      value = key.part(comparison + 1, key.text.size());
      key = key.part(0, comparison);
    } else if (!word.hasValue) {
      value = key;
      key.text = "operator";
    } else if (!key.text.empty()) {
      const char last = key.text.back();
      if (last == '!') relation = Relation::NotEqual;
      if (last == '>') relation = Relation::AtLeast;
      if (last == '<') relation = Relation::AtMost;
      if (relation != Relation::Equal) key.text.remove_suffix(1);
    }
    if (value.text.empty()) throw SyntaxError(value.column, key.text, "a pattern is missing");
    Term term{std::string(key.text), std::string(value.text), relation, {}};
    if (findMeasure(key.text)) {
      term.number = parseNumber(value);
    } else {
      requireKey(key);
      if (key.text == "operator") {
        requireOperator(value);
        term.pattern = lower(term.pattern);
      }
      if (relation != Relation::Equal && relation != Relation::NotEqual) {
        term.number = parseBound(key.text, value);
        if (!term.number) {
          throw SyntaxError(key.column, key.text, "not a number: \"<\" and \">\" do not apply");
        }
      } else if (key.text == "level" && value.text.find_first_of("*?") == value.text.npos &&
                 !parseLevel(value.text)) {
        failAtLevel(value);
      }
    }
    terms_.push_back(std::move(term));
  }
}

std::span<const QueryKey> ownQueryKeys() { return kOwnKeys; }

const std::vector<ValueNames>& valueNames() {
  static const std::vector<ValueNames> all = [] {
    const auto member = [](const auto& each) { return each.name; };
    const auto itself = [](std::string_view each) { return each; };
    return std::vector<ValueNames>{
        namesOf("family", "family", "", families(), member),
        namesOf("rule", "rule", "", rules(), [](const Rule& rule) { return rule.id; }),
        namesOf("level", "level", "", kLevels, [](Level level) { return name(level); }),
        namesOf("has", "kind of value", "", kTraitNames, itself),
        namesOf("fill", "fill", "(", kFillKinds, member),
        namesOf("index", "index fill", "(", kIndexKinds, member),
        namesOf("input", "data type", ":", kDataTypes, member),
        namesOf("indices", "data type", ":", kDataTypes, member)};
  }();
  return all;
}

std::string Query::namesNothing() const {
  for (const Term& term : terms_) {
    const auto found = std::ranges::find(valueNames(), term.key, &ValueNames::key);
    if (found == valueNames().end() || term.number) continue;
    const ValueNames& names = *found;
    const std::string_view value =
        std::string_view(term.pattern).substr(0, term.pattern.find_first_of(names.ends));
    // A wildcard may replace everything after a name.
    if (!names.ends.empty() && value.find_first_of("*?") != value.npos) continue;
    const auto matches = [&](std::string_view each) { return matchesPattern(value, each); };
    if (std::ranges::any_of(names.all, matches)) continue;
    return "no " + std::string(names.one) + " is \"" + std::string(value) + "\"" +
           didYouMean(value, names.all);
  }
  return "";
}

std::vector<std::string> queriesOf(std::span<const std::string> arguments) {
  const auto isOperator = [](std::string_view word) {
    return word.find_first_of("=<>") == word.npos;
  };
  std::vector<std::string> queries;
  enum class Last { None, Or, Word, Whole } last = Last::None;
  bool hasOperator = false;  // of the query being built
  for (const std::string& argument : arguments) {
    const size_t words = splitWords(argument).size();
    if (argument == "or") {
      if (last == Last::None || last == Last::Or) break;
      last = Last::Or;
      continue;
    }
    const bool one = words == 1;
    if ((one && last == Last::Whole) || (!one && last == Last::Word)) {
      throw SyntaxError(1, argument,
                        "put \"or\" before another query, and a whole query into quotes");
    }
    const bool joins = one && last == Last::Word && !(hasOperator && isOperator(argument));
    if (joins) {
      queries.back() += " " + argument;
    } else {
      queries.push_back(argument);
      hasOperator = false;
    }
    hasOperator = hasOperator || isOperator(argument);
    last = one ? Last::Word : Last::Whole;
  }
  if (last == Last::Or || (last == Last::None && !arguments.empty())) {
    throw SyntaxError(1, "or", "stands between two queries");
  }
  return queries;
}

std::string whyNothingMatches(std::span<const std::string> queries) {
  std::string text;
  for (const std::string& query : queries) {
    const std::string nothing = Query(query).namesNothing();
    if (!nothing.empty()) text += (text.empty() ? ": " : ", ") + nothing;
  }
  return text;
}

bool Query::matches(const Case& testCase) const {
  return std::ranges::all_of(terms_, [&](const Term& term) { return holds(term, testCase); });
}

bool Query::mayMatchFamily(std::string_view family) const {
  return std::ranges::all_of(terms_, [&](const Term& term) {
    return term.key != "family" ||
           matchesPattern(term.pattern, family) == (term.relation == Relation::Equal);
  });
}

bool Query::holds(const Term& term, const Case& testCase) {
  if (!term.number) {
    return matchesPatternOf(term, testCase) == (term.relation == Relation::Equal);
  }
  const uint64_t measured = term.key == "level"  ? static_cast<uint64_t>(testCase.level)
                            : term.key == "rank" ? rankOf(testCase)
                                                 : findMeasure(term.key)->of(testCase);
  switch (term.relation) {
    case Relation::Equal:
      return measured == *term.number;
    case Relation::NotEqual:
      return measured != *term.number;
    case Relation::AtLeast:
      return measured >= *term.number;
    case Relation::AtMost:
      return measured <= *term.number;
    case Relation::Above:
      return measured > *term.number;
    case Relation::Below:
      return measured < *term.number;
  }
  return false;
}

bool Query::matchesPatternOf(const Term& term, const Case& testCase) {
  if (term.key == "family") return matchesPattern(term.pattern, testCase.family);
  if (term.key == "rule") {
    return std::ranges::any_of(rulesOf(testCase), [&term](std::string_view rule) {
      return matchesPattern(term.pattern, rule);
    });
  }
  if (term.key == "rank") {
    return matchesPattern(term.pattern, std::to_string(rankOf(testCase)));
  }
  if (term.key == "attributes") {
    const std::string attributes = attributesOf(testCase);
    return !attributes.empty() && matchesPattern(term.pattern, attributes);
  }
  if (term.key == "has") return hasTrait(term.pattern, testCase);
  const auto field = findField(testCase, term.key);
  if (!field || field->full.empty()) return false;
  return matchesPattern(term.pattern, field->full) ||
         (!field->canonical.empty() && matchesPattern(term.pattern, field->canonical));
}

bool matchesPattern(std::string_view pattern, std::string_view text) {
  // On a mismatch, only the last "*" seen can take one more character.
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace dmlcts
