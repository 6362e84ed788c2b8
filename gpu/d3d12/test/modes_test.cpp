// Every execution mode gives the ordinary mode's result. A mutant of one mode is wrong in that mode
// and in no other.

#include <gmock/gmock.h>

#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/mode_answers.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {
namespace {

using constants::kTileElements;
using test::Density;
using test::requestOf;

std::vector<Request> requests() {
  NonzeroCoordinates strided = makeNonzero(DataType::Float16, {2 * kTileElements + 9}, 1);
  setStrides(strided.input, {2});
  return {requestOf(makeNonzero(DataType::Float32, {1, 50}, 2), {1}),
          requestOf(strided, {2, Density::Half}),  // needs a temporary
          requestOf(makeGather(DataType::Float32, DataType::Int32, 2, {9, 16}, {50}, 1), {3}),
          requestOf(makeGather(DataType::Int8, DataType::Int64, 2, {9, 5}, {50}, 1), {4})};
}

// Returns the differences from the ordinary mode's answers; "" if there are none.
std::string modeDifferences(Target& target, const Modes& modes) {
  static const std::vector<Request> ordinary = requests();
  static const std::vector<Answer> expected = makeD3D12Target({})->run(ordinary);
  return test::differencesFrom(expected, target.run(test::modes(modes, ordinary)), modes);
}

TEST(Modes, GiveWhatTheOrdinaryModeGives) {
  const std::unique_ptr<Target> target = makeD3D12Target({});
  for (Mode mode : test::modesOf("d3d12"))
    EXPECT_EQ(modeDifferences(*target, test::only(mode)), "") << modeInfo(mode).name;
  for (Mode memory : {Mode::Placed, Mode::SharedBuffer}) {
    for (Mode repetition : {Mode::Rebind, Mode::RecordOnce, Mode::Many, Mode::TwoQueues}) {
      Modes modes = test::only(Mode::Compute);
      for (Mode mode : {Mode::TightTemporary, memory, repetition}) modes.add(mode);
      EXPECT_EQ(modeDifferences(*target, modes), "") << name(modes);
    }
  }
}

TEST(Modes, AreNotTimed) {
  Request request = requests().front();
  request.modes = test::only(Mode::Placed);
  EXPECT_EQ(makeD3D12Target({})->time(request, 1, 0).status, Status::NotSupported);
}

TEST(Modes, KeepManyExecutionsOfLargeTensorsForThemselves) {
  Request request =
      requestOf(makeNonzero(DataType::UInt8, {17u << 20}, 1), {1, Density::FirstOnly});
  request.modes = test::only(Mode::Many);
  const Answer answer = makeD3D12Target({})->run({&request, 1}).front();
  EXPECT_EQ(answer.status, Status::NotSupported);
  EXPECT_THAT(answer.message, testing::HasSubstr("mode many: its tensors have"));
}

TEST(ModeMutants, AreWrongInTheirModeAndInNoOther) {
  for (const ModeMutant& mutant : kModeMutants) {
    if (!takes("d3d12", mutant.mode)) continue;
    D3D12Options options;
    options.modeMutant = mutant.name;
    const std::unique_ptr<Target> target = makeD3D12Target(options);
    EXPECT_EQ(target->identity().target, "mutant:mode." + std::string(mutant.name));
    EXPECT_EQ(modeDifferences(*target, {}), "") << mutant.name << ", the ordinary mode";
    for (Mode mode : test::modesOf("d3d12")) {
      EXPECT_EQ(modeDifferences(*target, test::only(mode)).empty(), mode != mutant.mode)
          << mutant.name << " in mode " << modeInfo(mode).name;
    }
  }
}

TEST(ModeMutants, OneForEachMode) {
  for (size_t i = 0; i < kModes.size(); ++i) {
    if (kModes[i].targets.empty()) continue;
    EXPECT_NE(std::ranges::find(kModeMutants, static_cast<Mode>(i), &ModeMutant::mode),
              std::end(kModeMutants))
        << kModes[i].name;
  }
  D3D12Options options;
  options.modeMutant = "no such mutant";
  EXPECT_THROW(makeD3D12Target(options), std::invalid_argument);
}

}  // namespace
}  // namespace dmlcts::gpu
