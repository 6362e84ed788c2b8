#include <gmock/gmock.h>

#include <set>

#include "conformance/facts/labels.h"
#include "conformance/language/case_string.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/operators/simpler.h"
#include "conformance/run/judging/judge.h"
#include "conformance/test/rapidcheck_choices.h"
#include "fuzz/generators.h"
#include "gpu/d3d12/target.h"

// Properties of whole cases, whose every choice rapidcheck draws and shrinks.

namespace dmlcts::gpu {
namespace {

struct Seen {
  std::array<std::set<uint8_t>, kParameters> labels;
  std::set<std::string> modes;
};

Case drawInModes(Choices& choices, const Target& target) {
  Case testCase = drawCase(choices, choices.below(95));  // up to 1,024 elements
  if (testCase.expect != Expect::Execute) return testCase;
  for (size_t i = 0; i < kModes.size(); ++i) {
    if (!target.takes(static_cast<Mode>(i)) || choices.below(10) != 9) continue;
    Modes more = testCase.modes;
    more.add(static_cast<Mode>(i));
    if (conflictOf(more).empty()) testCase.modes = more;
  }
  return testCase;
}

// Lets rapidcheck shrink the drawn case as a whole, too, once its choices are shrunk.
Case simplified(const Case& testCase) {
  return *rc::Gen<Case>([=](const rc::Random&, int) {
    return rc::shrinkable::shrinkRecur(
        testCase, [](const Case& each) { return rc::seq::fromContainer(simplerCases(each)); });
  });
}

// Returns the smallest case that the target fails, as shrunk by rapidcheck; "" if it fails none.
std::string smallestFailure(Target& target, int cases, Seen& seen) {
  const Identity identity = target.identity();
  std::string smallest;
  holds(
      [&] {
        RapidcheckChoices choices;
        const Case testCase = simplified(drawInModes(choices, target));
        if (testCase.expect == Expect::Execute) {
          const Labels labels = labelsOf(testCase);
          for (size_t i = 0; i < kParameters; ++i) seen.labels[i].insert(labels[i]);
          if (testCase.modes.size() == 1) seen.modes.insert(name(testCase.modes));
        }
        const PreparedCase prepared = prepare(testCase, 1);
        const Judgement judgement =
            judge(prepared, target.run(prepared.requests), {identity.maxLevel, Strictness::Strict});
        if (judgement.verdict == Verdict::Pass || judgement.verdict == Verdict::Vacuous) return;
        smallest = caseString(testCase);
        RC_FAIL(smallest + ": " + judgement.message);
      },
      cases);
  return smallest;
}

TEST(Property, OurKernelsPassEveryCase) {
  const std::unique_ptr<Target> target = makeD3D12Target({});
  Seen seen;
  EXPECT_EQ(smallestFailure(*target, 2000, seen), "");
  EXPECT_EQ(seen.modes.size(), 9u);
  for (const auto& [parameter, values] : {std::pair{Parameter::Level, kLevels.size()},
                                          {Parameter::InputType, 11},
                                          {Parameter::IndexType, 5},
                                          {Parameter::Rank, 8},
                                          {Parameter::InputLayout, 7},
                                          {Parameter::IndicesLayout, 8},
                                          {Parameter::OutputLayout, 6}}) {
    EXPECT_EQ(seen.labels[static_cast<size_t>(parameter)].size(), values) << name(parameter);
  }
}

TEST(Property, ShrinksAFaultOfEachOperatorToASmallestCase) {
  for (const auto& [mutant, smallest] :
       {std::pair{"negative-index-ignored",
                  "gather_nd level=6.4 input=u8:2 indices=i32:1 output=1 fill=values(0,1)"},
        {"batch-of-indices-reversed",
         "gather_nd1 level=6.4 input=u8:2x2 indices=u32:2x1 output=1x2 dims=2,2,1 "
         "fill=values(0,1)"},
        {"minus-zero-counted",
         "nonzero_coordinates level=6.4 input=f32:1 coords=1x1 fill=values(-0)"}}) {
    Seen seen;
    const auto target = makeOracleTarget(mutant, findMutant(mutant)->mutation);
    // Several kinds of indices may show it.
    EXPECT_THAT(smallestFailure(*target, 3000, seen), testing::StartsWith(smallest)) << mutant;
  }
}

}  // namespace
}  // namespace dmlcts::gpu
