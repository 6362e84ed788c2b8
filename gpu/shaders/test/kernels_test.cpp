// Tests the committed bytecode on an interpreter that detects errors which devices tolerate
// (machine.h). Also bounds its cost.

#include <gmock/gmock.h>

#include <numeric>

#include "conformance/operators/generate.h"
#include "conformance/test/explores.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/operators/operators.h"
#include "gpu/shaders/test/checked_target.h"
#include "gpu/shaders/test/machine.h"

namespace dmlcts::gpu::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Le;
using ::testing::ThrowsMessage;

constexpr std::array kTypes{DataType::Float32, DataType::UInt16, DataType::Int8};

// Matches CheckedTarget::instructions().
auto onlyOneDispatch() { return Each(Key(Le(Shader::Nonzero2Long))); }

PlanLimits atMost(uint64_t tilesInOneDispatch) {
  return {.maxTilesInOneDispatch = tilesInOneDispatch};
}

// Limits under which NONZERO_COORDINATES always takes several passes.
PlanLimits inPasses() { return atMost(0); }

// Uses the ordinary limits, and others under which small tensors take every path of huge ones.
std::string differencesAnywhere(const std::vector<Request>& requests) {
  std::string all;
  for (const PlanLimits& limits : {PlanLimits{}, inPasses(), PlanLimits::low()}) {
    CheckedTarget target(limits);
    all += differences(target, requests);
  }
  return all;
}

TEST(Kernels, NonzeroCoordinatesBehave) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (DataType type : kTypes) {
    for (Density density : {Density::FirstOnly, Density::OneTile, Density::Half, Density::All}) {
      for (const std::vector<uint32_t>& sizes :
           {std::vector<uint32_t>{1}, {33}, {3, 5461}, {16384}, {4, 16385}, {2, 3, 5, 7, 100}}) {
        requests.push_back(requestOf(makeNonzero(type, sizes, static_cast<uint32_t>(sizes.size())),
                                     {seed++, density}));
      }
    }
    // Walks down the columns; lanes and units are not multiples of a group's.
    NonzeroCoordinates columns = makeNonzero(type, {416, 177}, 2);
    setStrides(columns.input, {1, 416});
    requests.push_back(requestOf(columns, {seed++, Density::Half}));
    NonzeroCoordinates lanes = makeNonzero(type, {77, 416}, 2);
    setStrides(lanes.input, {1, 79});
    requests.push_back(requestOf(lanes, {seed++, Density::Half}));
  }
  EXPECT_EQ(differencesAnywhere(requests), "");
}

// Returns one size per column, to force carries.
std::vector<uint32_t> sizesOf(uint32_t columns, uint32_t last) {
  std::vector<uint32_t> sizes{2, 3, 1, 2, 1, 3, 2};
  sizes.resize(columns - 1);
  sizes.push_back(last);
  return sizes;
}

// Tensors that end with a texel, a thread's share or a tile, or one element before or after. Under
// the later limits even small tensors take long tiles.
TEST(Kernels, OneDispatchFindsRowsOfEverySize) {
  constexpr std::array kDensities{Density::Half, Density::All, Density::LastOnly, Density::None};
  uint64_t seed = 0;
  for (uint64_t most : {512, 5, 1}) {
    CheckedTarget target(atMost(most));
    std::vector<Request> requests;
    for (DataType type : kTypes) {
      for (uint32_t end : {2u, 4u, 8u, 16u, 32u, 1024u, 2048u, 4096u, 8192u, 3 * 4096u}) {
        for (uint32_t size : {end - 1, end, end + 1}) {
          if (size > most * 4096) continue;
          requests.push_back(
              requestOf(makeNonzero(type, {size}, 1), {seed, kDensities[seed++ % 4]}));
        }
      }
    }
    EXPECT_EQ(differences(target, requests), "");
    EXPECT_THAT(target.instructions(), onlyOneDispatch());
    EXPECT_EQ(target.instructions().contains(Shader::Nonzero4Long), most < 512);
  }
}

