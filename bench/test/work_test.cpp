// Checks that the sweeps contain the benchmarks that bench/README.md lists.

#include "bench/work.h"

#include <gmock/gmock.h>

#include <set>

#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts::bench {
namespace {

constexpr Set kSets[] = {Set::Quick, Set::Full, Set::Goals, Set::Large};

bool holds(Set set, const std::string& pattern) {
  return std::ranges::any_of(works(set),
                             [&](const Work& work) { return matches(work.name, pattern); });
}

TEST(WorkTest, NamesAreUnique) {
  for (Set set : kSets) {
    std::set<std::string> names;
    for (const Work& work : works(set)) EXPECT_TRUE(names.insert(work.name).second) << work.name;
    EXPECT_FALSE(names.empty());
  }
}

TEST(WorkTest, EveryDescriptorIsValid) {
  for (Set set : kSets) {
    for (const Work& work : works(set)) {
      EXPECT_TRUE(check(work.testCase.descriptor, work.testCase.level).empty()) << work.name;
    }
  }
}

TEST(WorkTest, FullHoldsEverySweepOfNonzero) {
  for (int exponent = 10; exponent <= 28; exponent += 2) {
    const std::string rank = exponent == 28 ? "rank1" : "rank4";
    EXPECT_TRUE(holds(
        Set::Full, "nonzero/f32/" + rank + "/2^" + std::to_string(exponent) + "/50%/random/packed"))
        << exponent;
  }
  for (const char* pattern : {"0%", "0.1%", "1%", "10%", "50%", "100%"}) {
    EXPECT_TRUE(
        holds(Set::Full, "nonzero/f32/rank4/2^24/" + std::string(pattern) + "/random/packed"))
        << pattern;
  }
  EXPECT_TRUE(holds(Set::Full, "nonzero/f32/rank4/2^24/50%/clusters-of-64/packed"));
  EXPECT_TRUE(holds(Set::Full, "nonzero/f32/rank4/2^24/50%/clusters-of-64Ki/packed"));
  for (const char* type : {"f32", "f16", "i32", "i16", "i8", "u32", "u16", "u8"}) {
    EXPECT_TRUE(holds(Set::Full, "nonzero/" + std::string(type) + "/rank4/2^24/50%/random/packed"))
        << type;
  }
  for (const char* rank : {"rank1", "rank2", "rank4", "rank8"}) {
    EXPECT_TRUE(holds(Set::Full, "nonzero/f32/" + std::string(rank) + "/2^24/50%/random/packed"))
        << rank;
  }
  EXPECT_TRUE(holds(Set::Full, "nonzero/f32/rank4/2^24/50%/random/input-perm(3210)"));
  EXPECT_TRUE(holds(Set::Full, "nonzero/f32/rank4/2^24/50%/random/columns-first"));
}

TEST(WorkTest, FullHoldsEverySweepOfGather) {
  for (const char* bytes :
       {"1B", "2B", "4B", "16B", "64B", "256B", "1KiB", "4KiB", "16KiB", "64KiB"}) {
    EXPECT_TRUE(holds(Set::Full, "gather/*/u32/rows-of-" + std::string(bytes) + "/*/random/packed"))
        << bytes;
  }
  for (int size = 1; size <= 8; ++size) {
    EXPECT_TRUE(holds(Set::Full,
                      "gather/f32/u32/scalars/" + std::to_string(size) + "-tuples/*/random/packed"))
        << size;
  }
  for (const char* type : {"u32", "i32", "u64", "i64"}) {
    EXPECT_TRUE(holds(Set::Full, "gather/f32/" + std::string(type) + "/rows-of-256B/*")) << type;
    EXPECT_TRUE(holds(Set::Full, "gather/f32/" + std::string(type) + "/scalars/*")) << type;
  }
  for (const char* order : {"random", "sequential", "repeated"}) {
    EXPECT_TRUE(holds(Set::Full, "gather/*/rows-of-256B/*/" + std::string(order) + "/packed"));
    EXPECT_TRUE(holds(Set::Full, "gather/*/scalars/*/" + std::string(order) + "/packed"));
  }
  for (const char* layout : {"input-padded", "output-padded", "input-perm(0213)",
                             "output-perm(0213)", "input-perm(10)", "output-perm(10)"}) {
    EXPECT_TRUE(holds(Set::Full, "gather/*/random/" + std::string(layout))) << layout;
  }
}

TEST(WorkTest, LargeGoesBeyond4GiBAnd2To31Elements) {
  uint64_t mostElements = 0;
  uint64_t mostBytes[2] = {};  // of an input, of an output
  for (const Work& work : works(Set::Large)) {
    for (const TensorSlot& slot : tensors(work.testCase.descriptor)) {
      mostElements = std::max(mostElements, elementCount(slot.desc->sizes).value());
      mostBytes[slot.isOutput] = std::max(mostBytes[slot.isOutput], slot.desc->totalBytes);
    }
  }
  EXPECT_GE(mostElements, uint64_t{1} << 31);
  EXPECT_GT(mostBytes[0], uint64_t{1} << 32);
  EXPECT_GT(mostBytes[1], uint64_t{1} << 32);
}

TEST(WorkTest, PatternsMatchParts) {
  EXPECT_TRUE(matches("gather/f32/u32", "f32"));
  EXPECT_TRUE(matches("gather/f32/u32", "gather/*/u32"));
  EXPECT_TRUE(matches("gather/f32/u32", "*"));
  EXPECT_FALSE(matches("gather/f32/u32", "f16"));
  EXPECT_FALSE(matches("gather/f32/u32", "gather/*/f32"));
  EXPECT_FALSE(matches("gather/f32/u32", "f32/*"));
  EXPECT_FALSE(matches("ab", "ab*b"));
}

TEST(WorkTest, BytesThatHaveToMove) {
  const auto bytes = [](Set set, const std::string& pattern) {
    for (const Work& work : works(set)) {
      if (matches(work.name, pattern)) return bytesMoved(prepare(work.testCase, 1));
    }
    return uint64_t{0};
  };
  // 2^20 elements of 4 bytes, a row of 16 bytes for each, the count.
  EXPECT_EQ(bytes(Set::Quick, "nonzero/f32/rank4/2^20/100%/random/packed"), (20u << 20) + 4);
  EXPECT_EQ(bytes(Set::Quick, "nonzero/f32/rank4/2^20/0%/random/packed"), (4u << 20) + 4);
  // 2^20 bytes each of output and input, a 4-byte index per row of 256 bytes.
  EXPECT_EQ(bytes(Set::Quick, "gather/f32/u32/rows-of-256B/4Ki/random/packed"),
            (2u << 20) + (4u << 12));
}

}  // namespace
}  // namespace dmlcts::bench
