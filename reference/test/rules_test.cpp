// Checks the ledger itself, and each rule at its boundary.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <set>

#include "conformance/test/packed.h"
#include "reference/checker.h"
#include "reference/operators/gather_nd.h"
#include "reference/operators/gather_nd1.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

GatherNd gather() {
  return {packed(DataType::Float16, {1, 3, 4, 5}), packed(DataType::UInt32, {1, 1, 6, 2}),
          packed(DataType::Float16, {1, 1, 6, 5}), 3, 2};
}

NonzeroCoordinates nonzero() {
  return {packed(DataType::Int8, {1, 1, 3, 5}), packed(DataType::UInt32, {1, 1, 1, 1}),
          packed(DataType::UInt32, {1, 1, 15, 3})};
}

std::vector<std::string_view> brokenIds(const Descriptor& descriptor, Level level) {
  std::vector<std::string_view> ids;
  for (const BrokenRule& broken : check(descriptor, level)) {
    EXPECT_FALSE(broken.message.empty());
    if (ids.empty() || ids.back() != broken.rule->id) ids.push_back(broken.rule->id);
  }
  return ids;
}

template <typename Op>
Op changed(Op op, const std::function<void(Op&)>& change) {
  change(op);
  return op;
}

TEST(Ledger, IdsAreUniqueAndNamedAfterTheirSubject) {
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.wording.empty()) << rule.id;
    EXPECT_FALSE(rule.source.empty()) << rule.id;
    EXPECT_LE(rule.from, rule.through) << rule.id;
    EXPECT_EQ(findRule(rule.id)->id, rule.id);
  }
  EXPECT_EQ(findRule("gather_nd.no-such-rule"), nullptr);
}

// A rule that follows from no sentence is ours: breaking it never fails a target.
TEST(Ledger, InferredRulesNameTheSentencesThatTheyFollowFrom) {
  for (const Rule& rule : rules()) {
    if (rule.standing != Standing::Inferred) continue;
    EXPECT_EQ(rule.source.find("no page"), rule.source.npos) << rule.id;
    EXPECT_EQ(rule.source.find("by omission"), rule.source.npos) << rule.id;
    EXPECT_FALSE(rule.note.empty()) << rule.id << " does not say what is arguable";
  }
}

TEST(Check, AcceptsTheControls) {
  for (Level level : kLevels) {
    EXPECT_THAT(brokenIds(gather(), level), IsEmpty());
    if (level >= Level::L3_0) {
      EXPECT_THAT(brokenIds(nonzero(), level), IsEmpty());
    }
  }
}