TEST(Kernels, OneDispatchWritesRowsOfEveryLayout) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (uint32_t columns = 1; columns <= 8; ++columns) {
    for (DataType type : kTypes) {
      NonzeroCoordinates op = makeNonzero(type, sizesOf(columns, 101), columns, 1, 2);
      const uint32_t rows = op.coords.sizes[0];
      requests.push_back(requestOf(op, {seed++, Density::Half}));
      // Rows and columns with gaps; then separate columns.
      setStrides(op.coords, {2 * columns + 3, 2});
      requests.push_back(requestOf(op, {seed++, Density::Half}));
      setStrides(op.coords, {1, (rows + 3) / 4 * 4});
      requests.push_back(requestOf(op, {seed++, Density::All}));
    }
  }
  CheckedTarget target;
  EXPECT_EQ(differences(target, requests), "");
  EXPECT_THAT(target.instructions(), onlyOneDispatch());
  // Other limits need all the kernels that write rows.
  CheckedTarget passes(inPasses());
  EXPECT_EQ(differences(passes, requests), "");
  for (auto rows = static_cast<size_t>(Shader::Rows1);
       rows <= static_cast<size_t>(Shader::RowsApart); ++rows) {
    EXPECT_TRUE(passes.instructions().contains(static_cast<Shader>(rows)));
  }
}

// Groups that end before others begin, and groups that stop for as long as others run.
TEST(Kernels, OneDispatchNeedsNoOrderOfGroups) {
  std::vector<Schedule> schedules{{}, {.forwards = true}};
  for (uint64_t barriers = 0; barriers <= 6; ++barriers) {
    schedules.push_back({.evenStopAfter = barriers});
    schedules.push_back({.forwards = true, .evenStopAfter = barriers});
  }
  std::vector<Request> requests;
  for (Density density : {Density::Half, Density::All, Density::FirstOnly}) {
    requests.push_back(requestOf(makeNonzero(DataType::UInt32, {9, 4099}, 2), {1, density}));
  }
  // More tiles than a group has threads; so many that they fill the state.
  CheckedTarget many;
  for (uint32_t tiles : {258, 61}) {
    const NonzeroCoordinates op = makeNonzero(DataType::UInt8, {tiles * 4096}, 1);
    EXPECT_EQ(differences(many, {requestOf(op, {2, Density::LastOnly})}), "");
  }
  for (size_t i = 0; i < schedules.size(); ++i) {
    CheckedTarget target;
    target.order(schedules[i]);
    // Without DMLCTS_EXPLORE, a schedule takes one density.
    EXPECT_EQ(differences(target, explores() ? requests : std::vector{requests[i % 3]}), "");
    EXPECT_THAT(target.instructions(), onlyOneDispatch());
    CheckedTarget longTiles(atMost(10));
    longTiles.order(schedules[i]);
    EXPECT_EQ(differences(longTiles, {requests[i % 3]}), "");
    EXPECT_TRUE(longTiles.instructions().contains(Shader::Nonzero4Long));
  }
}

// Limits under which any number of tiles is scanned before rows are written.
PlanLimits scanning() { return {.maxUnscannedTiles = 0, .maxTilesInOneDispatch = 0}; }

TEST(Kernels, CountsOfManyTilesAreAddedUp) {
  for (const PlanLimits& limits : {inPasses(), scanning()}) {
    CheckedTarget target(limits);
    EXPECT_EQ(differences(target, {requestOf(makeNonzero(DataType::UInt8, {513 * 16384 + 5}, 1),
                                             {1, Density::OneTile})}),
              "");
  }
}

// Only the tile's last row lies in the last window, the ninth.
TEST(Kernels, TheLastRowOfATileMayHaveAWindowOfItsOwn) {
  PlanLimits limits = inPasses();
  limits.maxViewBytes = 32768;
  CheckedTarget target(limits);
  constexpr uint32_t kWindowRows = 2688;
  EXPECT_EQ(
      differences(target, {requestOf(makeNonzero(DataType::UInt8, {1, 1, 8 * kWindowRows + 1}, 3),
                                     {1, Density::All})}),
      "");
}

// Outputs that need many views of dwords: see row_ends.hlsl.
TEST(Kernels, EndsOfTilesAreWrittenApart) {
  PlanLimits limits = inPasses();
  limits.maxViewBytes = 32768;
  CheckedTarget target(limits);
  NonzeroCoordinates columns = makeNonzero(DataType::UInt8, {200, 200}, 2);
  columns.coords.strides = {1, 40000};
  EXPECT_EQ(differences(target,
                        {requestOf(makeNonzero(DataType::UInt8, {40001}, 1), {1, Density::Half}),
                         requestOf(makeNonzero(DataType::UInt8, {211, 200}, 2), {2, Density::Half}),
                         requestOf(columns, {3, Density::Half})}),
            "");
  EXPECT_TRUE(target.instructions().contains(Shader::RowEnds));

  // More tiles than half a group has threads.
  limits.maxViewBytes = 1U << 20;
  CheckedTarget many(limits);
  EXPECT_EQ(differences(many, {requestOf(makeNonzero(DataType::UInt8, {140 * 16384 + 5}, 1),
                                         {4, Density::LastOnly})}),
            "");
  EXPECT_TRUE(many.instructions().contains(Shader::RowEnds));
}

