#include "gpu/worker/serve.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/wire/test/example_messages.h"

namespace dmlcts::gpu {
namespace {

// The harness's bytes, delivered in small pieces.
class Script : public ByteSource {
 public:
  explicit Script(const std::vector<Bytes>& frames) {
    for (const Bytes& frame : frames) bytes_.insert(bytes_.end(), frame.begin(), frame.end());
  }

  size_t read(std::span<uint8_t> into) override {
    const size_t count = std::min({into.size(), bytes_.size(), size_t{7}});
    std::copy_n(bytes_.begin(), count, into.begin());
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(count));
    return count;
  }

 private:
  std::deque<uint8_t> bytes_;
};

// Collects the frames that a harness would receive.
class Received : public ByteSink {
 public:
  explicit Received(size_t readsFrames = SIZE_MAX) : readsFrames_(readsFrames) {}

  bool write(std::span<const uint8_t> frame) override {
    if (replies_.size() == readsFrames_) return false;
    replies_.push_back(decodeReply(frame.subspan(kFrameHeaderBytes)));
    return true;
  }

  size_t count() const { return replies_.size(); }

  template <class Message>
  const Message& at(size_t index) const {
    return std::get<Message>(replies_.at(index));
  }

 private:
  size_t readsFrames_;
  std::vector<Reply> replies_;
};

struct Behaviour {
  bool* released = nullptr;
  std::string runThrows;
  size_t answersLost = 0;
  bool fails = false;  // every execution
};

class FakeTarget : public UntouchedTarget {
 public:
  explicit FakeTarget(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
  ~FakeTarget() override {
    if (behaviour_.released != nullptr) *behaviour_.released = true;
  }

  bool takes(Mode mode) const override { return mode == Mode::Placed; }

  std::vector<Answer> run(std::span<const Request> requests) override {
    if (!behaviour_.runThrows.empty()) throw std::runtime_error(behaviour_.runThrows);
    std::vector<Answer> answers = UntouchedTarget::run(requests);
    answers.resize(answers.size() - behaviour_.answersLost);
    if (behaviour_.fails && requests[0].execute) answers = {Answer()};
    return answers;
  }

 private:
  Behaviour behaviour_;
};

int serveFake(Script script, Received& received, const Behaviour& behaviour = {}) {
  return serve([&] { return std::make_unique<FakeTarget>(behaviour); }, script, received);
}

TEST(Serve, AnswersEachOrderAndReleasesTheTarget) {
  bool released = false;
  Received received;
  const std::vector requests{exampleRequest(6), exampleRequest(7)};
  const int status = serveFake(Script({encodeRun(requests), encodeTime(requests[0], 3, 0),
                                       encode(Bare{requests}), encode(Copy{16, 1}), encode(Bye{})}),
                               received, {&released, "", 0});
  EXPECT_EQ(status, kExitDone);
  EXPECT_TRUE(released);
  ASSERT_EQ(received.count(), 5u);
  EXPECT_EQ(received.at<Hello>(0).protocol, kProtocolVersion);
  EXPECT_EQ(received.at<Hello>(0).identity.target, "untouched");
  EXPECT_THAT(*received.at<Hello>(0).capabilities,
              testing::ElementsAre(kTensorFields, kPrograms, kEvict, "mode.placed"));
  ASSERT_EQ(received.at<Answers>(1).answers.size(), 2u);
  EXPECT_EQ(received.at<Answers>(1).answers[1].id, 7u);
  EXPECT_EQ(received.at<Answers>(1).answers[1].outputs[0], requests[1].outputs[0].bytes);
  EXPECT_EQ(received.at<Timing>(2).nanoseconds, std::vector(3, 12.5));
  EXPECT_EQ(received.at<Timing>(2).outputs[0], requests[0].outputs[0].bytes);
  EXPECT_EQ(received.at<Timing>(2).passes, (std::vector<PassTime>{{"pass", 2.5}}));
  EXPECT_EQ(received.at<BareSeconds>(3).seconds, 0.5);
  EXPECT_EQ(received.at<CopyTiming>(4).region, std::vector(1, 3000.0));
}

// Creates the request's operator, and binds it to a buffer per tensor.
std::vector<Call> opening(const Request& request) {
  return {call::Create{request.level, request.descriptor},
          call::Buffer{0, request.inputs[0].bytes.size()},
          call::Buffer{1, request.inputs[1].bytes.size()},
          call::Buffer{2, request.outputs[0].bytes.size()},
          call::Bind{.inputs = {{0, 16}, {1, 16}}, .outputs = {{2, 16}}}};
}

// The target executes requests and nothing else.
TEST(Serve, MakesProgramsInMemoryAcrossMessages) {
  Received received;
  const Request request = exampleRequest(6);
  const Bytes whole = request.outputs[0].bytes;
  const Bytes first(whole.begin(), whole.begin() + 10);
  const Bytes rest(whole.begin() + 10, whole.end());
  EXPECT_EQ(
      serveFake(
          Script({encode(Program{opening(request), true}),
                  encode(Program{{call::Put{{2, 10}, rest}, call::Put{{2, 0}, first}}, true}),
                  encode(Program{{call::Execute{}, call::Wait{}}, true}),
                  encode(Program{{call::Get{{2, 1}, whole.size() - 1}, call::Get{{0, 0}, 4}}}),
                  encode(Bye{})}),
          received),
      kExitDone);
  ASSERT_EQ(received.count(), 5u);
  for (size_t i : {1, 2, 3, 4}) {
    EXPECT_EQ(received.at<Answers>(i).answers.at(0).status, Status::Executed) << i;
  }
  EXPECT_THAT(received.at<Answers>(4).answers[0].outputs,
              testing::ElementsAre(Bytes(whole.begin() + 1, whole.end()), Bytes(4)));
}

// A failure ends a program: whatever of it is still under way gets the same answer.
TEST(Serve, AnswersAFailedProgramUntilItsEnd) {
  Received received;
  const Request request = exampleRequest(6);
  EXPECT_EQ(
      serveFake(
          Script({encode(Program{opening(request), true}),
                  encode(Program{{call::Wait{}, call::Execute{}, call::Get{{2, 0}, 1}}, true}),
                  encode(Program{{call::Put{{2, 0}, Bytes(8)}}, true}), encode(Program{}),
                  encode(Program{opening(request)}), encode(Bye{})}),
          received, {nullptr, "", 0, true}),
      kExitDone);
  ASSERT_EQ(received.count(), 6u);
  EXPECT_EQ(received.at<Answers>(1).answers.at(0).status, Status::Executed);
  for (size_t i : {2, 3, 4}) {
    EXPECT_EQ(received.at<Answers>(i).answers.at(0).status, Status::Failed) << i;
    EXPECT_EQ(received.at<Answers>(i).answers.at(0).id, 1u) << i;
  }
  EXPECT_EQ(received.at<Answers>(5).answers.at(0).status, Status::Executed);
}

// The target would report whatever reaches it.
TEST(Serve, RefusesNumbersThatNoDriverSurvives) {
  const auto refused = [](const Bytes& order) -> std::string {
    Received received;
    EXPECT_EQ(serveFake(Script({order, encode(Bye{})}), received), kExitMalformed);
    EXPECT_EQ(received.at<ErrorReply>(1).kind, ErrorReply::Kind::Protocol);
    return received.at<ErrorReply>(1).text;
  };
  const Request request = exampleRequest(6);
  const auto program = [&](std::vector<Call> calls) {
    const Call buffers[] = {call::Buffer{0, 64}, call::Buffer{1, 64}};
    calls.insert(calls.begin(), std::begin(buffers), std::end(buffers));
    return refused(encode(Program{std::move(calls)}));
  };
  for (const Call& outside : std::vector<Call>{
           call::Get{{2, 0}, 1}, call::Get{{1, 64}, 1}, call::Get{{1, ~uint64_t{0}}, 2},
           call::Put{{1, 63}, Bytes(2)}, call::Put{{2, 0}, {}}}) {
    EXPECT_THAT(program({outside}), testing::HasSubstr("on reach beyond the ")) << outside.index();
  }
  EXPECT_EQ(program({call::Get{{0, 0}, 64}, call::Get{{0, 16}, 64}}),
            "program.calls[3]: 64 bytes from 16 on reach beyond the 64 of buffer 0");
  EXPECT_EQ(program({call::Buffer{1, 16}}), "program.calls[2]: there is such a buffer");
  const call::Create create{request.level, request.descriptor};
  const auto bind = [](std::vector<Place> inputs, std::vector<Place> outputs) {
    return call::Bind{.inputs = std::move(inputs), .outputs = std::move(outputs)};
  };
  EXPECT_EQ(program({create, create}), "program.calls[3]: there is an operator");
  EXPECT_EQ(program({bind({}, {})}), "program.calls[2]: there is no operator");
  EXPECT_EQ(program({create, call::Execute{}}), "program.calls[3]: nothing is bound");
  EXPECT_EQ(program({create, bind({{0, 0}}, {})}), "program.calls[3]: a tensor has no place");
  EXPECT_EQ(program({create, bind({{0, 1}, {0, 0}}, {{1, 0}})}),
            "program.calls[3]: a tensor is not aligned");
  EXPECT_THAT(program({create, bind({{0, 0}, {0, 64}}, {{1, 0}})}),
              testing::HasSubstr("on reach beyond the 64 of buffer 0"));
  EXPECT_EQ(program({create, bind({{0, 0}, {0, 0}, {0, 0}}, {{1, 0}})}),
            "program.calls[3]: there are more places than tensors");

  // An earlier program leaves nothing bound.
  Received received;
  EXPECT_EQ(
      serveFake(Script({encode(Program{opening(request)}), encode(Program{{call::Execute{}}})}),
                received),
      kExitMalformed);
  EXPECT_EQ(received.at<ErrorReply>(2).text, "program.calls[0]: nothing is bound");
}

TEST(Serve, LeavesCleanlyWhenTheHarnessClosesTheStream) {
  bool released = false;
  Received received;
  EXPECT_EQ(serveFake(Script({}), received, {&released, "", 0}), kExitDone);
  EXPECT_TRUE(released);
  EXPECT_EQ(received.count(), 1u);
}

TEST(Serve, LeavesCleanlyWhenNobodyReadsAnyMore) {
  Received received(1);
  EXPECT_EQ(serveFake(Script({encodeRun({}), encodeRun({})}), received), kExitDone);
  EXPECT_EQ(received.count(), 1u);
}

template <class Error>
void tellsWhyItCannotBeMade(const char* why, int status, ErrorReply::Kind kind) {
  Script script({});
  Received received;
  const auto factory = [&]() -> std::unique_ptr<Target> { throw Error(why); };
  EXPECT_EQ(serve(factory, script, received), status);
  ASSERT_EQ(received.count(), 1u);
  EXPECT_EQ(received.at<ErrorReply>(0).kind, kind);
  EXPECT_EQ(received.at<ErrorReply>(0).text, why);
}

TEST(Serve, TellsWhyTheTargetCannotBeMade) {
  tellsWhyItCannotBeMade<std::runtime_error>("no adapter 3; there are 2", kExitTargetBroken,
                                             ErrorReply::Kind::Target);
  tellsWhyItCannotBeMade<std::invalid_argument>("--shader-model 6.0: not here", kExitMalformed,
                                                ErrorReply::Kind::Options);
}

TEST(Serve, TellsThatTheTargetIsBeyondUse) {
  bool released = false;
  Received received;
  const int status = serveFake(Script({encodeRun({}), encodeRun({})}), received,
                               {&released, "the device is gone", 0});
  EXPECT_EQ(status, kExitTargetBroken);
  EXPECT_TRUE(released);
  ASSERT_EQ(received.count(), 2u);
  EXPECT_EQ(received.at<ErrorReply>(1).text, "the device is gone");
}

TEST(Serve, DoesNotSendFewerAnswersThanWereAsked) {
  Received received;
  const std::vector requests{exampleRequest(6), exampleRequest(7)};
  EXPECT_EQ(serveFake(Script({encodeRun(requests)}), received, {nullptr, "", 1}),
            kExitTargetBroken);
  EXPECT_EQ(received.at<ErrorReply>(1).text, "the target gave 1 answers to 2 requests");
}

TEST(Serve, RefusesMalformedBytesInWords) {
  for (const auto& [bytes, text] : std::vector<std::pair<Bytes, std::string>>{
           {{1, 0, 0, 0, 0, 0, 0, 0, 0x80},
            "message: 0 elements where a name and its content must be"},
           {{9, 0, 0, 0, 0, 0, 0, 0, 0x80}, "frame: the stream ends inside it"},
           {{0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "frame: 1099511627775 bytes, more"}}) {
    Received received;
    EXPECT_EQ(serveFake(Script({bytes}), received), kExitMalformed);
    ASSERT_EQ(received.count(), 2u);
    EXPECT_EQ(received.at<ErrorReply>(1).kind, ErrorReply::Kind::Protocol);
    EXPECT_THAT(received.at<ErrorReply>(1).text, testing::StartsWith(text));
  }
}

}  // namespace
}  // namespace dmlcts::gpu
