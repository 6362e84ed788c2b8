#include "gpu/worker/client.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "conformance/test/thrown.h"
#include "gpu/wire/test/example_messages.h"

// Tests the client with a worker that behaves.

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

WorkerCommand command(const std::string& manner) { return {{DMLCTS_HOSTILE_WORKER, manner}, {}}; }

// A worker that has said hello.
struct Greeted : Worker {
  explicit Greeted(const std::string& manner = "behaves") : Worker(command(manner)) {
    const auto said = hello(60s);
    EXPECT_TRUE(std::holds_alternative<Hello>(said)) << describe(std::get<Failure>(said));
  }
};

TEST(Worker, AnswersInOrderWithSeveralBatchesInFlight) {
  Worker worker(command("behaves"));
  const auto hello = worker.hello(60s);
  ASSERT_TRUE(std::holds_alternative<Hello>(hello)) << describe(std::get<Failure>(hello));
  EXPECT_EQ(std::get<Hello>(hello).identity.target, "untouched");
  constexpr uint64_t kBatches = 50;
  for (uint64_t sent = 0, received = 0; received < kBatches;) {
    while (sent < kBatches && worker.inFlight() < 3) {
      const std::vector batch{exampleRequest(2 * sent), exampleRequest(2 * sent + 1)};
      worker.send(batch);
      ++sent;
    }
    const auto outcome = worker.receive(60s);
    ASSERT_TRUE(std::holds_alternative<Answers>(outcome)) << describe(std::get<Failure>(outcome));
    const auto& answers = std::get<Answers>(outcome).answers;
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[0].id, 2 * received);
    EXPECT_EQ(answers[1].id, 2 * received + 1);
    EXPECT_EQ(answers[0].outputs[0], exampleRequest(0).outputs[0].bytes);
    ++received;
  }
  EXPECT_TRUE(std::holds_alternative<Finished>(worker.finish(60s)));
  EXPECT_FALSE(worker.usable());
}