TEST(Kernels, GathersBehave) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (DataType type : {DataType::Float32, DataType::UInt16, DataType::Int8, DataType::UInt64}) {
    for (uint32_t length : {1u, 3u, 4u, 17u, 1024u}) {
      // Whole texels in more groups than one row of groups has under low limits.
      const uint32_t tuples = (length == 1024 || length == 4 ? 20'000 : 3'000) / length + 3;
      for (DataType indexType : {DataType::UInt32, DataType::Int64}) {
        const GatherNd gather = makeGather(type, indexType, 3, {7, length}, {tuples}, 1);
        if (type != DataType::UInt64) requests.push_back(requestOf(gather, {seed++}));
        requests.push_back(requestOf(withoutBatches(gather), {seed++}));
      }
    }
  }
  EXPECT_EQ(differencesAnywhere(requests), "");
}

// Rows of whole groups, packed or not, with tuples of one and two, in batches; also rows with one
// texel more. Under low limits inputs need several windows, which end inside rows.
TEST(Kernels, GathersOfLongRowsBehave) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (uint32_t length : {4096u, 8192u}) {
    for (DataType indexType : {DataType::UInt32, DataType::Int64}) {
      const GatherNd one = makeGather(DataType::Float32, indexType, 3, {7, length}, {9}, 1);
      requests.push_back(requestOf(one, {seed++}));
      requests.push_back(requestOf(
          makeGather(DataType::Float32, indexType, 3, {3, 5, length}, {40}, 2), {seed++}));
      const uint32_t longer = length + 4;
      requests.push_back(
          requestOf(makeGather(DataType::Float32, indexType, 3, {15, longer}, {40}, 1), {seed++}));
      GatherNd1 batches =
          makeGather1(DataType::Float32, indexType, 3, {3, 4, length}, {3, 5}, 1, 1);
      requests.push_back(requestOf(batches, {seed++}));
      setStrides(batches.output, {length + 16, 3 * (length + 16), 1});
      requests.push_back(requestOf(batches, {seed++}));
    }
  }
  for (const PlanLimits& limits : {PlanLimits{}, PlanLimits::low()}) {
    CheckedTarget target(limits);
    EXPECT_EQ(differences(target, requests), "");
    EXPECT_TRUE(target.instructions().contains(Shader::GatherLongRows));
    EXPECT_TRUE(target.instructions().contains(Shader::GatherRows));
  }
}

TEST(Kernels, GathersOfScalarsBehave) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (DataType indexType :
       {DataType::UInt32, DataType::Int32, DataType::UInt64, DataType::Int64}) {
    // Just below, at and above one group; and, under low limits, more than its dispatches and
    // windows hold.
    for (uint32_t count : {256u, 1023u, 1024u, 1025u, 20'002u}) {
      const GatherNd gather = makeGather(DataType::Float32, indexType, 2, {19, 53}, {count}, 2);
      requests.push_back(requestOf(gather, {seed++}));
      GatherNd padded = gather;
      setStrides(padded.input, {60, 1});
      requests.push_back(requestOf(padded, {seed++}));
    }
  }
  for (const PlanLimits& limits : {PlanLimits{}, PlanLimits::low()}) {
    CheckedTarget target(limits);
    EXPECT_EQ(differences(target, requests), "");
    EXPECT_TRUE(target.instructions().contains(Shader::GatherScalars));
    EXPECT_TRUE(target.instructions().contains(Shader::GatherScalarsWide));
  }
}

TEST(Kernels, GathersInBlocksBehave) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float32, DataType::UInt64}) {
    const GatherNd1 packed = makeGather1(type, DataType::Int32, 3, {3, 500, 63}, {3, 150}, 1, 1);
    // Written or read down the columns; never a multiple of three groups.
    GatherNd1 along = packed;
    setStrides(along.output, {9450, 1, 150});
    requests.push_back(requestOf(along, {1}));
    GatherNd1 down = packed;
    setStrides(down.input, {31500, 1, 500});
    requests.push_back(requestOf(down, {2}));
    // Under low limits, a window of only the last few columns.
    GatherNd wide = makeGather(type, DataType::UInt32, 2, {7, 226}, {146}, 1);
    wide.output.strides = {1, 146};
    requests.push_back(requestOf(wide, {3}));
  }
  EXPECT_EQ(differencesAnywhere(requests), "");
}

