#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"

// The case string: a case's name, its filter, and the one line that replays it.
//
//   OPERATOR KEY=VALUE …            every key at most once, in any order
//   level=4.0                       always
//   TENSOR=TYPE:SIZES               input=f16:1x2x4; "none" for a tensor without dimensions.
//                                   The type may be omitted if output's is the input's, or count's
//                                   or coords' is u32. count may be omitted if all its sizes are 1,
//                                   as many as the input has
//   dims=I,Q  dims=I,Q,B            InputDimensionCount, IndicesDimensionCount and, for GATHER_ND1,
//                                   BatchDimensionCount; default: DimensionCount, for B 0
//   fill=KIND  index=KIND  seed=N   fill.h; default: random, random, 0
//   layout.TENSOR=LAYOUT            layout.h; or
//   strides.TENSOR=S,…              default: no strides
//   total.TENSOR=BYTES              default: the smallest legal number
//   align.TENSOR=N                  GuaranteedBaseOffsetAlignment; default: 0
//   flags.TENSOR=N                  DML_TENSOR_FLAGS, 1: OWNED_BY_DML; default: 0
//   offset.TENSOR=BYTES             its offset in its buffer, a multiple of 16 and of its
//                                   GuaranteedBaseOffsetAlignment; default: from the seed
//   mode=NAME,…                     execution modes (gpu/modes.h); default: the ordinary one
//   expect=accept|reject(RULE)      default: execute
//
// Every case has one canonical string, which omits all defaults.

namespace dmlcts {

// An error in a case string or a query, and its position.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(size_t column, std::string_view token, std::string_view problem);

  size_t column() const { return column_; }  // 1-based, of the token
  const std::string& token() const { return token_; }

 private:
  size_t column_;
  std::string token_;
};

// Returns the canonical string of any case, valid or not. Strides must be one per dimension; an
// application cannot pass others either.
std::string caseString(const Case& testCase);

// Returns "execute", "accept" or "reject(rule)".
std::string expectText(const Case& testCase);

// Parses a case string; the case's family is empty. Throws SyntaxError. Memory is proportional to
// the text, with at most 64 dimensions per tensor.
Case parseCase(std::string_view text);

// One field of a case, for queries and reports.
struct CaseField {
  std::string_view key;   // "input", "layout.input", …
  std::string canonical;  // the value in the case string; empty when omitted there
  std::string full;       // the value with its defaults spelled out; empty when there is none
};

// Returns the field with that key ("operator" is one too), or nothing if the operator has no such
// key.
std::optional<CaseField> findField(const Case& testCase, std::string_view key);

// Returns the keys of an operator's cases, "operator" first, in printing order.
const std::vector<std::string_view>& caseKeys(std::string_view op);

}  // namespace dmlcts