TEST(Worker, DoesNotDeadlockWhenBothPipesAreFull) {
  Greeted worker;
  const std::vector batch{exampleRequest(1, 200'000)};  // some 7 MB each way
  for (int i = 0; i < 3; ++i) worker.send(batch);
  for (int i = 0; i < 3; ++i) {
    const auto outcome = worker.receive(60s);
    ASSERT_TRUE(std::holds_alternative<Answers>(outcome)) << describe(std::get<Failure>(outcome));
    EXPECT_EQ(std::get<Answers>(outcome).answers[0].outputs[0], batch[0].outputs[0].bytes);
  }
  EXPECT_TRUE(std::holds_alternative<Finished>(worker.finish(60s)));
}

// The worker ignores modes and answers as always.
TEST(Worker, RefusesAnAnswerOfAnotherModeThanWasAskedFor) {
  Greeted worker;
  Request request = exampleRequest(1);
  request.modes.add(Mode::Placed);
  worker.send({&request, 1});
  const auto outcome = worker.receive(60s);
  const auto* failure = std::get_if<Failure>(&outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_THAT(describe(*failure),
              HasSubstr("executed in the ordinary mode where mode placed was asked for"));
}

TEST(AnswerShape, HoldsEveryExecutionOfAMode) {
  Request request = exampleRequest(1);
  request.modes.add(Mode::Rebind);
  Answer answer = untouched(request);
  answer.modes = request.modes;
  const auto fault = [&] {
    return thrown<ProtocolError>([&] { checkAnswers(answerShapes({&request, 1}), {&answer, 1}); },
                                 "no fault");
  };
  EXPECT_THAT(fault(), HasSubstr("more: 0 executions where the mode has 2"));
  answer.more.assign(2, answer);
  EXPECT_EQ(fault(), "no fault");
  answer.more[1].outputs[0].pop_back();
  EXPECT_THAT(fault(), HasSubstr("more[1].outputs[0]: "));
}

TEST(Worker, TimesAndMeasuresTheBareApi) {
  Greeted worker;
  const auto before = worker.moments().sent;
  const auto timing =
      worker.time(encodeTime(exampleRequest(1), 1000, 0), exampleRequest(1), 1000, 60s);
  ASSERT_TRUE(std::holds_alternative<Timing>(timing));
  EXPECT_EQ(std::get<Timing>(timing).nanoseconds, std::vector<double>(1000, 12.5));
  EXPECT_EQ(std::get<Timing>(timing).outputs[0], exampleRequest(1).outputs[0].bytes);
  EXPECT_GE(worker.moments().sent, before);
  EXPECT_GE(worker.moments().answering, worker.moments().sent);
  const auto bare = worker.bare(std::vector{exampleRequest(1)}, 60s);
  ASSERT_TRUE(std::holds_alternative<BareSeconds>(bare));
  EXPECT_EQ(std::get<BareSeconds>(bare).seconds, 0.25);
  const auto copied = worker.copy(1024, 3, 60s);
  ASSERT_TRUE(std::holds_alternative<CopyTiming>(copied));
  EXPECT_EQ(std::get<CopyTiming>(copied).kernel, std::vector<double>(3, 2000));
  EXPECT_EQ(std::get<CopyTiming>(copied).region, std::vector<double>(3, 3000));
}

TEST(Worker, DriversMayPrintToStdout) {
  Greeted worker("noisy");
  worker.send(std::vector{exampleRequest(1)});
  const auto outcome = worker.receive(60s);
  ASSERT_TRUE(std::holds_alternative<Answers>(outcome)) << describe(std::get<Failure>(outcome));
  EXPECT_TRUE(std::holds_alternative<Finished>(worker.finish(60s)));
  const std::string text = worker.takeStderr();
  EXPECT_THAT(text, HasSubstr("a driver prints with stdio"));
  EXPECT_THAT(text, HasSubstr("a driver prints without"));
}

TEST(Worker, PassesOnTheWordsOfATargetThatCannotBeMade) {
  Worker worker(command("unmakable"));
  const auto hello = worker.hello(60s);
  ASSERT_TRUE(std::holds_alternative<Failure>(hello));
  EXPECT_EQ(describe(std::get<Failure>(hello)), "the worker gave up: no such adapter");
}

TEST(Worker, PassesOnTheWordsOfATargetBeyondUse) {
  Greeted worker("broken");
  worker.send(std::vector{exampleRequest(1)});
  const auto outcome = worker.receive(60s);
  ASSERT_TRUE(std::holds_alternative<Failure>(outcome));
  EXPECT_EQ(describe(std::get<Failure>(outcome)), "the worker gave up: the device is gone");
}

TEST(Worker, SaysThatACommandCannotBeStarted) {
  EXPECT_EQ(thrown<std::runtime_error>([&] { Worker worker({{"/nonexistent/worker"}, {}}); }),
            "cannot start the worker /nonexistent/worker: No such file or directory");
  EXPECT_THROW(Worker({{}, {}}), std::runtime_error);
}

TEST(Worker, GetsItsArgumentsAndEnvironment) {
  Worker worker(
      {{"sh", "-c", "echo $0 $DMLCTS_TEST >&2; exit 7", "zero"}, {{"DMLCTS_TEST", "set"}}});
  const auto hello = worker.hello(60s);
  EXPECT_EQ(describe(std::get<Failure>(hello)), "the worker crashed: exit status 7");
  EXPECT_EQ(worker.takeStderr(), "zero set\n");
}

TEST(Worker, SendsNoMalformedRequest) {
  Greeted worker;
  Request bad = exampleRequest(1);
  bad.inputs[0].offset = 8;
  EXPECT_THROW(worker.send(std::vector{bad}), ProtocolError);
  EXPECT_EQ(worker.inFlight(), 0u);
  worker.send(std::vector{exampleRequest(1)});
  EXPECT_TRUE(std::holds_alternative<Answers>(worker.receive(60s)));
}

TEST(Worker, RefusesCallsInTheWrongOrder) {
  Worker worker(command("behaves"));
  EXPECT_THROW(worker.send({}), std::logic_error);
  ASSERT_TRUE(std::holds_alternative<Hello>(worker.hello(60s)));
  EXPECT_THROW(worker.hello(60s), std::logic_error);
  EXPECT_THROW(worker.receive(60s), std::logic_error);
  worker.send({});
  EXPECT_THROW(worker.finish(60s), std::logic_error);
  EXPECT_THROW(worker.bare({}, 60s), std::logic_error);
  worker.kill();
  EXPECT_THROW(worker.send({}), std::logic_error);
  EXPECT_EQ(worker.inFlight(), 0u);
}

}  // namespace
}  // namespace dmlcts::gpu
