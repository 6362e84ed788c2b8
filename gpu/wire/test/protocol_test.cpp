#include "gpu/wire/protocol.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "gpu/wire/frame.h"
#include "gpu/wire/test/arbitrary_messages.h"
#include "gpu/wire/test/example_messages.h"

// Messages survive writing and reading, also through nlohmann::json. That orders members
// differently and shortens numbers, as a worker in another language might.

namespace dmlcts::gpu {
namespace {

using nlohmann::json;

Bytes payload(const Bytes& frame) {
  FrameReader reader;
  size_t at = 0;
  while (!reader.complete()) {
    const auto space = reader.space();
    std::copy_n(frame.begin() + static_cast<ptrdiff_t>(at), space.size(), space.begin());
    reader.commit(space.size());
    at += space.size();
  }
  return {reader.payload().begin(), reader.payload().end()};
}

Bytes byNlohmann(const Bytes& bytes) { return json::to_cbor(json::from_cbor(bytes)); }

template <class Message, class Check>
void checkOrder(const Bytes& frame, Check check) {
  const Bytes bytes = payload(frame);
  for (const Bytes& payload : {bytes, byNlohmann(bytes)}) {
    ProgramState program;
    check(std::get<Message>(decodeOrder(payload, program)));
  }
}

template <class Message, class Check>
void checkReply(const Bytes& frame, Check check) {
  const Bytes bytes = payload(frame);
  check(std::get<Message>(decodeReply(bytes)));
  check(std::get<Message>(decodeReply(byNlohmann(bytes))));
}

template <class Message>
void orderComesBack() {
  const auto sent = arbitraryMessage<Message>();
  checkOrder<Message>(encode(sent), [&](const Message& read) { RC_ASSERT(same(read, sent)); });
}

template <class Message>
void replyComesBack() {
  const auto sent = arbitraryMessage<Message>();
  checkReply<Message>(encode(sent), [&](const Message& read) { RC_ASSERT(same(read, sent)); });
}

RC_GTEST_PROP(Protocol, OrdersComeBack, ()) {
  orderComesBack<Run>();
  orderComesBack<Bare>();
  orderComesBack<Time>();
  orderComesBack<Copy>();
  checkOrder<Bye>(encode(Bye{}), [](const Bye&) {});
}

RC_GTEST_PROP(Protocol, RepliesComeBack, ()) {
  replyComesBack<Hello>();
  replyComesBack<Answers>();
  replyComesBack<Timing>();
  replyComesBack<BareSeconds>();
  replyComesBack<CopyTiming>();
  replyComesBack<ErrorReply>();
}

// The members that the README lists for workers in other languages.
TEST(Protocol, SpellsGatherNd1AsTheReadmeDoes) {
  const auto tensor = [](std::vector<uint32_t> sizes) {
    return TensorDesc{DataType::Float64, std::move(sizes), std::nullopt, 8};
  };
  Request request;
  request.descriptor = GatherNd1{tensor({1}), tensor({2}), tensor({3}), 4, 5, 6};
  request.execute = false;
  const json order = json::from_cbor(payload(encodeRun({&request, 1})));
  const json& descriptor = order[1]["requests"][0]["descriptor"];
  const auto encoded = [](uint32_t size) {
    return json{{"type", "f64"}, {"sizes", {size}}, {"totalBytes", 8}};
  };
  const json members{{"input", encoded(1)},        {"indices", encoded(2)},
                     {"output", encoded(3)},       {"inputDimensionCount", 4},
                     {"indicesDimensionCount", 5}, {"batchDimensionCount", 6}};
  EXPECT_EQ(descriptor, json::array({"gather_nd1", members}));
}

TEST(Protocol, ProgramsComeBack) {
  Program program = exampleProgram();
  for (const bool continues : {false, true}) {
    program.continues = continues;
    checkOrder<Program>(encode(program), [&](const Program& read) {
      EXPECT_EQ(read.calls, program.calls);
      EXPECT_EQ(read.continues, continues);
    });
  }
  const auto refuses = [&](const Call& call, size_t times = 1) {
    Program spoiled = program;
    spoiled.calls.insert(spoiled.calls.end(), times, call);
    EXPECT_THROW(encode(spoiled), ProtocolError) << call.index();
  };
  const Place nowhere{kMostBuffers, 0};
  refuses(call::Buffer{kMostBuffers, 16});
  refuses(call::Buffer{0, kMostBuffer + 1});
  refuses(call::Bind{.inputs = {nowhere}});
  refuses(call::Bind{.outputs = {nowhere}});
  refuses(call::Put{nowhere, {}});
  refuses(call::Get{nowhere, 1});
  refuses(call::Get{{}, kMostTransfer + 1});
  refuses(call::Get{{}, 1}, kMaxSlots);
  refuses(call::Wait{}, kMostCalls);
  for (const Call& ofModes :
       std::vector<Call>{call::Heap{}, call::Copy{}, call::Submit{}, call::Resubmit{}}) {
    refuses(ofModes);
  }
  EXPECT_THROW(encode(Copy{24, 1}), ProtocolError);
  EXPECT_THROW(encode(Copy{16, 0}), ProtocolError);
}

TEST(Protocol, ANewerLevelIsTheNewestKnownOne) {
  const auto hello = [](std::string_view level) {
    const Bytes frame = encode(Hello{kProtocolVersion, Identity{}});
    auto message = json::from_cbor(Bytes(frame.begin() + kFrameHeaderBytes, frame.end()));
    message[1]["identity"]["maxLevel"] = level;
    return std::get<Hello>(decodeReply(nlohmann::json::to_cbor(message))).identity;
  };
  for (std::string_view level : {"6.5", "6.10", "7.0", "10.0"}) {
    EXPECT_EQ(hello(level).maxLevel, kLevels.back()) << level;
    EXPECT_EQ(hello(level).limits.at("highest level reported"), level);
  }
  EXPECT_EQ(hello("6.4").limits, Identity{}.limits);
  for (std::string_view level : {"", "7", "7.", "7.0 ", "7.0.1", "x7.0", "-7.0", "5.3", "2.0"}) {
    EXPECT_THROW(hello(level), ProtocolError) << level;
  }
}

TEST(Protocol, TextOfAnyEncodingAndLengthIsCarried) {
  const Bytes bytes = payload(encode(ErrorReply{ErrorReply::Kind::Target, "caf\xe9"}));
  EXPECT_EQ(std::get<ErrorReply>(decodeReply(bytes)).text, "caf?");
  const Bytes longer =
      payload(encode(ErrorReply{ErrorReply::Kind::Target, std::string(100'000, 'x')}));
  EXPECT_EQ(std::get<ErrorReply>(decodeReply(longer)).text, std::string(16384, 'x'));
}

}  // namespace
}  // namespace dmlcts::gpu
