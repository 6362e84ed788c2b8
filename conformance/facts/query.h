#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/facts/facts.h"
#include "conformance/language/case.h"

// A query is a case string with wildcards that names a set of cases:
//
//   gather_nd input=f16:* level=3.*       every word must match
//   nonzero_coordinates                   a word without "=" is the operator
//   family=layouts  rule=gather_nd.*      keys that case strings lack (facts.h);
//   rank=8  rank>=5                       the rank is the input tensor's
//   level>=3.0  level<4.1                 levels in their order
//   expect=reject(*)  expect!=execute     "!=" negates
//   attributes=partial-tuples             the class of the operator's own attributes
//   has=nan  has!=negative-index          the contents of inputs (traits.h)
//   elements>=4096  bound.input<256       numbers; no relation holds for a case that has none
//   *                                     every case
//
// Put terms about the contents of inputs last: they take longest. "*" stands for any characters,
// "?" for one. Operators are also found in capitals. A value is matched against the field with its
// defaults spelled out and with its defaults omitted: fill=random finds cases that do not mention
// it.

namespace dmlcts {

class Query {
 public:
  // Throws SyntaxError (case_string.h).
  explicit Query(std::string_view text);

  bool matches(const Case& testCase) const;

  // True if the query may match cases of that family, judging by the family's name alone.
  bool mayMatchFamily(std::string_view family) const;

  // Returns a word that gives one value of the case string, such as input=f16:3x4, and that all
  // matching cases therefore share; nothing if every word has wildcards or relates.
  std::optional<std::pair<std::string_view, std::string_view>> sharedValue() const;

  // Returns a message about the first value that names nothing of its kind, or "".
  std::string namesNothing() const;

 private:
  enum class Relation { Equal, NotEqual, AtLeast, AtMost, Above, Below };

  struct Term {
    const Fact* fact;
    std::string_view tensor;
    std::string key;
    std::string pattern;
    Relation relation = Relation::Equal;
    std::optional<uint64_t> number;  // to compare with the fact's
  };

  static bool holds(const Term& term, const Case& testCase);

  std::vector<Term> terms_;
};

// Splits a command line into queries. One-word arguments are the words of one query, as when a
// shell's quotes are omitted. A second operator or the word "or" begins the next query. An argument
// of several words is a query. Throws SyntaxError if both kinds are adjacent, because that is
// ambiguous.
std::vector<std::string> queriesOf(std::span<const std::string> arguments);

// The same rules for a help text.
inline constexpr std::string_view kHowQueriesJoin =
    "A case must match every word of a query. A second operator or the word \"or\" begins the next "
    "query. An argument in quotes is a query of its own.";

// Explains why the queries may match no case: ": no family is \"document\"; did you mean …?".
// Checks values that must name something: families, rules, levels, types, fills, contents of
// inputs. Returns "" if all do. Throws SyntaxError.
std::string whyNothingMatches(std::span<const std::string> queries);

// Explains queries: grammar, keys, values and examples, from the table of facts. Lines that begin
// with a space are to be printed as they are.
std::string queryHelp();

// True if the whole text matches a pattern with "*" and "?".
bool matchesPattern(std::string_view pattern, std::string_view text);

}  // namespace dmlcts
