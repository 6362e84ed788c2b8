#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

// The case string: a case's name, its filter, and the one line that replays it.
//
//   OPERATOR KEY=VALUE …            every key at most once, in any order
//   level=4.0                       always
//   TENSOR=TYPE:SIZES               input=f16:1x2x4; "none" for a tensor without dimensions.
//                                   The type may be left out where it is output's (the input's),
//                                   count's or coords' (u32); count altogether (all sizes 1, as
//                                   many as the input has)
//   dims=I,Q  dims=I,Q,B            InputDimensionCount, IndicesDimensionCount and, of GATHER_ND1,
//                                   BatchDimensionCount; default: DimensionCount, for B 0
//   fill=KIND  index=KIND  seed=N   fill.h; default: random, random, 0
//   layout.TENSOR=LAYOUT            layout.h; or
//   strides.TENSOR=S,…              default: no strides
//   total.TENSOR=BYTES              default: the smallest legal number
//   align.TENSOR=N                  GuaranteedBaseOffsetAlignment; default: 0
//   flags.TENSOR=N                  DML_TENSOR_FLAGS, 1: OWNED_BY_DML; default: 0
//   offset.TENSOR=BYTES             where in its buffer it is bound, a multiple of 16 and of its
//                                   GuaranteedBaseOffsetAlignment; default: by the seed
//   expect=accept|reject(RULE)      default: execute
//
// Every case has one canonical string, which leaves all defaults out.

namespace dmlcts {

// What is wrong with a case string or a query, and where.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(size_t column, std::string_view token, std::string_view problem);

  size_t column() const { return column_; }  // 1-based, of the token
  const std::string& token() const { return token_; }

 private:
  size_t column_;
  std::string token_;
};

// The canonical string. Takes any case, valid or not, but strides that are not one per dimension,
// which no application can hand over either.
std::string caseString(const Case& testCase);

// "execute", "accept" or "reject(rule)".
std::string expectText(const Case& testCase);

// The case of a string; its family is empty. Throws SyntaxError. Needs memory proportional to the
// text, and no more than 64 dimensions for any tensor.
Case parseCase(std::string_view text);

// One field of a case, for queries and reports.
struct CaseField {
  std::string_view key;   // "input", "layout.input", …
  std::string canonical;  // the value in the case string; empty when it is left out there
  std::string full;       // the value with its defaults spelled out; empty when there is none
};

// The field with that key ("operator" is also one); nothing when the operator has no such key.
std::optional<CaseField> findField(const Case& testCase, std::string_view key);

// All keys that some operator has, in the order of printing.
const std::vector<std::string>& caseKeys();

}  // namespace dmlcts
