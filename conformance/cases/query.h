#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

// A query is a case string with wildcards that names a set of cases:
//
//   gather_nd input=f16:* level=3.*       every word must hold
//   nonzero_coordinates                   a word without "=" is the operator
//   family=layouts  rule=gather_nd.*      keys that case strings do not have;
//   rank=8  rank>=5                       the last is of the input tensor
//   level>=3.0  level<4.1                 levels in their order
//   expect=reject(*)  expect!=execute     "!=" for the opposite
//   attributes=partial-tuples             the class of the operator's own attributes, and what its
//   has=nan  has!=negative-index          inputs hold (traits.h)
//   elements>=4096  denormals=0  room>9   numbers (measures.h), also with "<=" and "<"; what the
//                                         inputs hold takes longest, so put it last
//   *                                     every case
//
// "*" stands for any characters, "?" for one. Operators are also found in capitals. A value is
// matched against the field with its defaults spelled out as well as left out: fill=random finds
// cases that do not mention it.

namespace dmlcts {

class Query {
 public:
  // Throws SyntaxError (case_string.h).
  explicit Query(std::string_view text);

  bool matches(const Case& testCase) const;

  // Whether it matches cases of that family, as far as the name of the family tells.
  bool mayMatchFamily(std::string_view family) const;

  // The first value that names nothing of its kind, in words; or "".
  std::string namesNothing() const;

 private:
  enum class Relation { Equal, NotEqual, AtLeast, AtMost, Above, Below };

  struct Term {
    std::string key;
    std::string pattern;
    Relation relation = Relation::Equal;
    std::optional<uint64_t> number;  // of a measure's term
  };

  static bool holds(const Term& term, const Case& testCase);
  static bool matchesPatternOf(const Term& term, const Case& testCase);

  std::vector<Term> terms_;
};

// The queries of a command line. Arguments of one word each are the words of one query, as they are
// when a shell's quotes are left out; an operator behind another, and the word "or", begin the next
// query. An argument of several words is a query. Throws SyntaxError where both stand side by side:
// who knows what was meant?
std::vector<std::string> queriesOf(std::span<const std::string> arguments);

// The same in words, for a help text.
inline constexpr std::string_view kHowQueriesJoin =
    "All words of a query must hold. An operator behind another, and the word \"or\",\n"
    "begin the next query, and so does each argument in quotes";

// Why these queries may match no case: the values that name nothing of their kind (families, rules,
// levels, types, fills, what inputs hold), as ": no family is \"document\"; did you mean …?"; or
// "". Throws SyntaxError.
std::string whyNothingMatches(std::span<const std::string> queries);

// What values of a key begin with.
struct ValueNames {
  std::string_view key;
  std::string_view one;   // of them, in words: "data type"
  std::string_view ends;  // the characters that may follow a name
  std::vector<std::string_view> all;
};

// Of every key whose values have names.
const std::vector<ValueNames>& valueNames();

// Whether one of the queries matches; true when there are none.
bool matchesAny(std::span<const Query> queries, const Case& testCase);

// Whether the whole text matches a pattern with "*" and "?".
bool matchesPattern(std::string_view pattern, std::string_view text);

}  // namespace dmlcts
