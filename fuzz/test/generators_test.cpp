#include "fuzz/generators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/facts/weak.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/operators/simpler.h"
#include "conformance/run/replay/shrink.h"
#include "fuzz/campaign.h"
#include "reference/rules.h"
#include "reference/tensor.h"
#include "reports/summary/coverage.h"

namespace dmlcts {
namespace {

constexpr uint64_t kCases = 20000;

// Generated cases expect what check() says, and can be executed.
TEST(Generators, expectWhatCheckSays) {
  for (uint64_t index = 0; index < kCases; ++index) {
    const Case testCase = fuzzCase(1, index);
    const auto broken = check(testCase.descriptor, testCase.level);
    ASSERT_EQ(testCase.expect == Expect::Reject, !broken.empty()) << caseString(testCase);
    for (const BrokenRule& each : broken) {  // no target has to reject unspecified behaviour
      ASSERT_EQ(each.rule->checked, Checked::ByRejecting) << caseString(testCase);
    }
    if (testCase.expect == Expect::Execute) {
      ASSERT_EQ(inputProblem(testCase).value_or(""), "") << caseString(testCase);
    }
    ASSERT_TRUE(testCase.family != "fuzz.valid" || testCase.expect == Expect::Execute);
  }
}

// A case string describes a generated case completely.
TEST(Generators, surviveTheirCaseStrings) {
  for (uint64_t index = 0; index < kCases; ++index) {
    const Case testCase = fuzzCase(2, index);
    ASSERT_EQ(parseCase(caseString(testCase)), testCase) << caseString(testCase);
  }
}

// The same seed gives the same cases; another seed gives others.
TEST(Generators, areFunctionsOfTheSeed) {
  size_t same = 0;
  for (uint64_t index = 0; index < 500; ++index) {
    ASSERT_EQ(fuzzCase(3, index), fuzzCase(3, index));
    same += fuzzCase(3, index) == fuzzCase(4, index) ? 1 : 0;
  }
  EXPECT_LT(same, 5u);
}

// Some near-valid case breaks each rule alone, and every kind of fill and index occurs.
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
  EXPECT_EQ(fills.size(), kFillKinds.size() - 1);     // all but Npy
  EXPECT_EQ(indices.size(), kIndexKinds.size() - 2);  // all but Values and Npy
}

// Half a minute of fuzzing covers nearly every possible triple of parameter values, and generates
// only combinations that parameter_space.h allows.
TEST(Generators, coverTheParameterSpace) {
  CoveringLabels covering;
  for (uint64_t index = 0; index < 700'000; ++index) {
    const Case testCase = fuzzCase(8, index);
    if (testCase.expect != Expect::Execute || testCase.index.kind == IndexKind::Wild) continue;
    const Labels labels = labelsOf(testCase);
    covering.add(labels, [&] { return !weakBecause(testCase).empty(); });
    const Constraint* broken = brokenConstraint(labels);
    ASSERT_TRUE(!broken || broken->isOfWorth) << caseString(testCase) << ": " << broken->reason;
  }
  EXPECT_GE(measureCoverage(covering.get(), 2).percent(), 99.9);
  EXPECT_GE(measureCoverage(covering.get(), 3).percent(), 99);
}

// The size at which a scan takes several steps must occur in every run.
TEST(Generators, makeOneHugeCase) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const Case huge = fuzzCase(seed, 20000);
    EXPECT_GT(elementCount(tensors(huge.descriptor).front().desc->sizes), uint64_t{1} << 24);
    EXPECT_EQ(inputProblem(huge), std::nullopt);
  }
}

// No executed case takes minutes: few bytes, and few elements at one address.
TEST(Generators, executeNothingEndless) {
  for (uint64_t index = 0; index < 100'000; ++index) {
    const Case testCase = fuzzCase(9, index);
    if (testCase.expect != Expect::Execute) continue;
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      ASSERT_LE(elementCount(slot.desc->sizes), uint64_t{20'000'000}) << caseString(testCase);
    }
  }
}

// Unhealthy means: more than half were duplicates, among enough cases.
TEST(Statistics, areUnhealthyWhereMostIsDiscarded) {
  FuzzStatistics statistics;
  statistics.generated = 2001;
  statistics.duplicates = 1000;
  EXPECT_FALSE(statistics.unhealthy());
  statistics.duplicates = 1001;
  EXPECT_TRUE(statistics.unhealthy());
  statistics.generated = statistics.duplicates = 2000;
  EXPECT_FALSE(statistics.unhealthy());
}

