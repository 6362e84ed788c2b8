// Sites of generated mutants; rewritten C++ must be correct until a mutant is selected.

#include "conformance/mutants/generated/sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dmlcts::mutation {
namespace {

using testing::ElementsAre;

std::vector<std::string> changes(const std::string& source) {
  std::vector<std::string> all;
  for (const Site& site : sitesOf(source)) {
    EXPECT_EQ(source.substr(site.at, site.length), site.text);
    for (const std::string& other : site.others) all.push_back(site.text + " -> " + other);
  }
  return all;
}

TEST(Sites, AreOperatorsLiteralsConditionsAndStatements) {
  EXPECT_THAT(changes("  uint b = a + c;\n"), ElementsAre("+ -> -", "+ -> left"));
  EXPECT_THAT(changes("  b = a < 2u ? -a : a;\n"),
              ElementsAre("< -> <=", "< -> >=", "< -> shifted", "2u -> 3u", "2u -> 1u"));
  EXPECT_THAT(changes("  if (a && b) return;\n"),
              ElementsAre("a && b -> !(a && b)", "a && b -> false", "&& -> ||",
                          "&& -> without the right", "&& -> without the left"));
  EXPECT_THAT(changes("{\n  out.Store(at, value);\n"), ElementsAre("out.Store(at, value) -> "));
  EXPECT_THAT(changes("  at += 0x7F;\n"), ElementsAre("+= -> -=", "0x7F -> 0x80", "0x7F -> 0x7E"));
  EXPECT_THAT(changes("}\n  GroupMemoryBarrierWithGroupSync();\n"),
              ElementsAre("GroupMemoryBarrierWithGroupSync() -> "));
}

TEST(Sites, AreNotInCommentsStringsDirectivesAttributesTemplatesOrPointers) {
  EXPECT_THAT(changes("// a + b\n/* 1 */ \"2 + 3\" '4'\n"), ElementsAre());
  EXPECT_THAT(changes("#define A 1 + 2 \\\n  3\n#if A > 1\n#endif\n"), ElementsAre());
  EXPECT_THAT(changes("  std::vector<T*> a(&b);\n  const T& c = *d;\n"), ElementsAre());
  EXPECT_THAT(changes("constexpr int a = 1;\n  case 2: break;\n"), ElementsAre());
}

TEST(Sites, OfAnUnfinishedSourceEnd) {
  for (const char* source : {"\"", "/*", "'", "if (", "[", "[a", "#", "  f(", "0x", "1 +", "#if"}) {
    sitesOf(source);
  }
}

TEST(Sites, AllAreChosenAtRunTime) {
  const std::string source = "  if (a < 2) f();\n";
  const std::string text = withAll(source, sitesOf(source), 7);
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "  if (::dmlcts::mutation::flip<7>(static_cast<bool>(a < ::dmlcts::mutation::At<9>() < "
            "::dmlcts::mutation::literal<12>(2)))) f();\n");
}

TEST(Sites, OfLazyOperatorsDropTheirOperands) {
  const std::string source = "  return f(a) && b || c;\n";
  EXPECT_THAT(changes("  x = a && b && c;\n"),
              ElementsAre("&& -> ||", "&& -> without the right", "&& -> without the left",
                          "&& -> ||", "&& -> without the right"));
  std::string text = withAll(source, sitesOf(source), 7);
  const std::string qualifier = "::dmlcts::mutation::";
  for (size_t at; (at = text.find(qualifier)) != text.npos;) text.erase(at, qualifier.size());
  EXPECT_EQ(
      text.substr(text.find('\n') + 1),
      "  return (unless<12>() && ((when<9>() || (f(a))) && unless<7>() && (when<8>() || (b)))) "
      "|| when<10>() || (unless<11>() && (c));\n");
}

}  // namespace
}  // namespace dmlcts::mutation
