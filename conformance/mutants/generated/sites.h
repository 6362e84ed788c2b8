#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Where a source of C++ or HLSL can be made wrong by one small change: the operators of mutation
// testing (Jia and Harman, "An Analysis and Survey of the Development of Mutation Testing", 2011)
// for operators, literals, conditions and statements.
//
// It reads tokens, not a grammar, and relies on clang-format's layout: a binary operator has a
// space on either side, a template's bracket and a pointer's star have not.

namespace dmlcts::mutants {

enum class SiteKind { Operator, Literal, Condition, Statement };

struct Site {
  SiteKind kind{};
  size_t at = 0;      // of the text that changes
  size_t length = 0;  // for a condition, of what stands between its parentheses
  size_t line = 0;    // from 1
  std::string text;
  std::vector<std::string> others;  // what it may become, each a mutant
};

// In order of place. Leaves out comments, strings, preprocessor lines, attributes in brackets,
// and in C++ what must be constant to compile.
std::vector<Site> sitesOf(std::string_view source, bool isHlsl);

// The same code on one line, for lists. Of code without comments.
std::string onOneLine(std::string_view code);

// The source with one site changed.
std::string withOther(std::string_view source, const Site& site, const std::string& other);

// C++ that can become each mutant at run time (see mutation.h). The first of them gets number
// `first`.
std::string withAll(std::string_view source, const std::vector<Site>& sites, size_t first);

}  // namespace dmlcts::mutants
