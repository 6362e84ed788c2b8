// Every execution mode of DirectML gives the ordinary mode's result. A mutant of a mode that only
// DirectML supports is wrong in that mode alone. Runs under Wine.

#include <gmock/gmock.h>

#include <cstring>

#include "gpu/d3d12/test/mode_answers.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/worker/client.h"

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;

// The indices are the coordinates of a tensor of 2x4, in order.
Request coordinatesRequest() {
  Request request =
      test::requestOf(makeGather(DataType::Float16, DataType::UInt32, 3, {3, 4, 5}, {8}, 2), {3});
  BufferImage& indices = request.inputs.back();
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t tuple[]{i / 4, i % 4};
    std::memcpy(&indices.bytes[indices.offset + i * sizeof tuple], tuple, sizeof tuple);
  }
  return request;
}

const std::vector<Request>& requests() {
  static const std::vector<Request> requests{
      test::requestOf(makeNonzero(DataType::Float32, {3, 50}, 2), {1}),
      test::requestOf(makeGather(DataType::Float16, DataType::Int32, 2, {9, 16}, {50}, 1), {2}),
      coordinatesRequest()};
  return requests;
}

// DirectML in its own worker.
class DirectMl {
 public:
  explicit DirectMl(const std::string& mutant = "") : worker_({commandLine(mutant), {}}) {
    const Outcome<Hello> hello = worker_.hello(120s);
    const auto* failure = std::get_if<Failure>(&hello);
    EXPECT_EQ(failure, nullptr) << describe(*failure) << worker_.takeStderr();
    if (failure == nullptr) target_ = std::get<Hello>(hello).identity.target;
  }

  const std::string& target() const { return target_; }

  std::vector<Answer> run(const Modes& modes, const std::vector<Request>& some = requests()) {
    std::vector<Answer> answers;
    for (const Request& request : test::modes(modes, some)) {
      worker_.send({&request, 1});
      Outcome<Answers> outcome = worker_.receive(120s);
      if (const auto* failure = std::get_if<Failure>(&outcome)) {
        ADD_FAILURE() << name(modes) << ": " << describe(*failure) << worker_.takeStderr();
        return {};
      }
      answers.push_back(std::move(std::get<Answers>(outcome).answers.front()));
    }
    return answers;
  }

 private:
  static std::vector<std::string> commandLine(const std::string& mutant) {
    std::vector<std::string> command{std::string(DMLCTS_SOURCE) + "/gpu/directml/worker"};
    if (!mutant.empty()) command.insert(command.end(), {"--mode-mutant", mutant});
    return command;
  }

  Worker worker_;
  std::string target_;
};

TEST(DirectMlModes, GiveWhatTheOrdinaryModeGives) {
  DirectMl directMl;
  EXPECT_EQ(directMl.target(), "directml");
  const std::vector<Answer> expected = directMl.run({});
  const std::vector<Answer> last{expected.back()};
  std::vector<Modes> all;
  for (Mode mode : test::modesOf("directml")) all.push_back(test::only(mode));
  for (const std::initializer_list<Mode> some :
       {std::initializer_list<Mode>{Mode::Graph, Mode::OwnedByDml, Mode::Reset, Mode::BatchInit,
                                    Mode::Compute, Mode::Placed, Mode::TightTemporary,
                                    Mode::Rebind},
        {Mode::OwnedByDml, Mode::SharedBuffer, Mode::RecordOnce},
        {Mode::Graph, Mode::Many, Mode::HalfPrecision},
        {Mode::NonzeroGraph, Mode::BatchInit, Mode::Rebind, Mode::NoMetacommands},
        {Mode::Volatile, Mode::Rebind, Mode::Reset, Mode::OwnedByDml},
        {Mode::Reset, Mode::TwoQueues}}) {
    Modes& modes = all.emplace_back();
    for (Mode mode : some) modes.add(mode);
  }
  for (const Modes& modes : all) {
    const std::string differences =
        modes.has(Mode::NonzeroGraph)
            ? test::differencesFrom(last, directMl.run(modes, {requests().back()}), modes)
            : test::differencesFrom(expected, directMl.run(modes), modes);
    EXPECT_EQ(differences, "") << name(modes);
  }
}

TEST(DirectMlModes, SayWhichIndicesAreNoCoordinates) {
  DirectMl directMl;
  Request swapped = coordinatesRequest();
  BufferImage& indices = swapped.inputs.back();
  std::swap_ranges(&indices.bytes[indices.offset], &indices.bytes[indices.offset + 8],
                   &indices.bytes[indices.offset + 8]);
  Modes owned = test::only(Mode::NonzeroGraph);
  owned.add(Mode::OwnedByDml);
  const auto why = [&](const Modes& modes, const Request& request) {
    const Answer answer = directMl.run(modes, {request}).at(0);
    EXPECT_EQ(answer.status, Status::NotSupported);
    return answer.message;
  };
  EXPECT_THAT(why(test::only(Mode::NonzeroGraph), requests()[0]), testing::HasSubstr("no indices"));
  EXPECT_THAT(why(test::only(Mode::NonzeroGraph), requests()[1]), testing::HasSubstr("in order"));
  EXPECT_THAT(why(test::only(Mode::NonzeroGraph), swapped), testing::HasSubstr("in order"));
  EXPECT_THAT(why(owned, coordinatesRequest()), testing::HasSubstr("OWNED_BY_DML"));
}

TEST(DirectMlModeMutants, AreWrongInTheirModeAndInNoOther) {
  const std::vector<Request> one{requests().back()};
  for (const ModeMutant& mutant : kModeMutants) {
    if (takes("d3d12", mutant.mode)) continue;
    DirectMl directMl{std::string(mutant.name)};
    EXPECT_EQ(directMl.target(), "mutant:mode." + std::string(mutant.name));
    const std::vector<Answer> expected = directMl.run({}, one);
    for (Mode mode : test::modesOf("directml")) {
      if (takes("d3d12", mode)) continue;
      const Modes modes = test::only(mode);
      EXPECT_EQ(test::differencesFrom(expected, directMl.run(modes, one), modes).empty(),
                mode != mutant.mode)
          << mutant.name << " in mode " << name(modes);
    }
  }
}

}  // namespace
}  // namespace dmlcts::gpu
