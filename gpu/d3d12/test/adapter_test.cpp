#include "gpu/d3d12/platform/adapter.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

#include "conformance/test/thrown.h"

namespace dmlcts::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A host with two identical cards, as Windows lists it.
const std::vector<Adapter> kTwins{
    {"NVIDIA RTX A6000", "0x000000000000c3f1", 0x10de, 0x2230, "31.0.15.5176"},
    {"NVIDIA RTX A6000", "0x000000010000d002", 0x10de, 0x2230, "31.0.15.5176"},
    {"Microsoft Basic Render Driver", "0x000000000000b0a7", 0x1414, 0x008c, "10.0.26100.1"}};

// A card and its larger sister, as Vulkan lists them.
const std::vector<Adapter> kSisters{
    {"NVIDIA H200", "6f1d0e40-9c1b-4f0e-8b59-0a1b2c3d4e5f", 0x10de, 0x2335, "NVIDIA 570.86"},
    {"NVIDIA H200 NVL", "00000000-9c1b-4f0e-8b59-0a1b2c3d4e60", 0x10de, 0x233b, "NVIDIA 570.86"},
    {"llvmpipe (LLVM 15.0.6, 256 bits)", "", 0x10005, 0, "llvmpipe"}};

std::string complaint(const std::string& wanted, const std::vector<Adapter>& adapters) {
  return thrown<std::runtime_error>([&] { selectAdapter(wanted, adapters); }, "chose one");
}

TEST(SelectAdapter, TakesTheFirstWhenNothingIsSaid) {
  EXPECT_EQ(selectAdapter("", kTwins), 0u);
  EXPECT_EQ(selectAdapter("", kSisters), 0u);
}

TEST(SelectAdapter, TakesAnIndex) {
  EXPECT_EQ(selectAdapter("1", kTwins), 1u);
  EXPECT_EQ(selectAdapter("2", kTwins), 2u);
}

TEST(SelectAdapter, TakesPartOfANameInWhateverCase) {
  EXPECT_EQ(selectAdapter("basic render", kTwins), 2u);
  EXPECT_EQ(selectAdapter("LLVMPIPE", kSisters), 2u);
}

TEST(SelectAdapter, TakesANumberThatIsNoIndexAsPartOfAName) {
  EXPECT_EQ(selectAdapter("256", kSisters), 2u);
}

TEST(SelectAdapter, PrefersTheWholeName) {
  EXPECT_EQ(selectAdapter("nvidia h200", kSisters), 0u);
  EXPECT_EQ(selectAdapter("NVIDIA H200 NVL", kSisters), 1u);
}

TEST(SelectAdapter, TellsIdenticalCardsApartByLuid) {
  EXPECT_EQ(selectAdapter("0x000000000000c3f1", kTwins), 0u);
  EXPECT_EQ(selectAdapter("0xC3F1", kTwins), 0u);
  EXPECT_EQ(selectAdapter("0x10000D002", kTwins), 1u);
}

TEST(SelectAdapter, TakesAUuidWithAndWithoutDashes) {
  EXPECT_EQ(selectAdapter("6F1D0E40-9c1b-4f0e-8b59-0a1b2c3d4e5f", kSisters), 0u);
  EXPECT_EQ(selectAdapter("000000009c1b4f0e8b590a1b2c3d4e60", kSisters), 1u);
}

TEST(SelectAdapter, NamesTheCandidatesWhereANameFitsSeveral) {
  EXPECT_THAT(complaint("A6000", kTwins),
              AllOf(HasSubstr("several adapters are named like 'A6000'"),
                    HasSubstr("0: NVIDIA RTX A6000, 0x000000000000c3f1"),
                    HasSubstr("1: NVIDIA RTX A6000, 0x000000010000d002"), Not(HasSubstr("Basic"))));
  EXPECT_THAT(complaint("nvidia rtx a6000", kTwins), HasSubstr("several adapters"));
  EXPECT_THAT(complaint("NVIDIA", kSisters), HasSubstr("several adapters"));
}

TEST(SelectAdapter, ListsWhatThereIsWhereNothingFits) {
  EXPECT_THAT(complaint("Radeon", kTwins),
              AllOf(HasSubstr("no adapter is, or is named like, 'Radeon'"),
                    HasSubstr("1: NVIDIA RTX A6000, 0x000000010000d002, vendor 0x10de, device "
                              "0x2230, driver 31.0.15.5176"),
                    HasSubstr("2: Microsoft Basic Render Driver")));
  EXPECT_THAT(complaint("3", kTwins), HasSubstr("no adapter is"));
  EXPECT_THAT(complaint("0x", kTwins), HasSubstr("no adapter is"));
  EXPECT_THAT(complaint("0xc3f", kTwins), HasSubstr("no adapter is"));
  EXPECT_THAT(complaint("-1", kTwins), HasSubstr("no adapter is"));
}

TEST(SelectAdapter, SaysWhenThereIsNone) {
  EXPECT_THAT(complaint("", {}), HasSubstr("no Direct3D 12 adapter"));
}

}  // namespace
}  // namespace dmlcts::gpu
