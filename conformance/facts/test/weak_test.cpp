#include "conformance/facts/weak.h"

#include <gtest/gtest.h>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"

namespace dmlcts {
namespace {

// Returns the kind of weakness, as the beginning of its reason, or "".
std::string kindOf(const std::string& text) {
  std::string reason(weakBecause(parseCase(text)));
  for (const char* word : {"every tuple", "every element", "most of", "nothing is counted",
                           "without the strides", "all elements"}) {
    if (reason.starts_with(word)) return word;
  }
  return reason;
}

const std::string kRows = "gather_nd level=3.0 input=f32:3x4 indices=u32:3x1 output=3x4 ";
const std::string kOne = "gather_nd level=3.0 input=f32:1x5 indices=u32:1x1 output=1x1 dims=1,1 ";

TEST(Weak, WhereAllIndicesAreEqual) {
  EXPECT_EQ(kindOf(kRows + "fill=unique index=identity seed=1"), "");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=first seed=1"), "every tuple");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=repeated seed=1"), "every tuple");
}

TEST(Weak, WhereTheRowsAreEqual) {
  EXPECT_EQ(kindOf(kRows + "fill=values(1,2,3,4) index=identity seed=1"), "every tuple");
  EXPECT_EQ(kindOf(kRows + "fill=values(1,2,3,4,1,2,3,4,1,2,3,5) index=identity seed=1"), "");
}

TEST(Weak, WhereTheElementsAreEqual) {
  const std::string one = "gather_nd level=3.0 input=u32:3x4 indices=u32:1x1 output=1x4 ";
  EXPECT_EQ(kindOf(one + "fill=first index=values(0) seed=1"), "");
  EXPECT_EQ(kindOf(one + "fill=first index=values(1) seed=1"), "every element");
}

TEST(Weak, WhereMostOtherElementsWouldDo) {
  EXPECT_EQ(kindOf(kOne + "fill=values(0,0,0,0,1) index=values(4) seed=1"), "");
  EXPECT_EQ(kindOf(kOne + "fill=values(0,0,0,0,1) index=values(3) seed=1"), "most of");
}

// Unequal batches are distinguishable even with equal indices.
TEST(Weak, NotWhereBatchesDiffer) {
  const std::string batched =
      "gather_nd1 level=3.0 input=f32:3x4 indices=u32:3x1 output=1x3 dims=2,2,1 ";
  EXPECT_EQ(kindOf(batched + "fill=unique index=first seed=1"), "");
  EXPECT_EQ(kindOf(batched + "fill=values(7,1,2,3) index=first seed=1"), "every tuple");
}

TEST(Weak, WhereTheInputHasOneAddress) {
  const std::string one = "gather_nd level=3.0 input=f32:18 indices=i32:1 output=1 ";
  EXPECT_EQ(kindOf(one + "fill=unique index=last seed=1 layout.input=step(0)"), "all elements");
}

// The tensors leave no choice, so no other data would show more.
TEST(Weak, NotWithoutNeed) {
  EXPECT_EQ(kindOf("gather_nd level=3.0 input=f32:1x1 indices=u32:3x1 output=1x3 dims=1,2 "
                   "fill=unique seed=1"),
            "");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=repeated seed=1 layout.indices=broadcast(0)"), "");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=identity seed=1 layout.input=broadcast(0)"), "");
}

TEST(Weak, WhereNothingIsCounted) {
  const std::string counts = "nonzero_coordinates level=4.0 input=f32:2x4 coords=8x2 ";
  EXPECT_EQ(kindOf(counts + "fill=zeros seed=1"), "nothing is counted");
  EXPECT_EQ(kindOf(counts + "fill=minuszero seed=1"), "nothing is counted");
  EXPECT_EQ(kindOf(counts + "fill=first seed=1"), "");
}