// Each line makes one change to a valid descriptor and names the one rule that it breaks.
TEST(Check, GatherNdRulesOneAtATime) {
  const auto expect = [](Level level, std::string_view rule,
                         const std::function<void(GatherNd&)>& change) {
    EXPECT_THAT(brokenIds(changed(gather(), change), level), ElementsAre(rule));
  };
  const auto rank5 = [](GatherNd& op) {
    for (TensorDesc* tensor : {&op.input, &op.indices, &op.output}) {
      tensor->sizes.insert(tensor->sizes.begin(), 1);
    }
  };
  expect(Level::L2_1, "gather_nd.rank-2.1", rank5);
  EXPECT_THAT(brokenIds(changed<GatherNd>(gather(), rank5), Level::L3_0), IsEmpty());
  expect(Level::L3_0, "gather_nd.rank", [&](GatherNd& op) {
    for (int i = 0; i < 5; ++i) rank5(op);
  });
  const auto retyped = [](DataType type) {
    return [type](GatherNd& op) {
      op.input = packed(type, op.input.sizes);
      op.output = packed(type, op.output.sizes);
    };
  };
  for (DataType type : {DataType::Float64, DataType::Int64, DataType::UInt64}) {
    expect(Level::L4_0, "gather_nd.data-types-2.1", retyped(type));
    EXPECT_THAT(brokenIds(changed<GatherNd>(gather(), retyped(type)), Level::L4_1), IsEmpty());
  }
  expect(Level::L6_4, "gather_nd.data-types", retyped(DataType::Unknown));
  expect(Level::L2_1, "gather_nd.index-types-2.1",
         [](GatherNd& op) { op.indices.type = DataType::Int32; });
  expect(Level::L3_0, "gather_nd.index-types",
         [](GatherNd& op) { op.indices.type = DataType::UInt16; });
  expect(Level::L3_0, "gather_nd.output-type",
         [](GatherNd& op) { op.output.type = DataType::Int16; });
  expect(Level::L3_0, "gather_nd.dimension-counts",
         [](GatherNd& op) { op.output.sizes.insert(op.output.sizes.begin(), 1); });
  for (uint32_t count : {0u, 5u}) {
    expect(Level::L3_0, "gather_nd.input-dimension-count",
           [=](GatherNd& op) { op.inputDimensionCount = count; });
    expect(Level::L3_0, "gather_nd.indices-dimension-count",
           [=](GatherNd& op) { op.indicesDimensionCount = count; });
  }
  expect(Level::L3_0, "gather_nd.input-leading-ones",
         [](GatherNd& op) { op.input = packed(DataType::Float16, {2, 3, 4, 5}); });
  expect(Level::L3_0, "gather_nd.indices-leading-ones",
         [](GatherNd& op) { op.indices = packed(DataType::UInt32, {1, 2, 6, 2}); });
  expect(Level::L3_0, "gather_nd.tuple-size-meaningful",
         [](GatherNd& op) { op.indices = packed(DataType::UInt32, {1, 1, 6, 4}); });
  expect(Level::L3_0, "gather_nd.tuple-size",
         [](GatherNd& op) { op.indices = packed(DataType::UInt32, {1, 1, 6, 5}); });
  expect(Level::L3_0, "gather_nd.output-rank", [](GatherNd& op) {
    op.inputDimensionCount = 4;
    op.indices = packed(DataType::UInt32, {1, 1, 6, 1});
    op.indicesDimensionCount = 3;
  });
  expect(Level::L3_0, "gather_nd.output-sizes",
         [](GatherNd& op) { op.output = packed(DataType::Float16, {1, 6, 1, 5}); });
}

TEST(Check, GatherNd1RulesOneAtATime) {
  const GatherNd1 valid{packed(DataType::Float16, {1, 2, 4, 5}),
                        packed(DataType::Int32, {1, 2, 6, 1}),
                        packed(DataType::Float16, {1, 2, 6, 5}),
                        3,
                        3,
                        1};
  for (Level level : kLevels) {
    if (level < Level::L3_0) continue;
    EXPECT_THAT(brokenIds(valid, level), IsEmpty());
  }
  const auto expect = [&](Level level, std::string_view rule,
                          const std::function<void(GatherNd1&)>& change) {
    EXPECT_THAT(brokenIds(changed(valid, change), level), ElementsAre(rule));
  };
  const auto retyped = [](DataType type) {
    return [type](GatherNd1& op) {
      op.input = packed(type, op.input.sizes);
      op.output = packed(type, op.output.sizes);
    };
  };
  expect(Level::L2_1, "gather_nd1.available", [](GatherNd1&) {});
  for (DataType type : {DataType::Float64, DataType::Int64, DataType::UInt64}) {
    expect(Level::L4_0, "gather_nd1.data-types-3.0", retyped(type));
    EXPECT_THAT(brokenIds(changed<GatherNd1>(valid, retyped(type)), Level::L4_1), IsEmpty());
  }
  expect(Level::L6_4, "gather_nd1.data-types", retyped(DataType::Unknown));
  expect(Level::L3_0, "gather_nd1.rank", [](GatherNd1& op) {
    for (TensorDesc* tensor : {&op.input, &op.indices, &op.output}) {
      tensor->sizes.insert(tensor->sizes.begin(), 5, 1);
    }
  });
  expect(Level::L3_0, "gather_nd1.index-types",
         [](GatherNd1& op) { op.indices = packed(DataType::UInt16, op.indices.sizes); });
  expect(Level::L3_0, "gather_nd1.output-type",
         [](GatherNd1& op) { op.output.type = DataType::Int16; });
  for (uint32_t count : {0u, 5u}) {
    expect(Level::L3_0, "gather_nd1.input-dimension-count",
           [=](GatherNd1& op) { op.inputDimensionCount = count; });
    expect(Level::L3_0, "gather_nd1.indices-dimension-count",
           [=](GatherNd1& op) { op.indicesDimensionCount = count; });
  }
  expect(Level::L3_0, "gather_nd1.batch-dimension-count-meaningful",
         [](GatherNd1& op) { op.batchDimensionCount = 3; });
  for (uint32_t count : {4u, UINT32_MAX}) {
    expect(Level::L3_0, "gather_nd1.batch-dimension-count",
           [=](GatherNd1& op) { op.batchDimensionCount = count; });
  }
  expect(Level::L3_0, "gather_nd1.batch-sizes",
         [](GatherNd1& op) { op.input = packed(DataType::Float16, {1, 1, 4, 5}); });
  expect(Level::L3_0, "gather_nd1.tuple-size-meaningful",
         [](GatherNd1& op) { op.indices = packed(DataType::Int32, {1, 2, 6, 3}); });
  expect(Level::L3_0, "gather_nd1.tuple-size",
         [](GatherNd1& op) { op.indices = packed(DataType::Int32, {1, 2, 6, 5}); });
  expect(Level::L3_0, "gather_nd1.output-sizes",
         [](GatherNd1& op) { op.output = packed(DataType::Float16, {2, 1, 6, 5}); });
}