TEST(Kernels, BehaveOnAnyDescriptor) {
  std::vector<Request> requests;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    Draws draws(seed);
    const Descriptor descriptor = generate(draws, anythingAt(Level::L6_4, 6'000));
    if (accepts(descriptor, Level::L6_4)) requests.push_back(requestOf(descriptor, {seed}));
  }
  EXPECT_GE(requests.size(), 60u);
  EXPECT_EQ(differencesAnywhere(requests), "");
}

// Errors that devices may tolerate, each in a kernel changed in one place.
class Noticed : public ::testing::Test {
 protected:
  template <class Change>
  std::string of(Shader shader, const Descriptor& descriptor, Change change,
                 const PlanLimits& limits = scanning()) {
    CheckedTarget target(limits);
    Program program = target.programFor(shader);
    change(program);
    target.replace(shader, std::move(program));
    return differences(target, {requestOf(descriptor, {1, Density::Half})});
  }

  static void dropAll(Program& program, Op op) {
    for (Instruction& instruction : program.instructions) {
      if (instruction.op == op) instruction.op = Op::Nop;
    }
  }

  const NonzeroCoordinates nonzero_ = makeNonzero(DataType::UInt8, {3, 16384}, 2);
  const GatherNd gather_ = makeGather(DataType::UInt32, DataType::UInt32, 3, {7, 3}, {99}, 1);
};

// Removes each barrier in turn, in every kind of kernel that has any.
TEST_F(Noticed, IsAnyMissingBarrier) {
  const Descriptor threeTiles = makeNonzero(DataType::UInt32, {9, 1001}, 2);
  const Descriptor twoChunks = makeNonzero(DataType::UInt8, {513 * 16384 + 5}, 1);
  GatherNd down = makeGather(DataType::UInt32, DataType::UInt32, 2, {7, 226}, {146}, 1);
  down.output.strides = {1, 146};
  int barriers = 0;
  for (const auto& [shader, descriptors] : std::vector<std::pair<Shader, std::vector<Descriptor>>>{
           {Shader::Nonzero4Long, {threeTiles}},
           {Shader::Mark1, {nonzero_}},
           {Shader::Scan, {nonzero_, twoChunks}},
           {Shader::Rows2Texels, {nonzero_}},
           {Shader::GatherBlock4, {down}}}) {
    const Program program = CheckedTarget().programFor(shader);
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      if (program.instructions[i].op != Op::Sync) continue;
      ++barriers;
      std::string noticed;
      for (const Descriptor& descriptor : descriptors) {
        if (!noticed.empty()) break;
        const auto drop = [&](Program& changed) { changed.instructions[i].op = Op::Nop; };
        noticed = of(shader, descriptor, drop,
                     shader == Shader::Nonzero4Long ? atMost(3)
                     : shader == Shader::Scan       ? scanning()
                                                    : inPasses());
      }
      EXPECT_THAT(noticed, HasSubstr("group memory that another thread may be"))
          << name(shader) << ", barrier " << barriers;
    }
  }
  EXPECT_GT(barriers, 10);
}

TEST_F(Noticed, IsABarrierThatNotAllReach) {
  Program program;
  program.threads = 2;
  Instruction leave;
  leave.op = Op::RetIf;
  leave.ifNonzero = true;
  leave.operands.resize(1);
  leave.operands[0].kind = Operand::Kind::ThreadInGroup;
  Instruction wait;
  wait.op = Op::Sync;
  wait.joinsGroup = true;
  program.instructions = {leave, wait};
  EXPECT_THAT([&] { execute(program, {}); },
              ThrowsMessage<Misbehaviour>("a barrier that not all threads of a group reach"));
}

TEST_F(Noticed, IsTooLittleGroupMemory) {
  EXPECT_THAT(of(Shader::Scan, nonzero_, [](Program& program) { program.group[0][2] /= 2; }),
              HasSubstr("scan: element 128 of 128 in group memory"));
}

TEST_F(Noticed, AreTwoThreadsThatStoreADword) {
  EXPECT_THAT(of(Shader::Gather4, gather_, [](Program& program) { program.threads *= 2; }),
              HasSubstr("gather_4: a dword that two threads store"));
}

