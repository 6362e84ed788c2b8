#include "conformance/facts/query.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "conformance/language/case_string.h"
#include "conformance/language/nearest.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/language/syntax.h"

namespace dmlcts {
namespace {

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

KeyedFact requireFact(const Piece& key) {
  const KeyedFact found = findFact(key.text);
  if (found.fact) return found;
  const Names& names = factKeys();
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
  const std::string beginning = std::string(piece.text) + '.';
  std::string all, some;
  for (Level level : kLevels) {
    const std::string each(name(level));
    all += (all.empty() ? "" : ", ") + each;
    if (each.starts_with(beginning)) some += (some.empty() ? "" : ", ") + each;
  }
  throw SyntaxError(
      piece.column, piece.text,
      "no such level; there are " +
          (some.empty() ? all : some + ", and \"" + beginning + "*\" is all of them"));
}

// Parses the operand of a relation: a level, or a number.
uint64_t parseOperand(const Fact& fact, const Piece& piece) {
  if (fact.key != "level") return parseNumber(piece);
  const auto level = parseLevel(piece.text);
  if (!level) failAtLevel(piece);
  return static_cast<uint64_t>(*level);
}

constexpr size_t kColumn = 18;  // where explanations begin

struct Example {
  std::string_view query;
  std::string_view words;
};
constexpr std::array kExamples{
    Example{"nonzero_coordinates", "all cases of an operator"},
    Example{"gather_nd 'input=f16:*' 'level>=3.1'", "one data type, from a level on"},
    Example{"family=input-layouts or family=totals", "two families"},
    Example{"'rule=gather_nd.*' 'expect=reject(*)'", "what must be rejected"},
    Example{"has=nan 'rank>4'", "inputs with a NaN, of high rank"},
    Example{"'elements>=4096' fill=zeros", "large tensors of zeros"}};

std::string row(std::string_view key, std::string_view words) {
  std::string line = "  " + std::string(key);
  line.resize(std::max(line.size() + 1, kColumn), ' ');
  return line + std::string(words) + "\n";
}

// "level, input, coords"
std::string neededKeys(std::string_view op) {
  std::string keys = "level";
  const Descriptor descriptor = makeOperator(op).value();
  for (size_t slot = 0; const TensorSlot& each : tensors(descriptor)) {
    if (!defaultSizes(descriptor, slot++)) keys += ", " + std::string(each.name);
  }
  return keys;
}

bool inCaseStrings(const Fact& fact) {
  return std::ranges::any_of(operatorNames(), [&](std::string_view op) {
    return std::ranges::any_of(caseKeys(op),
                               [&](std::string_view key) { return findFact(key).fact == &fact; });
  });
}

// One row for each fact that is wanted, whatever its tensors.
template <class Wanted>
std::string rowsOf(const Wanted& wanted) {
  std::string rows;
  for (const Fact& fact : facts()) {
    if (!wanted(fact)) continue;
    rows += row(std::string(fact.key) + (fact.ofTensor ? ".TENSOR" : ""), fact.words);
  }
  return rows;
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
    const auto [fact, tensor] = requireFact(key);
    Term term{fact, tensor, std::string(key.text), std::string(value.text), relation, {}};
    if (key.text == "operator") {
      requireOperator(value);
      term.pattern = lower(term.pattern);
    }
    const bool compares = relation != Relation::Equal && relation != Relation::NotEqual;
    if (compares && !fact->number) {
      throw SyntaxError(key.column, key.text, "not a number: \"<\" and \">\" do not apply");
    }
    if (compares || !fact->values) {
      term.number = parseOperand(*fact, value);
    } else if (key.text == "level" && value.text.find_first_of("*?") == value.text.npos &&
               !parseLevel(value.text)) {
      failAtLevel(value);
    }
    terms_.push_back(std::move(term));
  }
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
    if (std::ranges::any_of(names.all, matches)) {
      if (value == term.pattern && names.ends == ":" && term.relation == Relation::Equal)
        return "try '" + term.key + "=" + term.pattern + ":*'";
      continue;
    }
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

std::optional<std::pair<std::string_view, std::string_view>> Query::sharedValue() const {
  const auto found = std::ranges::find_if(terms_, [](const Term& term) {
    return inCaseStrings(*term.fact) && !term.number && term.relation == Relation::Equal &&
           term.key != "operator" && term.key != "level" &&
           term.pattern.find_first_of("*?") == term.pattern.npos;
  });
  if (found == terms_.end()) return std::nullopt;
  return std::pair<std::string_view, std::string_view>(found->key, found->pattern);
}

bool Query::holds(const Term& term, const Case& testCase) {
  const FactOf of = factOf(testCase, term.key, term.tensor);
  if (!term.number) {
    bool matches = false;
    term.fact->values(of, [&](std::string_view value, bool holds) {
      matches = matches || (holds && matchesPattern(term.pattern, value));
    });
    return matches == (term.relation == Relation::Equal);
  }
  const auto number = term.fact->number(of);
  if (!number) return false;
  switch (term.relation) {
    case Relation::Equal:
      return *number == *term.number;
    case Relation::NotEqual:
      return *number != *term.number;
    case Relation::AtLeast:
      return *number >= *term.number;
    case Relation::AtMost:
      return *number <= *term.number;
    case Relation::Above:
      return *number > *term.number;
    case Relation::Below:
      return *number < *term.number;
  }
  return false;
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

std::string queryHelp() {
  std::string text =
      "A query chooses cases. It is a list of words, like a case string with wildcards:\n\n"
      "  OPERATOR        the operator\n"
      "  KEY=PATTERN     the value matches; * stands for any characters, ? for one\n"
      "  KEY!=PATTERN    it does not match\n"
      "  KEY>N           also >=, < and <=: for level, rank and the numbers below\n"
      "  *               every case\n\n";
  text += std::string(kHowQueriesJoin) + " Quote words with *, ?, <, > or ( for the shell.\n";
  text += "\nOperators:\n";
  for (const std::string_view op : operatorNames()) {
    text += "  " + std::string(op) + ": a case string needs " + neededKeys(op) + "\n";
  }
  text += "\nKeys of case strings (a value that is left out matches as its default):\n";
  text += rowsOf(inCaseStrings);
  text += "\nOther keys:\n";
  text += rowsOf([&](const Fact& fact) { return fact.values && !inCaseStrings(fact); });
  text += "\nNumbers (of a case without one, no relation holds):\n";
  text += rowsOf([](const Fact& fact) { return !fact.values; });
  text += "\nValues:\n";
  for (const ValueNames& each : valueNames()) {
    if (each.key == "rule") continue;
    std::string line = row(each.key, "");
    line.resize(kColumn - 1);
    size_t column = line.size();
    for (const std::string_view name : each.all) {
      if (column + 1 + name.size() > 79) {
        line += "\n" + std::string(kColumn - 1, ' ');
        column = kColumn - 1;
      }
      line += " " + std::string(name);
      column += 1 + name.size();
    }
    text += line + "\n";
  }
  text += "\nExamples:\n";
  for (const Example& each : kExamples) {
    text += "  # " + std::string(each.words) + "\n  dmlcts list " + std::string(each.query) + "\n";
  }
  return text;
}

}  // namespace dmlcts
