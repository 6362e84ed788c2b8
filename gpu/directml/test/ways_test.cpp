// Every way of having DirectML execute gives what the ordinary way gives, and a mutant of a way
// that only DirectML takes is wrong in that way alone. Under Wine.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/d3d12/test/way_answers.h"
#include "gpu/worker/client.h"

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;

// Whose indices are the coordinates of a tensor of 2x4, in order.
Request coordinatesRequest() {
  Request request = test::requestOf(
      test::gatherOf(DataType::Float16, {3, 4, 5}, DataType::UInt32, {1, 8, 2}, {1, 8, 5}, 3, 2),
      {3});
  BufferImage& indices = request.inputs.back();
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t tuple[]{i / 4, i % 4};
    std::memcpy(&indices.bytes[indices.offset + i * sizeof tuple], tuple, sizeof tuple);
  }
  return request;
}

const std::vector<Request>& requests() {
  static const std::vector<Request> requests{
      test::requestOf(test::nonzeroOf(DataType::Float32, {3, 50}, 2), {1}),
      test::requestOf(
          test::gatherOf(DataType::Float16, {9, 16}, DataType::Int32, {50, 1}, {50, 16}, 2, 2),
          {2}),
      coordinatesRequest()};
  return requests;
}

// DirectML in a worker of its own.
class DirectMl {
 public:
  explicit DirectMl(const std::string& mutant = "") : worker_({commandLine(mutant), {}}) {
    const Outcome<Hello> hello = worker_.hello(120s);
    const auto* failure = std::get_if<Failure>(&hello);
    EXPECT_EQ(failure, nullptr) << describe(*failure) << worker_.takeStderr();
    if (failure == nullptr) target_ = std::get<Hello>(hello).identity.target;
  }

  const std::string& target() const { return target_; }

  std::vector<Answer> run(const Ways& ways, const std::vector<Request>& some = requests()) {
    std::vector<Answer> answers;
    // One by one: a batch shares what is read back.
    for (const Request& request : test::via(ways, some)) {
      worker_.send({&request, 1});
      Outcome<Answers> outcome = worker_.receive(120s);
      if (const auto* failure = std::get_if<Failure>(&outcome)) {
        ADD_FAILURE() << name(ways) << ": " << describe(*failure) << worker_.takeStderr();
        return {};
      }
      answers.push_back(std::move(std::get<Answers>(outcome).answers.front()));
    }
    return answers;
  }

 private:
  static std::vector<std::string> commandLine(const std::string& mutant) {
    std::vector<std::string> command{std::string(DMLCTS_SOURCE) + "/gpu/directml/worker"};
    if (!mutant.empty()) command.insert(command.end(), {"--way-mutant", mutant});
    return command;
  }

  Worker worker_;
  std::string target_;
};

TEST(DirectMlWays, GiveWhatTheOrdinaryWayGives) {
  DirectMl directMl;
  EXPECT_EQ(directMl.target(), "directml");
  const std::vector<Answer> expected = directMl.run({});
  const std::vector<Answer> last{expected.back()};
  std::vector<Ways> all;
  for (Way way : test::waysOf("directml")) all.push_back(test::only(way));
  for (const std::initializer_list<Way> some :
       {std::initializer_list<Way>{Way::Graph, Way::OwnedByDml, Way::Reset, Way::BatchInit,
                                   Way::Compute, Way::Placed, Way::TightTemporary, Way::Rebind},
        {Way::OwnedByDml, Way::SharedBuffer, Way::RecordOnce},
        {Way::Graph, Way::Many, Way::HalfPrecision},
        {Way::NonzeroGraph, Way::BatchInit, Way::Rebind, Way::NoMetacommands},
        {Way::Volatile, Way::Rebind, Way::Reset, Way::OwnedByDml},
        {Way::Reset, Way::TwoQueues}}) {
    Ways& ways = all.emplace_back();
    for (Way way : some) ways.add(way);
  }
  for (const Ways& ways : all) {
    const std::string differences =
        ways.has(Way::NonzeroGraph)
            ? test::differencesFrom(last, directMl.run(ways, {requests().back()}), ways)
            : test::differencesFrom(expected, directMl.run(ways), ways);
    EXPECT_EQ(differences, "") << name(ways);
  }
}

TEST(DirectMlWays, SayWhichIndicesAreNoCoordinates) {
  DirectMl directMl;
  Request swapped = coordinatesRequest();
  BufferImage& indices = swapped.inputs.back();
  std::swap_ranges(&indices.bytes[indices.offset], &indices.bytes[indices.offset + 8],
                   &indices.bytes[indices.offset + 8]);
  Ways owned = test::only(Way::NonzeroGraph);
  owned.add(Way::OwnedByDml);
  const auto why = [&](const Ways& ways, const Request& request) {
    const Answer answer = directMl.run(ways, {request}).at(0);
    EXPECT_EQ(answer.status, Status::NotSupported);
    return answer.message;
  };
  EXPECT_THAT(why(test::only(Way::NonzeroGraph), requests()[0]), testing::HasSubstr("no indices"));
  EXPECT_THAT(why(test::only(Way::NonzeroGraph), requests()[1]), testing::HasSubstr("in order"));
  EXPECT_THAT(why(test::only(Way::NonzeroGraph), swapped), testing::HasSubstr("in order"));
  EXPECT_THAT(why(owned, coordinatesRequest()), testing::HasSubstr("OWNED_BY_DML"));
}

TEST(DirectMlWayMutants, AreWrongInTheirWayAndInNoOther) {
  const std::vector<Request> one{requests().back()};
  for (const WayMutant& mutant : kWayMutants) {
    if (takes("d3d12", mutant.way)) continue;
    DirectMl directMl{std::string(mutant.name)};
    EXPECT_EQ(directMl.target(), "mutant:way." + std::string(mutant.name));
    const std::vector<Answer> expected = directMl.run({}, one);
    for (Way way : test::waysOf("directml")) {
      if (takes("d3d12", way)) continue;
      const Ways ways = test::only(way);
      EXPECT_EQ(test::differencesFrom(expected, directMl.run(ways, one), ways).empty(),
                way != mutant.way)
          << mutant.name << " via " << name(ways);
    }
  }
}

}  // namespace
}  // namespace dmlcts::gpu
