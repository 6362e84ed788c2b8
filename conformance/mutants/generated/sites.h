#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Finds sites in C++ sources where one small change makes a mutant. Uses the usual mutation
// operators (Jia and Harman, "An Analysis and Survey of the Development of Mutation Testing", 2011)
// for operators, literals, conditions and statements.
//
// Reads tokens, not a grammar, and relies on clang-format's layout: binary operators have spaces on
// both sides, template brackets and pointer stars do not.

namespace dmlcts::mutation {

enum class SiteKind { Operator, Literal, Condition, Statement };

struct Site {
  SiteKind kind{};
  size_t at = 0;      // position of the text that changes
  size_t length = 0;  // for a condition, the length between its parentheses
  size_t line = 0;    // from 1
  std::string text;
  std::vector<std::string> others = {};  // replacements, one mutant each
  size_t left = 0, right = 0;  // of a && or ||: begin of its left operand, end of its right one
};

// Returns sites in order of position. Leaves out comments, strings, preprocessor lines and constant
// expressions.
std::vector<Site> sitesOf(std::string_view source);

// Returns C++ that can become each mutant at run time (mutation.h). Numbers start at `first`.
std::string withAll(std::string_view source, const std::vector<Site>& sites, size_t first);

}  // namespace dmlcts::mutation
