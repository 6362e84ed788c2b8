#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "conformance/test/thrown.h"
#include "gpu/wire/cbor.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/wire/test/arbitrary_messages.h"
#include "gpu/wire/test/example_messages.h"

// Malformed bytes of any kind are refused, with the place and the fault in words.

namespace dmlcts::gpu {
namespace {

using nlohmann::json;

Bytes payloadOf(const Bytes& frame) { return {frame.begin() + kFrameHeaderBytes, frame.end()}; }

Order decoded(std::span<const uint8_t> payload) {
  ProgramState program;
  return decodeOrder(payload, program);
}

template <class Call>
std::string faultOf(Call call) {
  return thrown<ProtocolError>(call, "no fault");
}

struct Spoiled {
  std::function<void(json& body)> spoil;
  std::string fault;
};

json exampleRun() {
  return json::from_cbor(payloadOf(encodeRun(std::vector{exampleRequest(6), exampleRequest(7)})));
}

json exampleAnswers() {
  const std::vector answers{untouched(exampleRequest(6)), untouched(exampleRequest(7))};
  return json::from_cbor(payloadOf(encodeAnswers(answers)));
}

TEST(StrictDecoding, RefusesEachFaultOfARun) {
  const auto request = [](json& body) -> json& { return body["requests"][1]; };
  const auto op = [&](json& body) -> json& { return request(body)["descriptor"][1]; };
  const auto image = [&](json& body) -> json& { return request(body)["inputs"][0]; };
  const std::string r = "run.requests[1]";
  const std::vector<Spoiled> all{
      {[](json& b) { b.erase("requests"); }, "run.requests: is missing"},
      {[](json& b) { b["more"] = 1; }, "run: 2 members, more than 1"},
      {[](json& b) { b = json{{"request", json::array()}}; }, "run.request: unknown member"},
      {[](json& b) { b["requests"] = 5; },
       "run.requests: an unsigned integer where an array must be"},
      {[&](json& b) { request(b) = 5; }, r + ": an unsigned integer where a map must be"},
      {[&](json& b) { request(b).erase("id"); }, r + ".id: is missing"},
      {[&](json& b) { request(b)["id"] = -1; },
       r + ".id: a negative integer where an unsigned integer must be"},
      {[&](json& b) { request(b)["level"] = "9.9"; }, r + ".level: unknown name \"9.9\""},
      {[&](json& b) { request(b)["level"] = 0x4000; },
       r + ".level: an unsigned integer where a text must be"},
      {[&](json& b) { request(b)["execute"] = 1; },
       r + ".execute: an unsigned integer where a boolean must be"},
      {[&](json& b) { request(b)["execute"] = false; },
       r + ".inputs: 2 images where a request without execution has 0"},
      {[&](json& b) { request(b)["inputs"].erase(1); },
       r + ".inputs: 1 images where gather_nd has 2"},
      {[&](json& b) { request(b)["outputs"] = json::array(); },
       r + ".outputs: 0 images where gather_nd has 1"},
      {[&](json& b) { request(b)["descriptor"][0] = "relu"; },
       r + ".descriptor: unknown name \"relu\""},
      {[&](json& b) { request(b)["descriptor"].push_back(1); },
       r + ".descriptor: 3 elements, more than 2"},
      {[&](json& b) { request(b)["descriptor"].erase(1); },
       r + ".descriptor: 1 elements where a name and its content must be"},
      {[&](json& b) { op(b).erase("indices"); }, r + ".descriptor.indices: is missing"},
      {[&](json& b) { op(b)["inputDimensionCount"] = 0x1'0000'0000; },
       r + ".descriptor.inputDimensionCount: 4294967296 is more than 4294967295"},
      {[&](json& b) { op(b)["input"]["type"] = "f33"; },
       r + ".descriptor.input.type: unknown name \"f33\""},
      {[&](json& b) { op(b)["input"]["sizes"][3] = -2; },
       r + ".descriptor.input.sizes[3]: a negative integer where an unsigned integer must be"},
      {[&](json& b) { op(b)["input"]["sizes"] = std::vector<int>(65, 1); },
       r + ".descriptor.input.sizes: 65 elements, more than 64"},
      {[&](json& b) { op(b)["indices"]["strides"] = nullptr; },
       r + ".descriptor.indices.strides: null where an array must be"},
      {[&](json& b) { op(b)["output"]["colour"] = 1; },
       r + ".descriptor.output.colour: unknown member"},
      {[&](json& b) { image(b)["offset"] = 8; },
       r + ".inputs[0].offset: 8 is not a multiple of 16"},
      {[&](json& b) { image(b)["offset"] = 80; },
       r + ".inputs[0].offset: 80 lies beyond the 64 bytes"},
      {[&](json& b) { image(b)["size"] = 49; },
       r + ".inputs[0].size: 49 from offset 16 reaches beyond the 64 bytes"},
      {[&](json& b) { image(b)["size"] = UINT64_MAX; },
       r + ".inputs[0].size: 18446744073709551615 from offset 16 reaches beyond the 64 bytes"},
      {[&](json& b) { image(b)["size"] = 31; },
       r + ".inputs: input has a range of 31 bytes, its description 32"},
      {[&](json& b) { request(b)["outputs"][0]["size"] = 0; },
       r + ".outputs: output has a range of 0 bytes, its description 32"},
      {[&](json& b) { image(b)["bytes"] = "text"; },
       r + ".inputs[0].bytes: a text where a byte string must be"},
      {[&](json& b) { request(b)["mode"] = {"placed", "magic"}; },
       r + ".mode: unknown name \"magic\""},
      {[&](json& b) { request(b)["mode"] = {"many", "many"}; }, r + ".mode.many: appears twice"},
      {[&](json& b) { request(b)["mode"] = {"many", "rebind"}; },
       r + ".mode: rebind and many cannot be combined: both set how often it executes"},
  };
  for (const Spoiled& spoiled : all) {
    json message = exampleRun();
    spoiled.spoil(message[1]);
    EXPECT_EQ(faultOf([&] { decoded(json::to_cbor(message)); }), spoiled.fault);
  }
  EXPECT_EQ(faultOf([] { decoded(json::to_cbor(exampleRun())); }), "no fault");
}

TEST(StrictDecoding, RefusesEachFaultOfAnswers) {
  const auto answer = [](json& body) -> json& { return body["answers"][1]; };
  const std::string a = "answers.answers[1]";
  const std::vector<Spoiled> all{
      {[&](json& b) { answer(b)["status"] = "great"; }, a + ".status: unknown name \"great\""},
      {[&](json& b) { answer(b).erase("status"); }, a + ".status: is missing"},
      {[&](json& b) { answer(b)["hresult"] = 0x8000'0000; },
       a + ".hresult: 2147483648 is outside -2147483648 … 2147483647"},
      {[&](json& b) { answer(b)["message"] = std::string(16385, 'x'); },
       a + ".message: a text of 16385 bytes, more than 16384"},
      {[&](json& b) { answer(b)["status"] = "rejected"; },
       a + ".outputs: buffers though nothing was executed"},
      {[&](json& b) { answer(b)["status"] = "rejected", answer(b)["outputs"] = json::array(); },
       a + ".inputs: buffers though nothing was executed"},
      {[&](json& b) { answer(b)["outputs"] = std::vector(17, json::binary({})); },
       a + ".outputs: 17 elements, more than 16"},
      {[&](json& b) { answer(b)["outputs"][0] = json::array(); },
       a + ".outputs[0]: an array where a byte string must be"},
      {[&](json& b) { answer(b)["more"] = std::vector(17, json::object()); },
       a + ".more: 17 elements, more than 16"},
      {[&](json& b) { answer(b)["more"] = std::vector(1, json::object()); },
       a + ".more[0].outputs: is missing"},
  };
  for (const Spoiled& spoiled : all) {
    json message = exampleAnswers();
    spoiled.spoil(message[1]);
    EXPECT_EQ(faultOf([&] { decodeReply(json::to_cbor(message)); }), spoiled.fault);
  }
  EXPECT_EQ(faultOf([] { decodeReply(json::to_cbor(exampleAnswers())); }), "no fault");
}

TEST(StrictDecoding, RefusesOtherMessagesFaults) {
  const auto reply = [](const json& message) {
    return faultOf([&] { decodeReply(json::to_cbor(message)); });
  };
  const auto order = [](const json& message) {
    return faultOf([&] { decoded(json::to_cbor(message)); });
  };
  EXPECT_EQ(order(json::array({"dance", json::object()})),
            "message: no message is called \"dance\"");
  EXPECT_EQ(order(exampleAnswers()), "message: no message is called \"answers\"");
  EXPECT_EQ(reply(exampleRun()), "message: no message is called \"run\"");
  EXPECT_EQ(order(json::object()), "message: a map where an array must be");
  EXPECT_EQ(order(json::array({"bye", {{"now", 1}}})), "bye: 1 members, more than 0");
  EXPECT_EQ(reply(json::array({"seconds", {{"seconds", -1}}})),
            "seconds.seconds: -1.000000 is not a length of time");
  EXPECT_EQ(reply(json::array({"seconds", {{"seconds", std::nan("")}}})),
            "seconds.seconds: nan is not a length of time");
  EXPECT_EQ(reply(json::array({"error", {{"kind", "other"}, {"text", ""}}})),
            "error.kind: unknown name \"other\"");
  json time = exampleRun();
  time = json::array({"time", {{"request", time[1]["requests"][0]}, {"repetitions", 0}}});
  EXPECT_EQ(order(time), "time.repetitions: 0 is outside 1 … 100000");
  time[1]["repetitions"] = 1;
  time[1]["evict"] = 24;
  EXPECT_EQ(order(time), "time.evict: 24 is not a multiple of 16");
  time[1]["evict"] = UINT64_MAX - 15;
  EXPECT_EQ(order(time), "time.evict: 18446744073709551600 bytes, more than 1073741824");
  const json copy = json::array({"copy", {{"bytes", UINT64_MAX - 15}, {"repetitions", 1}}});
  EXPECT_EQ(order(copy), "copy.bytes: 18446744073709551600 bytes, more than 17179869184");
}

TEST(StrictDecoding, RefusesAMemberThatAppearsTwice) {
  Bytes bytes;
  CborWriter writer(bytes);
  writer.array(2);
  writer.text("error");
  writer.map(2);
  for (int i = 0; i < 2; ++i) {
    writer.text("kind");
    writer.text("target");
  }
  EXPECT_EQ(faultOf([&] { decodeReply(bytes); }), "error.kind: appears twice");
}

TEST(StrictDecoding, RefusesAMessageCutAnywhere) {
  const Bytes run = payloadOf(encodeRun(std::vector{exampleRequest(1)}));
  for (size_t length = 0; length < run.size(); ++length) {
    EXPECT_THROW(decoded(std::span(run).first(length)), ProtocolError) << length;
  }
  Bytes longer = run;
  longer.push_back(0);
  EXPECT_EQ(faultOf([&] { decoded(longer); }), "run: 1 bytes after the end of the message");
}

// The bytes are refused as malformed, or are another well-formed message that encodes again.
void survives(const Bytes& bytes) {
  const auto again = [](const auto& message) { encode(message); };
  try {
    std::visit(again, decoded(bytes));
  } catch (const ProtocolError&) {
  }
  try {
    std::visit(again, decodeReply(bytes));
  } catch (const ProtocolError&) {
  }
}

TEST(HostileBytes, EveryFlippedBitIsSurvived) {
  for (Bytes bytes :
       {payloadOf(encodeRun(std::vector{exampleRequest(1)})), payloadOf(encode(exampleProgram())),
        payloadOf(encodeAnswers(std::vector{untouched(exampleRequest(1))}))}) {
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      survives(bytes);
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

RC_GTEST_PROP(HostileBytes, ArbitraryBytesAreSurvived, (const Bytes& bytes)) { survives(bytes); }

RC_GTEST_PROP(HostileBytes, SplicedMessagesAreSurvived, ()) {
  Bytes bytes = payloadOf(encodeRun(arbitraryMessage<Run>().requests));
  const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
  const auto length = *rc::gen::inRange<size_t>(0, bytes.size() - at + 1);
  const auto junk = *rc::gen::arbitrary<Bytes>();
  const auto where = bytes.begin() + static_cast<ptrdiff_t>(at);
  bytes.insert(bytes.erase(where, where + static_cast<ptrdiff_t>(length)), junk.begin(),
               junk.end());
  survives(bytes);
}

TEST(HostileBytes, DeepNestingCostsNothing) {
  for (uint8_t opener : {0x81, 0xa1, 0x9f, 0xbf, 0x5f, 0x7f, 0xc1, 0xd8}) {
    const Bytes bytes(10'000'000, opener);
    EXPECT_THROW(decoded(bytes), ProtocolError);
    EXPECT_THROW(decodeReply(bytes), ProtocolError);
  }
}

TEST(StrictEncoding, SendsNothingThatTheOtherSideWouldRefuse) {
  const auto spoiled = [](auto spoil) {
    std::vector requests{exampleRequest(1), exampleRequest(2)};
    spoil(requests[1]);
    return faultOf([&] { encodeRun(requests); });
  };
  EXPECT_EQ(spoiled([](Request& r) { r.inputs[0].offset = 8; }),
            "run.requests[1].inputs[0].offset: 8 is not a multiple of 16");
  EXPECT_EQ(spoiled([](Request& r) { r.outputs.clear(); }),
            "run.requests[1].outputs: 0 images where gather_nd has 1");
  EXPECT_EQ(spoiled([](Request& r) { std::get<GatherNd>(r.descriptor).input.sizes.resize(65); }),
            "run.requests[1].descriptor.input.sizes: 65 elements, more than 64");
  // NOLINTBEGIN(clang-analyzer-optin.core.EnumCastOutOfRange)
  EXPECT_EQ(spoiled([](Request& r) {
              std::get<GatherNd>(r.descriptor).input.type = static_cast<DataType>(200);
            }),
            "run.requests[1].descriptor.input.type: no name for 200");
  EXPECT_EQ(spoiled([](Request& r) { r.level = static_cast<Level>(0x1000); }),
            "run.requests[1].level: no name for 4096");
  // NOLINTEND(clang-analyzer-optin.core.EnumCastOutOfRange)
  EXPECT_EQ(faultOf([] { encodeTime(exampleRequest(1), 0, 0); }),
            "time.repetitions: 0 is outside 1 … 100000");
  EXPECT_EQ(faultOf([] { encodeRun(std::vector<Request>(kMaxBatch + 1)); }),
            "run.requests: 65537 elements, more than 65536");
  EXPECT_EQ(faultOf([] { encode(BareSeconds{std::nan("")}); }),
            "seconds.seconds: nan is not a length of time");
}

}  // namespace
}  // namespace dmlcts::gpu
