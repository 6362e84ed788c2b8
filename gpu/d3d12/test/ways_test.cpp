// Every way of executing gives what the ordinary way gives, and a mutant of one way is wrong in
// that way and in no other.

#include <gmock/gmock.h>

#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/d3d12/test/way_answers.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {
namespace {

using constants::kTileElements;
using test::Density;
using test::gatherOf;
using test::nonzeroOf;
using test::requestOf;

std::vector<Request> requests() {
  return {
      requestOf(nonzeroOf(DataType::Float32, {1, 50}, 2), {1}),
      requestOf(nonzeroOf(DataType::Float16, {2 * kTileElements + 9}, 1), {2, Density::Half}),
      requestOf(gatherOf(DataType::Float32, {9, 16}, DataType::Int32, {50, 1}, {50, 16}, 2, 2),
                {3}),
      requestOf(gatherOf(DataType::Int8, {9, 5}, DataType::Int64, {50, 1}, {50, 5}, 2, 2), {4})};
}

// How the answers differ from those of the ordinary way; "" for not at all.
std::string differences(Target& target, const Ways& ways) {
  static const std::vector<Request> ordinary = requests();
  static const std::vector<Answer> expected = makeD3D12Target({})->run(ordinary);
  return test::differencesFrom(expected, target.run(test::via(ways, ordinary)), ways);
}

TEST(Ways, GiveWhatTheOrdinaryWayGives) {
  const std::unique_ptr<Target> target = makeD3D12Target({});
  for (Way way : test::waysOf("d3d12"))
    EXPECT_EQ(differences(*target, test::only(way)), "") << wayInfo(way).name;
  for (Way memory : {Way::Placed, Way::SharedBuffer}) {
    for (Way repetition : {Way::Rebind, Way::RecordOnce, Way::Many, Way::TwoQueues}) {
      Ways ways = test::only(Way::Compute);
      for (Way way : {Way::TightTemporary, memory, repetition}) ways.add(way);
      EXPECT_EQ(differences(*target, ways), "") << name(ways);
    }
  }
}

TEST(Ways, AreNotTimed) {
  Request request = requests().front();
  request.via = test::only(Way::Placed);
  EXPECT_EQ(makeD3D12Target({})->time(request, 1, 0).status, Status::NotSupported);
}

TEST(Ways, KeepManyExecutionsOfLargeTensorsForThemselves) {
  Request request = requestOf(nonzeroOf(DataType::UInt8, {17u << 20}, 1), {1, Density::FirstOnly});
  request.via = test::only(Way::Many);
  const Answer answer = makeD3D12Target({})->run({&request, 1}).front();
  EXPECT_EQ(answer.status, Status::NotSupported);
  EXPECT_THAT(answer.message, testing::HasSubstr("via many: its tensors have"));
}

TEST(WayMutants, AreWrongInTheirWayAndInNoOther) {
  for (const WayMutant& mutant : kWayMutants) {
    if (!takes("d3d12", mutant.way)) continue;
    D3D12Options options;
    options.wayMutant = mutant.name;
    const std::unique_ptr<Target> target = makeD3D12Target(options);
    EXPECT_EQ(target->identity().target, "mutant:way." + std::string(mutant.name));
    EXPECT_EQ(differences(*target, {}), "") << mutant.name << ", the ordinary way";
    for (Way way : test::waysOf("d3d12")) {
      EXPECT_EQ(differences(*target, test::only(way)).empty(), way != mutant.way)
          << mutant.name << " via " << wayInfo(way).name;
    }
  }
}

TEST(WayMutants, OneForEachWay) {
  for (size_t i = 0; i < kWays.size(); ++i) {
    EXPECT_NE(std::ranges::find(kWayMutants, static_cast<Way>(i), &WayMutant::way),
              std::end(kWayMutants))
        << kWays[i].name;
  }
  D3D12Options options;
  options.wayMutant = "no such mutant";
  EXPECT_THROW(makeD3D12Target(options), std::invalid_argument);
}

}  // namespace
}  // namespace dmlcts::gpu