TEST(Check, NonzeroCoordinatesRulesOneAtATime) {
  const auto expect = [](Level level, std::string_view rule,
                         const std::function<void(NonzeroCoordinates&)>& change) {
    EXPECT_THAT(brokenIds(changed(nonzero(), change), level), ElementsAre(rule));
  };
  expect(Level::L2_1, "nonzero_coordinates.available", [](NonzeroCoordinates&) {});
  expect(Level::L3_1, "nonzero_coordinates.rank-3.0", [](NonzeroCoordinates& op) {
    op.input.sizes = {1, 1, 1, 1, 3, 5};
    op.count.sizes = {1, 1, 1, 1, 1, 1};
    op.coords.sizes = {1, 1, 1, 1, 15, 3};
  });
  expect(Level::L4_0, "nonzero_coordinates.rank",
         [](NonzeroCoordinates& op) { op.count.sizes.assign(9, 1); });
  expect(Level::L3_0, "nonzero_coordinates.dimension-counts",
         [](NonzeroCoordinates& op) { op.count.sizes.push_back(1); });
  EXPECT_THAT(brokenIds(changed<NonzeroCoordinates>(nonzero(),
                                                    [](auto& op) { op.count.sizes.push_back(1); }),
                        Level::L4_0),
              IsEmpty());
  expect(Level::L3_0, "nonzero_coordinates.data-types",
         [](NonzeroCoordinates& op) { op.input = packed(DataType::Int64, op.input.sizes); });
  expect(Level::L3_0, "nonzero_coordinates.count-type",
         [](NonzeroCoordinates& op) { op.count.type = DataType::Int32; });
  expect(Level::L3_0, "nonzero_coordinates.coords-type",
         [](NonzeroCoordinates& op) { op.coords.type = DataType::Int32; });
  expect(Level::L3_0, "nonzero_coordinates.count-scalar",
         [](NonzeroCoordinates& op) { op.count = packed(DataType::UInt32, {1, 1, 1, 2}); });
  for (uint32_t rows : {14u, 16u}) {
    expect(Level::L3_0, "nonzero_coordinates.coords-rows",
           [=](NonzeroCoordinates& op) { op.coords = packed(DataType::UInt32, {1, 1, rows, 3}); });
  }
  for (uint32_t columns : {1u, 5u}) {
    expect(Level::L3_0, "nonzero_coordinates.coords-columns", [=](NonzeroCoordinates& op) {
      op.coords = packed(DataType::UInt32, {1, 1, 15, columns});
    });
  }
  expect(Level::L3_0, "nonzero_coordinates.coords-leading-ones",
         [](NonzeroCoordinates& op) { op.coords = packed(DataType::UInt32, {1, 2, 15, 3}); });
}

