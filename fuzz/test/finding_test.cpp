#include "fuzz/finding.h"

#include <gmock/gmock.h>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"

// Explanations of a finding's cause.

namespace dmlcts {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Input is u8; its values do not survive a change of type.
Case smallest() {
  return parseCase(
      "gather_nd level=6.4 input=u8:4 indices=i64:1 output=1 fill=values(1,2,3,4) "
      "index=allnegative");
}

TEST(Finding, VariantsThatProveNothingAreNoEvidence) {
  // The target fails on negative indices for every type. But a change of type sets all elements to
  // 1, so that any index would do: Vacuous.
  const auto test = [](const Case& each) {
    if (tensors(each.descriptor)[0].desc->type != DataType::UInt8) return Evidence::None;
    return Query("has=negative-index").matches(each) ? Evidence::Fails : Evidence::Passes;
  };
  const auto lines = whatMatters(smallest(), test, 1000);
  EXPECT_THAT(lines, Contains(HasSubstr("has=negative-index: ")));
  EXPECT_THAT(lines, Each(Not(HasSubstr("u8"))));
  EXPECT_THAT(lines, Each(Not(HasSubstr("input type"))));
  EXPECT_THAT(lines, Contains(HasSubstr("any level")));
}

TEST(Finding, APartMattersWhereItsOtherValuesPass) {
  const auto test = [](const Case& each) {
    return tensors(each.descriptor)[0].desc->type == DataType::UInt8 ? Evidence::Fails
                                                                     : Evidence::Passes;
  };
  EXPECT_THAT(whatMatters(smallest(), test, 1000), Contains(HasSubstr("input=u8:*: ")));
}

TEST(Finding, SaysNothingWithinTooSmallABudget) {
  const auto test = [](const Case&) { return Evidence::Fails; };
  EXPECT_THAT(whatMatters(smallest(), test, 3), IsEmpty());
}

}  // namespace
}  // namespace dmlcts