TEST(Weak, WhereStridesCouldBeIgnored) {
  const std::string counts = "nonzero_coordinates level=4.0 input=f32:2x4 coords=8x2 ";
  EXPECT_EQ(kindOf(counts + "fill=all seed=1 layout.input=perm(1,0)"), "without the strides");
  EXPECT_EQ(kindOf(counts + "fill=first seed=1 layout.input=perm(1,0)"), "without the strides");
  EXPECT_EQ(kindOf(counts + "fill=alternate seed=1 layout.input=perm(1,0)"), "");
  // Gaps hold other elements; the coordinates' gaps are not written.
  EXPECT_EQ(kindOf(counts + "fill=all seed=1 layout.input=pad(1)"), "");
  EXPECT_EQ(kindOf(counts + "fill=all seed=1 layout.coords=perm(1,0)"), "");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=identity seed=1 layout.input=perm(1,0)"), "");
  EXPECT_EQ(kindOf(kRows + "fill=unique index=identity seed=1 layout.output=perm(1,0)"), "");
  const std::string one = "gather_nd level=3.0 input=f32:3x4 indices=u32:1x2 output=1x1 ";
  EXPECT_EQ(kindOf(one + "fill=unique index=values(1) seed=1 layout.input=perm(1,0)"), "");
  EXPECT_EQ(kindOf(one + "fill=unique index=last seed=1 layout.input=perm(1,0)"),
            "without the strides");
  // Zeros are read after the indices.
  EXPECT_EQ(kindOf(one + "fill=unique index=first seed=1 layout.indices=broadcast(1)"),
            "without the strides");
  EXPECT_EQ(kindOf(one + "fill=unique index=values(1) seed=1 layout.indices=broadcast(1)"), "");
}

// Without strides the input would not fit into memory.
TEST(Weak, LooksAtNothingHuge) {
  const Case huge = parseCase(
      "gather_nd level=3.0 input=f32:65536x65536x256 indices=u32:1x1x3 output=1x1x1 "
      "fill=unique index=values(1) seed=1 strides.input=0,0,1");
  std::vector<std::vector<uint8_t>> inputs;
  for (const TensorSlot& slot : tensors(huge.descriptor)) {
    if (!slot.isOutput) inputs.emplace_back(slot.desc->totalBytes);
  }
  EXPECT_EQ(weakBecause(huge.descriptor, inputs, evaluate(huge.descriptor, inputs)), "");
}

TEST(Weak, NotWhereStridesSayNothing) {
  const std::string one = "gather_nd level=3.0 input=f32:1x4 indices=u32:1x1 output=1x1 dims=1,2 ";
  EXPECT_EQ(kindOf(one + "fill=unique index=values(1) seed=1 layout.input=perm(1,0) "
                         "layout.indices=perm(1,0) layout.output=step(3)"),
            "");
}

TEST(Weak, NotWhatIsNotExecuted) {
  EXPECT_EQ(kindOf(kRows + "fill=unique index=first seed=1 expect=accept"), "");
}

// The data always contain what the labels say: a negative index for any seed, several batches.
TEST(Labels, SayWhatTheDataHave) {
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string text =
        "gather_nd level=3.0 input=f32:53 indices=i32:1 output=1 fill=unique index=negative seed=" +
        std::to_string(seed);
    EXPECT_TRUE(Query("has=negative-index").matches(parseCase(text))) << text;
  }
  const std::string batches =
      "gather_nd1 level=3.0 input=f32:1x3x4 indices=u32:1x2x1 output=1x2x4 dims=3,3,1 fill=unique "
      "seed=1";
  EXPECT_TRUE(Query("attributes=partial-tuples").matches(parseCase(batches)));
}

TEST(Weak, CanBeAskedFor) {
  EXPECT_TRUE(Query("has=weak").matches(parseCase(kRows + "fill=unique index=first seed=1")));
  EXPECT_FALSE(Query("has=weak").matches(parseCase(kRows + "fill=unique index=identity seed=1")));
}

}  // namespace
}  // namespace dmlcts