TEST(Check, TensorRulesOneAtATime) {
  const auto expect = [](std::string_view rule, const std::function<void(GatherNd&)>& change) {
    EXPECT_THAT(brokenIds(changed(gather(), change), Level::L3_0), ElementsAre(rule));
  };
  expect("tensor.sizes-nonzero", [](GatherNd& op) {
    op.input.sizes.back() = 0;
    op.output.sizes.back() = 0;
  });
  expect("tensor.total-bytes-cover", [](GatherNd& op) { op.input.totalBytes -= 4; });
  for (int bytes : {1, 2, 3}) {  // tensor.total-bytes-aligned
    EXPECT_THAT(
        brokenIds(changed<GatherNd>(gather(), [=](GatherNd& op) { op.input.totalBytes += bytes; }),
                  Level::L3_0),
        IsEmpty());
    expect("tensor.total-bytes-cover", [=](GatherNd& op) { op.input.totalBytes -= bytes; });
  }
  // FLOAT16: 2^32 elements are one too many, 2^32 - 2 are fine.
  expect("tensor.total-elements", [](GatherNd& op) { op.input.totalBytes = 0x200000000u; });
  EXPECT_THAT(brokenIds(changed<GatherNd>(gather(),
                                          [](GatherNd& op) { op.input.totalBytes = 0x1FFFFFFFCu; }),
                        Level::L3_0),
              IsEmpty());
  for (uint32_t alignment : {1u, 3u, 6u, 24u, UINT32_MAX}) {
    expect("tensor.base-offset-alignment",
           [=](GatherNd& op) { op.input.baseOffsetAlignment = alignment; });
  }
  for (uint32_t alignment : {2u, 4u, 16u, 65536u, 0x80000000u}) {
    EXPECT_THAT(brokenIds(changed<GatherNd>(gather(),
                                            [=](GatherNd& op) {
                                              op.input.baseOffsetAlignment = alignment;
                                              op.indices.flags = kOwnedByDml;
                                            }),
                          Level::L3_0),
                IsEmpty());
  }
  expect("tensor.flags", [](GatherNd& op) { op.output.flags = kOwnedByDml; });
  expect("tensor.total-bytes-cover",
         [](GatherNd& op) { op.indices.strides = std::vector<uint32_t>{0, 0, 0xFFFFFFFFu, 1}; });
  expect("tensor.output-no-overlap",
         [](GatherNd& op) { op.output.strides = std::vector<uint32_t>{0, 0, 0, 1}; });
  EXPECT_THAT(brokenIds(changed<GatherNd>(gather(),
                                          [](GatherNd& op) {
                                            op.input.strides = std::vector<uint32_t>{9, 0, 0, 1};
                                          }),
                        Level::L3_0),
              IsEmpty())
      << "inputs may broadcast";
}

TEST(Check, SurvivesAnyDescriptor) {
  GatherNd op;
  EXPECT_FALSE(check(op, Level::L6_4).empty());
  op.input.sizes.assign(64, 0xFFFFFFFFu);
  op.input.strides.emplace(64, 0xFFFFFFFFu);
  op.inputDimensionCount = op.indicesDimensionCount = 0xFFFFFFFFu;
  EXPECT_FALSE(check(op, Level::L6_4).empty());
  NonzeroCoordinates other;
  other.input.sizes.assign(64, 0xFFFFFFFFu);
  other.coords.sizes.assign(2, 0xFFFFFFFFu);
  EXPECT_FALSE(check(other, Level::L6_4).empty());
}

TEST(Overlap, IsExactWhereStridesInterleave) {
  const auto overlaps = [](std::vector<uint32_t> sizes, std::vector<uint32_t> strides) {
    TensorDesc tensor{DataType::UInt32, std::move(sizes), std::move(strides), 0};
    tensor.totalBytes = minimumTotalBytes(tensor).value();
    return elementsOverlap(tensor).value();
  };
  EXPECT_FALSE(overlaps({3, 3}, {2, 3})) << "0 2 4, 3 5 7, 6 8 10";
  EXPECT_TRUE(overlaps({4, 3}, {2, 3})) << "6 twice";
  EXPECT_TRUE(overlaps({2, 3}, {2, 1}));
  EXPECT_FALSE(overlaps({2, 3}, {1, 2}));
  EXPECT_FALSE(overlaps({1, 3}, {0, 1})) << "a size of 1 may have any stride";
  EXPECT_TRUE(overlaps({2, 1}, {0, 1}));
}

