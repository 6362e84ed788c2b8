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
};

class FakeTarget : public Target {
 public:
  explicit FakeTarget(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
  ~FakeTarget() override {
    if (behaviour_.released != nullptr) *behaviour_.released = true;
  }

  Identity identity() override {
    Identity identity;
    identity.target = "fake";
    return identity;
  }

  bool takes(Mode mode) const override { return mode == Mode::Placed; }

  std::vector<Answer> run(std::span<const Request> requests) override {
    if (!behaviour_.runThrows.empty()) throw std::runtime_error(behaviour_.runThrows);
    std::vector<Answer> answers;
    for (const Request& request : requests) answers.push_back(untouched(request));
    answers.resize(answers.size() - behaviour_.answersLost);
    return answers;
  }

  Timing time(const Request& request, uint32_t repetitions, uint64_t) override {
    return {Status::Executed,
            "",
            std::vector<double>(repetitions, 12.5),
            untouched(request).outputs,
            {{"pass", 2.5}}};
  }

  double bareSeconds(std::span<const Request> requests) override {
    return 0.25 * static_cast<double>(requests.size());
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
                                       encodeBare(requests), encode(Copy{16, 1}), encodeBye()}),
                               received, {&released, "", 0});
  EXPECT_EQ(status, kExitDone);
  EXPECT_TRUE(released);
  ASSERT_EQ(received.count(), 5u);
  EXPECT_EQ(received.at<Hello>(0).protocol, kProtocolVersion);
  EXPECT_EQ(received.at<Hello>(0).identity.target, "fake");
  EXPECT_THAT(
      *received.at<Hello>(0).capabilities,
      testing::ElementsAre(kTensorFields, kSequences, kMisuse, kPieces, kEvict, "mode.placed"));
  ASSERT_EQ(received.at<Answers>(1).answers.size(), 2u);
  EXPECT_EQ(received.at<Answers>(1).answers[1].id, 7u);
  EXPECT_EQ(received.at<Answers>(1).answers[1].outputs[0], requests[1].outputs[0].bytes);
  EXPECT_EQ(received.at<Timing>(2).nanoseconds, std::vector(3, 12.5));
  EXPECT_EQ(received.at<Timing>(2).outputs[0], requests[0].outputs[0].bytes);
  EXPECT_EQ(received.at<Timing>(2).passes, (std::vector<PassTime>{{"pass", 2.5}}));
  EXPECT_EQ(received.at<BareSeconds>(3).seconds, 0.5);
  EXPECT_EQ(received.at<CopyTiming>(4).status, Status::NotSupported);
}

LargeRequest exampleLargeRequest(const Request& request) {
  LargeRequest large{request.id, request.level, request.descriptor, {}, {}};
  const auto extentOf = [](const BufferImage& image) {
    return BufferExtent{image.bytes.size(), image.offset, image.size};
  };
  std::ranges::transform(request.inputs, std::back_inserter(large.inputs), extentOf);
  std::ranges::transform(request.outputs, std::back_inserter(large.outputs), extentOf);
  return large;
}

// Uses a target that supports only whole requests.
TEST(Serve, HoldsWhatComesInPieces) {
  Received received;
  const Request request = exampleRequest(6);
  const Bytes whole = request.outputs[0].bytes;
  const Bytes first(whole.begin(), whole.begin() + 10);
  const Bytes rest(whole.begin() + 10, whole.end());
  const auto size = static_cast<uint64_t>(whole.size());
  EXPECT_EQ(serveFake(Script({encode(Piece{PieceStep::Open, exampleLargeRequest(request)}),
                              encode(Piece{PieceStep::Put, {}, 2, 10, 0, rest}),
                              encode(Piece{PieceStep::Put, {}, 2, 0, 0, first}),
                              encode(Piece{PieceStep::Execute}),
                              encode(Piece{PieceStep::Get, {}, 2, 1, size - 1}),
                              encode(Piece{PieceStep::Get, {}, 0, 0, 4}),
                              encode(Piece{PieceStep::Close}), encodeBye()}),
                      received),
            kExitDone);
  ASSERT_EQ(received.count(), 8u);
  for (size_t i : {1, 2, 3, 5, 6, 7}) {
    EXPECT_EQ(received.at<StepReply>(i).status, Status::Created) << i;
  }
  EXPECT_EQ(received.at<StepReply>(4).status, Status::Executed);
  EXPECT_EQ(received.at<StepReply>(5).bytes, Bytes(whole.begin() + 1, whole.end()));
  EXPECT_EQ(received.at<StepReply>(6).bytes, Bytes(4));
}

