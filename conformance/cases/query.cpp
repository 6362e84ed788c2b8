#include "conformance/cases/query.h"

#include <algorithm>

#include "conformance/cases/case_string.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/cases/rules_of.h"
#include "conformance/cases/syntax.h"

namespace dmlcts {
namespace {

// Patterns only ever name what exists: one that no operator can match is a typing error.
void requireOperator(const Piece& pattern) {
  const auto names = operatorNames();
  const bool known = std::ranges::any_of(
      names, [&](std::string_view op) { return matchesPattern(pattern.text, op); });
  if (known) return;
  std::string list;
  for (std::string_view op : names) list += (list.empty() ? "" : ", ") + std::string(op);
  throw SyntaxError(pattern.column, pattern.text, "no operator matches; there are " + list);
}

void requireKey(const Piece& key) {
  if (key.text == "family" || key.text == "rule" || key.text == "rank") return;
  const auto& keys = caseKeys();
  if (std::ranges::find(keys, key.text) != keys.end()) return;
  std::string list = "family, rule, rank";
  for (const std::string& known : keys) list += ", " + known;
  throw SyntaxError(key.column, key.text, "no such key; there are " + list);
}

}  // namespace

Query::Query(std::string_view text) {
  const auto words = splitWords(text);
  if (words.empty()) throw SyntaxError(1, text, "an empty query; \"*\" names every case");
  for (const Word& word : words) {
    Piece key = word.key;
    Piece value = word.value;
    bool negated = false;
    if (!word.hasValue) {
      value = key;
      key.text = "operator";
    } else if (key.text.ends_with('!')) {
      key.text.remove_suffix(1);
      negated = true;
    }
    if (value.text.empty()) throw SyntaxError(value.column, key.text, "a pattern is missing");
    requireKey(key);
    if (key.text == "operator") requireOperator(value);
    terms_.push_back({std::string(key.text), std::string(value.text), negated});
  }
}

bool Query::matches(const Case& testCase) const {
  return std::ranges::all_of(terms_, [&testCase](const Term& term) {
    return matchesTerm(term, testCase) != term.negated;
  });
}

bool Query::matchesTerm(const Term& term, const Case& testCase) {
  if (term.key == "family") return matchesPattern(term.pattern, testCase.family);
  if (term.key == "rule") {
    return std::ranges::any_of(rulesOf(testCase), [&term](std::string_view rule) {
      return matchesPattern(term.pattern, rule);
    });
  }
  if (term.key == "rank") {
    const size_t rank = tensors(testCase.descriptor).front().desc->sizes.size();
    return matchesPattern(term.pattern, std::to_string(rank));
  }
  const auto field = findField(testCase, term.key);
  if (!field || field->full.empty()) return false;
  return matchesPattern(term.pattern, field->full) ||
         (!field->canonical.empty() && matchesPattern(term.pattern, field->canonical));
}

bool matchesAny(std::span<const Query> queries, const Case& testCase) {
  return queries.empty() || std::ranges::any_of(queries, [&testCase](const Query& query) {
           return query.matches(testCase);
         });
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
