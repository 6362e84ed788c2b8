// Checks layout coverage with targets that ignore strides: each case counted for an unpacked layout
// exposes such a target.

#include <gmock/gmock.h>

#include <map>

#include "conformance/facts/labels.h"
#include "conformance/language/case_string.h"
#include "conformance/language/layout.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/test/explores.h"
#include "conformance/test/in_process.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {
namespace {

// Mutants that ignore a tensor's strides, by tensor name.
const std::map<std::string_view, std::string_view> kIgnoring{{"input", "input-strides-ignored"},
                                                             {"indices", "indices-strides-ignored"},
                                                             {"output", "output-strides-ignored"},
                                                             {"coords", "coords-strides-ignored"}};

// Takes every eighth case, or all with DMLCTS_EXPLORE.
TEST(LayoutCoverage, AreAllThatCoverageCounts) {
  const uint64_t step = explores() ? 1 : 8;
  uint64_t number = 0;
  std::map<std::string_view, std::unique_ptr<gpu::Target>> ignoring;
  for (const auto& [name, mutant] : kIgnoring) {
    ASSERT_NE(findMutant(mutant), nullptr) << mutant;
    ignoring[name] = makeOracleTarget("", findMutant(mutant)->mutation);
  }
  std::map<std::string_view, uint64_t> told;
  for (const Case& testCase : cases(Tier::Default)) {
    if (testCase.expect != Expect::Execute || !testCase.modes.empty() || number++ % step != 0)
      continue;
    const auto slots = tensors(testCase.descriptor);
    if (std::ranges::all_of(slots, [](const TensorSlot& slot) { return liesPacked(*slot.desc); })) {
      continue;
    }
    const PreparedCase prepared = prepare(testCase, 1);
    if (prepared.weak) continue;
    for (const TensorSlot& slot : slots) {
      if (liesPacked(*slot.desc)) continue;
      const auto answers = ignoring.at(slot.name)->run(prepared.requests);
      const Judgement judgement = judge(prepared, answers, {kLevels.back(), Strictness::Strict});
      ASSERT_EQ(judgement.verdict, Verdict::Fail) << slot.name << ' ' << caseString(testCase);
      told[slot.name] += 1;
    }
  }
  EXPECT_EQ(told.size(), kIgnoring.size());
  for (const auto& [name, count] : told) EXPECT_GT(count, 500u / step) << name;
}

// Strides that liesPacked() ignores do not make a layout of their own.
TEST(LayoutCoverage, AreNotThoseThatLiePacked) {
  const Labels labels = labelsOf(
      parseCase("nonzero_coordinates level=4.0 input=f32:1x1x1x2 coords=2x4 fill=mixed seed=1 "
                "layout.input=perm(3,0,1,2) strides.coords=4,1"));
  EXPECT_EQ(at(labels, Parameter::InputLayout), static_cast<uint8_t>(LayoutKind::Packed));
  EXPECT_EQ(at(labels, Parameter::OutputLayout), static_cast<uint8_t>(LayoutKind::Packed));
  const Labels stepped =
      labelsOf(parseCase("nonzero_coordinates level=4.0 input=f32:5x1 coords=5x2 fill=mixed seed=1 "
                         "layout.input=pad(4) strides.coords=6,3"));
  EXPECT_EQ(at(stepped, Parameter::InputLayout), static_cast<uint8_t>(LayoutKind::Step));
  EXPECT_EQ(at(stepped, Parameter::OutputLayout), static_cast<uint8_t>(LayoutKind::Step));
}

}  // namespace
}  // namespace dmlcts