TEST(Serve, RefusesPiecesOutsideTheOpenRequest) {
  const Request request = exampleRequest(6);
  const uint64_t size = request.outputs[0].bytes.size();
  const Bytes open = encode(Piece{PieceStep::Open, exampleLargeRequest(request)});
  const std::vector<std::pair<std::vector<Bytes>, std::string>> scripts{
      {{encode(Piece{PieceStep::Execute})}, "no request is open"},
      {{encode(Piece{PieceStep::Put, {}, 0, 0, 0, {}})}, "0 where 0 are open"},
      {{open, encode(Piece{PieceStep::Get, {}, 3, 0, 1})}, "3 where 3 are open"},
      {{open, encode(Piece{PieceStep::Get, {}, 2, size, 1})}, "reach beyond"},
      {{open, encode(Piece{PieceStep::Get, {}, 2, ~uint64_t{0}, 2})}, "reach beyond"},
      {{open, encode(Piece{PieceStep::Put, {}, 2, size - 1, 0, Bytes(2)})}, "reach beyond"},
      {{open, encode(Piece{PieceStep::Close}), encode(Piece{PieceStep::Get, {}, 2, 0, 1})},
       "2 where 0 are open"},
  };
  for (const auto& [script, text] : scripts) {
    Received received;
    EXPECT_EQ(serveFake(Script(script), received), kExitMalformed) << text;
    const auto& trouble = received.at<ErrorReply>(received.count() - 1);
    EXPECT_EQ(trouble.kind, ErrorReply::Kind::Protocol);
    EXPECT_THAT(trouble.text, testing::HasSubstr(text));
  }
}

// The target would report whatever reaches it.
TEST(Serve, RefusesNumbersThatNoDriverSurvives) {
  const auto refused = [](const Bytes& order) -> std::string {
    Received received;
    EXPECT_EQ(serveFake(Script({order, encodeBye()}), received), kExitMalformed);
    return received.at<ErrorReply>(1).text;
  };
  const Request request = exampleRequest(6);
  EXPECT_EQ(refused(encodeTime(request, 1, UINT64_MAX - 15)),
            "time.evict: 18446744073709551600 bytes, more than 1073741824");
  EXPECT_EQ(refused(encode(Copy{UINT64_MAX - 15, 1})),
            "copy.bytes: 18446744073709551600 bytes, more than 17179869184");
  LargeRequest large = exampleLargeRequest(request);
  large.outputs = {{UINT64_MAX, 0, 4}};
  EXPECT_EQ(refused(encode(Piece{PieceStep::Open, large})),
            "open.bytes: 18446744073709551615 bytes, more than 68719476736");

  const auto sequence = [&](std::vector<SequenceCall> calls) {
    return refused(encodeSequence({{Bytes(64), Bytes(64)}, std::move(calls)}));
  };
  const auto copy = [](uint64_t from, uint32_t to, uint64_t bytes) {
    return SequenceCall{
        .kind = CallKind::Copy, .bytes = bytes, .from = {{0, from}}, .to = {{to, 0}}};
  };
  EXPECT_EQ(sequence({copy(0, 1, 64), copy(16, 1, 64)}),
            "sequence.calls[1]: 64 bytes from 16 on reach beyond the 64 of buffer 0");
  EXPECT_EQ(sequence({copy(UINT64_MAX - 15, 1, 32)}),
            "sequence.calls[0]: 32 bytes from 18446744073709551600 on reach beyond the 64 of "
            "buffer 0");
  EXPECT_EQ(sequence({copy(0, 2, 16)}),
            "sequence.calls[0]: 16 bytes from 0 on reach beyond the 0 of buffer 2");
  const SequenceCall create{.kind = CallKind::Create,
                            .asked = AskedOperator{request.level, request.descriptor}};
  const auto bind = [](std::vector<Place> from, std::vector<Place> to) {
    return SequenceCall{
        .kind = CallKind::Bind, .operators = {0}, .from = std::move(from), .to = std::move(to)};
  };
  EXPECT_EQ(sequence({bind({}, {})}), "sequence.calls[0]: there is no such operator or table");
  EXPECT_EQ(sequence({create, bind({{0, 0}}, {})}), "sequence.calls[1]: a tensor has no place");
  EXPECT_EQ(sequence({create, bind({{0, 1}, {0, 0}}, {{1, 0}})}),
            "sequence.calls[1]: a tensor is not aligned");
  EXPECT_THAT(sequence({create, bind({{0, 0}, {0, 64}}, {{1, 0}})}),
              testing::HasSubstr("on reach beyond the 64 of buffer 0"));
  EXPECT_EQ(sequence({create, bind({{0, 0}, {0, 0}, {0, 0}}, {{1, 0}})}),
            "sequence.calls[1]: there are more places than tensors");
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
