#include "fuzz/generators.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/inputs.h"
#include "fuzz/simpler.h"
#include "reference/rules.h"
#include "reference/tensor.h"
#include "reports/coverage.h"

namespace dmlcts {
namespace {

constexpr uint64_t kCases = 20000;

// What must happen to a generated case is what the reference says, and it can be executed.
TEST(Generators, expectWhatCheckSays) {
  for (uint64_t index = 0; index < kCases; ++index) {
    const Case testCase = fuzzCase(1, index);
    const auto broken = check(testCase.descriptor, testCase.level);
    ASSERT_EQ(testCase.expect == Expect::Reject, !broken.empty()) << caseString(testCase);
    if (testCase.expect == Expect::Execute) {
      ASSERT_EQ(inputProblem(testCase).value_or(""), "") << caseString(testCase);
    }
    ASSERT_TRUE(testCase.family != "fuzz.valid" || testCase.expect == Expect::Execute);
  }
}

// A case string says all there is to say about a generated case.
TEST(Generators, surviveTheirCaseStrings) {
  for (uint64_t index = 0; index < kCases; ++index) {
    const Case testCase = fuzzCase(2, index);
    ASSERT_EQ(parseCase(caseString(testCase)), testCase) << caseString(testCase);
  }
}

// Same seed, same cases; another seed, other cases.
TEST(Generators, areFunctionsOfTheSeed) {
  size_t same = 0;
  for (uint64_t index = 0; index < 500; ++index) {
    ASSERT_EQ(fuzzCase(3, index), fuzzCase(3, index));
    same += fuzzCase(3, index) == fuzzCase(4, index) ? 1 : 0;
  }
  EXPECT_LT(same, 5u);
}

// Every rule that a descriptor can break is broken alone by some near-valid case, and every kind of
// fill and of index occurs.
TEST(Generators, reachEveryRuleFromBothSides) {
  std::set<std::string_view> brokenAlone;
  std::set<FillKind> fills;
  std::set<IndexKind> indices;
  for (uint64_t index = 0; index < 60000; ++index) {
    const Case testCase = fuzzCase(5, index);
    fills.insert(testCase.fill.kind);
    indices.insert(testCase.index.kind);
    const auto broken = check(testCase.descriptor, testCase.level);
    std::set<std::string_view> ids;  // a rule may be broken by several tensors
    for (const BrokenRule& each : broken) ids.insert(each.rule->id);
    if (ids.size() == 1) brokenAlone.merge(ids);
  }
  for (const Rule& rule : rules()) {
    if (rule.checked != Checked::ByRejecting) continue;
    EXPECT_TRUE(brokenAlone.contains(rule.id)) << rule.id;
  }
  EXPECT_EQ(fills.size(), kFillKinds.size());
  EXPECT_EQ(indices.size(), kIndexKinds.size() - 1);  // all but Values
}

// What fuzzing runs in half a minute has nearly every possible triple of parameter values, and what
// it generates is what parameter_space.h calls possible.
TEST(Generators, coverTheParameterSpace) {
  CoveringLabels covering;
  for (uint64_t index = 0; index < 200'000; ++index) {
    const Case testCase = fuzzCase(8, index);
    if (testCase.expect != Expect::Execute || testCase.index.kind == IndexKind::Wild) continue;
    const Labels labels = labelsOf(testCase);
    covering.add(labels);
    const Constraint* broken = brokenConstraint(labels);
    if (!broken) continue;
    // That one is about what a case is worth.
    ASSERT_NE(broken->reason.find("any index would do"), std::string_view::npos)
        << caseString(testCase) << ": " << broken->reason;
  }
  EXPECT_GE(measureCoverage(covering.get(), 2).percent(), 99.9);
  EXPECT_GE(measureCoverage(covering.get(), 3).percent(), 99) << coverageText(covering.get(), 20);
}

// The size at which a scan takes several steps is not left to chance.
TEST(Generators, makeOneHugeCase) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const Case huge = fuzzCase(seed, 20000);
    EXPECT_GT(elementCount(tensors(huge.descriptor).front().desc->sizes), uint64_t{1} << 24);
    EXPECT_EQ(inputProblem(huge), std::nullopt);
  }
}

// Nothing is executed that would take minutes: neither many bytes nor many elements at one address.
TEST(Generators, executeNothingEndless) {
  for (uint64_t index = 0; index < 100'000; ++index) {
    const Case testCase = fuzzCase(9, index);
    if (testCase.expect != Expect::Execute) continue;
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      ASSERT_LE(elementCount(slot.desc->sizes), uint64_t{20'000'000}) << caseString(testCase);
    }
  }
}

// When everything fails, a case shrinks to one element, packed, at the newest level.
TEST(Shrinking, endsAtTheSimplestCase) {
  for (uint64_t index = 0; index < 300; ++index) {
    const Case testCase = fuzzCase(6, index);
    if (testCase.family != "fuzz.valid") continue;
    const Shrunk shrunk = shrinkFuzzCase(
        testCase, [](const Case&) { return true; }, 1000);
    for (const TensorSlot& slot : tensors(shrunk.smallest.descriptor)) {
      EXPECT_EQ(elementCount(slot.desc->sizes), 1u) << caseString(shrunk.smallest);
      EXPECT_LE(slot.desc->sizes.size(), 2u) << caseString(shrunk.smallest);
      EXPECT_FALSE(slot.desc->strides) << caseString(shrunk.smallest);
    }
  }
}

// What a case shrinks to still expects what it expected.
TEST(Shrinking, keepsWhatMustHappen) {
  for (uint64_t index = 0; index < 2000; ++index) {
    const Case testCase = fuzzCase(7, index);
    for (const Case& simpler : simplerFuzzCases(testCase)) {
      const auto broken = check(simpler.descriptor, simpler.level);
      ASSERT_EQ(simpler.expect, testCase.expect);
      ASSERT_EQ(broken.empty(), testCase.expect != Expect::Reject) << caseString(simpler);
      ASSERT_TRUE(broken.empty() || broken.front().rule->id == testCase.rejectBy);
    }
  }
}

}  // namespace
}  // namespace dmlcts