TEST_F(Noticed, IsWhatIsStoredBehindAView) {
  EXPECT_THAT(of(Shader::Gather4, gather_, [](Program& program) { dropAll(program, Op::Ret); }),
              HasSubstr("gather_4: address"));
}

// A group that waits for others, however long, waits for one that may not have begun.
TEST_F(Noticed, IsAGroupThatWaitsForAnother) {
  const auto waitForever = [](Program& program) {
    int limits = 0;
    for (Instruction& instruction : program.instructions) {
      for (Operand& operand : instruction.operands) {
        if (operand.kind != Operand::Kind::Immediate || operand.immediate[0] != 64) continue;
        operand.immediate.fill(~0u);
        ++limits;
      }
    }
    EXPECT_EQ(limits, 1);
  };
  EXPECT_THAT(of(Shader::Nonzero1, nonzero_, waitForever, {}),
              HasSubstr("nonzero_1: a loop without end"));
}

TEST_F(Noticed, IsALoopWithoutEnd) {
  Program program;
  program.threads = 1;
  program.instructions.resize(1);
  program.instructions[0].op = Op::EndLoop;
  EXPECT_THAT([&] { execute(program, {}); }, ThrowsMessage<Misbehaviour>("a loop without end"));
}

// Returns the instructions that a shader executes for the descriptor.
uint64_t costOf(Shader shader, const Descriptor& descriptor, Density density) {
  CheckedTarget target(scanning());
  EXPECT_EQ(differences(target, {requestOf(descriptor, {1, density})}), "");
  const auto known = target.instructions().find(shader);
  EXPECT_NE(known, target.instructions().end()) << name(shader);
  return known == target.instructions().end() ? 0 : known->second;
}

// The tests below check speed, not results: kernels take the fast path if there is one.

TEST(KernelCosts, WholeTilesAreMarkedWithoutLookingForTheirEnd) {
  const std::array marks{Shader::Mark4, Shader::Mark2, Shader::Mark1};
  for (size_t i = 0; i < marks.size(); ++i) {
    const auto cost = [&](uint32_t size) {
      return costOf(marks[i], makeNonzero(kTypes[i], {size}, 1), Density::FirstOnly);
    };
    EXPECT_LT(cost(16384) + 2000, cost(16384 - 16)) << name(marks[i]);
    EXPECT_LT(cost(16384 - 1), cost(16384 - 16)) << name(marks[i]);
  }
}

TEST(KernelCosts, RowsOfAFullTileAreNotLookedUp) {
  const auto cost = [](uint32_t size, Density density) {
    return costOf(Shader::Rows3, makeNonzero(DataType::UInt8, {1, 1, size}, 3), density);
  };
  // The kernel looks up 8,191 rows.
  EXPECT_LT(cost(16384, Density::All), cost(8191, Density::All) * 3 / 2);
}

TEST(KernelCosts, BlocksLocateTheirOwnRowsOnly) {
  const auto cost = [](uint32_t rows) {
    GatherNd gather = makeGather(DataType::UInt64, DataType::UInt32, 2, {100, 64}, {rows}, 1);
    setStrides(gather.output, {1, rows});
    CheckedTarget target;
    EXPECT_EQ(differences(target, {requestOf(gather, {1})}), "");
    return target.instructions().at(Shader::GatherBlock8);
  };
  EXPECT_EQ(cost(128), 4 * cost(32));
}

TEST(KernelCosts, ScalarsByPackedTuplesTakeFewInstructions) {
  const auto cost = [](DataType indices, Shader shader, std::vector<uint32_t> strides) {
    GatherNd gather = makeGather(DataType::Float32, indices, 2, {19, 53}, {1024}, 2);
    setStrides(gather.indices, strides);
    return costOf(shader, gather, Density::All);
  };
  EXPECT_LT(cost(DataType::Int32, Shader::GatherScalars, {2, 1}) * 4,
            cost(DataType::Int32, Shader::Gather4, {3, 1}));
  EXPECT_LT(cost(DataType::Int64, Shader::GatherScalarsWide, {2, 1}) * 3,
            cost(DataType::Int64, Shader::Gather4, {3, 1}));
}

TEST(KernelCosts, TheFirstChunkOfAScanHasNothingBeforeIt) {
  const auto cost = [](uint32_t tiles) {
    return costOf(Shader::Scan, makeNonzero(DataType::UInt8, {tiles * 16384}, 1),
                  Density::FirstOnly);
  };
  EXPECT_GT(cost(513) * 2, cost(1) * 5);
}

}  // namespace
}  // namespace dmlcts::gpu::test