TEST(Overlap, AgreesWithAMapOfAllAddresses) {
  EXPECT_TRUE(rc::check("overlap is exact", [] {
    const auto sizes = rc::gen::container<std::vector<uint32_t>>(*rc::gen::inRange<size_t>(1, 8),
                                                                 rc::gen::inRange(1u, 5u));
    TensorDesc tensor{DataType::UInt32, *sizes, {}, 0};
    tensor.strides = *rc::gen::container<std::vector<uint32_t>>(
        tensor.sizes.size(), rc::gen::weightedOneOf<uint32_t>({{1, rc::gen::just(0u)},
                                                               {20, rc::gen::inRange(1u, 40u)},
                                                               {60, rc::gen::inRange(1u, 4000u)}}));
    tensor.totalBytes = minimumTotalBytes(tensor).value();
    const std::vector<uint64_t> strides(tensor.strides->begin(), tensor.strides->end());
    std::set<uint64_t> addresses;
    ElementWalk walk(tensor.sizes, strides);
    bool twice = false;
    do {
      twice = !addresses.insert(walk.offset()).second || twice;
    } while (walk.next());
    RC_ASSERT(elementsOverlap(tensor).value() == twice);
  }));
}

TEST(Overlap, NeedsNoMemoryForHugeStrides) {
  TensorDesc tensor{DataType::UInt8, {70000, 3, 2}, {{61353, 61352, 61351}}, UINT32_MAX};
  EXPECT_TRUE(elementsOverlap(tensor).value())
      << "1 step of the first and third is 2 of the second";
  tensor.strides = std::vector<uint32_t>{61353, 7, 3};
  EXPECT_FALSE(elementsOverlap(tensor).value());
}

TEST(Overlap, NeedsNoTimeForHugeSizes) {
  TensorDesc tensor{DataType::UInt8, {1'000'000, 645, 4}, {{2580, 2'600'025, 1}}, UINT32_MAX};
  EXPECT_TRUE(elementsOverlap(tensor).value())
      << "172 steps of the second are a multiple of the first";
  tensor.sizes[1] = 4;
  EXPECT_FALSE(elementsOverlap(tensor).value());
  tensor = {DataType::UInt8, {800'000'000, 800'000'000}, {{2, 3}}, UINT32_MAX};
  EXPECT_TRUE(elementsOverlap(tensor).value()) << "more elements than addresses";
}

// Its elements are apart, which takes some 4 million steps to find.
TensorDesc undecided(uint64_t totalBytes) {
  return {DataType::UInt8,
          {7, 9, 11, 7, 7, 8, 8, 10},
          {{86721683, 67020471, 47929433, 79529964, 83547651, 73664184, 73051481, 55828001}},
          totalBytes};
}

TEST(Overlap, IsNotGuessedWhereTheSearchIsTooLong) {
  EXPECT_EQ(elementsOverlap(undecided(UINT32_MAX)), std::nullopt);
  GatherNd op;
  op.output = undecided(UINT32_MAX);
  EXPECT_THAT(brokenIds(op, Level::L3_0), Contains("tensor.overlap-decided"));
  EXPECT_THAT(brokenIds(op, Level::L3_0), Not(Contains("tensor.output-no-overlap")));
}

TEST(Overlap, IsNotSearchedInTensorsThatBreakOtherRules) {
  GatherNd op;
  op.output = undecided(UINT32_MAX + uint64_t{1});
  EXPECT_THAT(brokenIds(op, Level::L3_0), Contains("tensor.total-elements"));
  EXPECT_THAT(brokenIds(op, Level::L3_0), Not(Contains("tensor.overlap-decided")));
}

// No two coordinate differences cancel, so the search would try 31^8 of them: minutes.
TEST(Overlap, IsNotExaminedBeyondTheLargestTotal) {
  std::vector<uint32_t> strides;
  for (uint32_t power = 1; strides.size() < 8; power *= 16) strides.push_back(0 - power);
  const TensorDesc tensor{DataType::UInt8, std::vector<uint32_t>(8, 16), strides,
                          uint64_t{1} << 60};
  EXPECT_FALSE(elementsOverlap(tensor).value());
}

TEST(Arithmetic, ReportsOverflow) {
  EXPECT_EQ(elementCount(std::vector<uint32_t>{0xFFFFFFFF, 0xFFFFFFFF}), 0xFFFFFFFE00000001u);
  EXPECT_EQ(elementCount(std::vector<uint32_t>{0xFFFFFFFF, 0xFFFFFFFF, 2}), std::nullopt);
  TensorDesc tensor{DataType::UInt32, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {}, 0};
  EXPECT_EQ(minimumTotalBytes(tensor), std::nullopt);
  EXPECT_EQ(elementStrides(tensor)->front(), 0xFFFFFFFE00000001u);
}

}  // namespace
}  // namespace dmlcts