// If everything fails, a case shrinks to one packed element at the newest level.
TEST(Shrinking, endsAtTheSimplestCase) {
  for (uint64_t index = 0; index < 300; ++index) {
    const Case testCase = fuzzCase(6, index);
    if (testCase.family != "fuzz.valid") continue;
    const Shrunk shrunk = shrink(testCase, [](const Case&) { return true; }, {1000, UINT64_MAX});
    for (const TensorSlot& slot : tensors(shrunk.smallest.descriptor)) {
      EXPECT_EQ(elementCount(slot.desc->sizes), 1u) << caseString(shrunk.smallest);
      EXPECT_LE(slot.desc->sizes.size(), 2u) << caseString(shrunk.smallest);
      EXPECT_FALSE(slot.desc->strides) << caseString(shrunk.smallest);
    }
  }
}

std::string smallest(std::string_view from, const std::function<bool(const Case&)>& stillFails) {
  const Case testCase = parseCase(from);
  EXPECT_TRUE(stillFails(testCase)) << from;
  return caseString(shrink(testCase, stillFails, {600, 100'000'000}).smallest);
}

// Shrinking keeps the cause of the failure and simplifies everything else.
TEST(Shrinking, findsWhatMatters) {
  EXPECT_EQ(smallest("nonzero_coordinates level=4.0 input=i16:3x1x12x100 coords=1x3600x4 seed=5",
                     [](const Case& each) {
                       return elementCount(tensors(each.descriptor)[0].desc->sizes) >= 3001;
                     }),
            "nonzero_coordinates level=6.4 input=u8:3001 coords=3001x1 fill=first");
  EXPECT_EQ(
      smallest("nonzero_coordinates level=5.0 input=f16:7x1x2x1 coords=14x4 seed=3 "
               "layout.input=broadcast(0,2) total.input=80",
               [](const Case& each) {
                 const TensorDesc& input = *tensors(each.descriptor)[0].desc;
                 return input.strides && input.strides->front() == 0 && input.sizes[0] > 1;
               }),
      "nonzero_coordinates level=6.4 input=u8:2 coords=2x1 fill=values(0) layout.input=step(0)");
  EXPECT_EQ(smallest("gather_nd level=5.1 input=i16:1x27 indices=i64:1x1 output=1x1 dims=1,2 "
                     "fill=unique index=allnegative seed=330089 layout.input=packed "
                     "strides.output=5,4 total.output=4294968320 expect=accept",
                     [](const Case& each) {
                       return tensors(each.descriptor)[2].desc->totalBytes >= uint64_t{1} << 32;
                     }),
            "gather_nd level=6.4 input=u32:1 indices=u32:1 output=1 fill=zeros "
            "total.output=4294967296 expect=accept");
  EXPECT_EQ(smallest("nonzero_coordinates level=4.0 input=f32:3 coords=3x1 "
                     "fill=values(0,0x7fc12345,3)",
                     [](const Case& each) {
                       if (each.fill.kind != FillKind::Values) return false;
                       return std::ranges::any_of(each.fill.values, [](uint64_t bits) {
                         return (bits & 0x7FFFFFFF) > 0x7F800000;
                       });
                     }),
            "nonzero_coordinates level=6.4 input=f32:1 coords=1x1 fill=values(0x7f800001)");
  EXPECT_EQ(smallest("gather_nd level=6.4 input=u8:1x2x4x4 indices=u32:5x1x1x2 output=5x1x1x4 "
                     "dims=2147483053,4 expect=reject(gather_nd.input-dimension-count)",
                     [](const Case&) { return true; }),
            "gather_nd level=6.4 input=u8:1 indices=u32:1 output=1 dims=2,1 fill=zeros "
            "expect=reject(gather_nd.input-dimension-count)");
}

// A shrunk case keeps its expectation.
TEST(Shrinking, keepsWhatMustHappen) {
  for (uint64_t index = 0; index < 2000; ++index) {
    const Case testCase = fuzzCase(7, index);
    for (const Case& simpler : simplerCases(testCase)) {
      const auto broken = check(simpler.descriptor, simpler.level);
      ASSERT_EQ(simpler.expect, testCase.expect);
      ASSERT_EQ(broken.empty(), testCase.expect != Expect::Reject) << caseString(simpler);
      ASSERT_TRUE(broken.empty() || broken.front().rule->id == testCase.rejectBy);
    }
  }
}

}  // namespace
}  // namespace dmlcts
