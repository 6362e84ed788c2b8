#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

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

struct Item {
  Bytes bytes;
  std::function<void(CborReader&)> read;
  std::string fault;
};

TEST(HostileItems, AreRefusedByWhatTheyAreAndWhatMustBe) {
  const auto text = [](CborReader& reader) { reader.text(); };
  const auto number = [](CborReader& reader) { reader.number(); };
  const auto boolean = [](CborReader& reader) { reader.boolean(); };
  const auto binary = [](CborReader& reader) { reader.binary(); };
  const auto narrow = [](CborReader& reader) { reader.integer(-5, 5); };
  const auto upToTen = [](CborReader& reader) { reader.unsignedInteger(10); };
  for (const auto& [bytes, read, fault] : std::vector<Item>{
           {{0x01}, text, "an unsigned integer where a text must be"},
           {{0x20}, text, "a negative integer where a text must be"},
           {{0x41, 0}, text, "a byte string where a text must be"},
           {{0x80}, text, "an array where a text must be"},
           {{0xa0}, text, "a map where a text must be"},
           {{0xc0, 0x60}, text, "a tag where a text must be"},
           {{0xf5}, text, "a boolean where a text must be"},
           {{0xf6}, text, "null where a text must be"},
           {{0xf9, 0, 0}, text, "a float where a text must be"},
           {{0x60}, boolean, "a text where a boolean must be"},
           {{0x60}, number, "a text where a number must be"},
           {{0x7f, 0xff}, text, "indefinite lengths are not allowed"},
           {{0x5f, 0xff}, text, "indefinite lengths are not allowed"},
           {{0x1c}, text, "not well-formed CBOR"},
           {{}, text, "the message ends here"},
           {{0x60, 0x00}, text, "1 bytes after the end of the message"},
           {{0x62, 0xc3, 0x28}, text, "a text that is not UTF-8"},
           {{0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
            text,
            "a text of 18446744073709551615 bytes where 0 are left"},
           {{0x5a, 0xff, 0xff, 0xff, 0xff, 0x00},
            binary,
            "a byte string of 4294967295 bytes where 1 are left"},
           {{0x5b, 0, 0}, binary, "a head of 8 bytes where 2 are left"},
           {{0x9a, 0xff, 0xff, 0xff, 0xff},
            [](CborReader& reader) { reader.array(SIZE_MAX); },
            "4294967295 elements where 0 bytes are left"},
           {{0x85}, [](CborReader& reader) { reader.array(4); }, "5 elements, more than 4"},
           {{0xa5}, [](CborReader& reader) { reader.map(4); }, "5 members, more than 4"},
           {{0x06}, narrow, "6 is outside -5 … 5"},
           {{0x25}, narrow, "-6 is outside -5 … 5"},
           {{0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0}, narrow, "an integer beyond 64 bits"},
           {{0x0b}, upToTen, "11 is more than 10"}}) {
    const std::string said = faultOf([&, &bytes = bytes, &read = read] {
      Path path("it");
      CborReader reader(bytes, path);
      read(reader);
      reader.end();
    });
    EXPECT_EQ(said, "it: " + fault);
  }
}

using Spoil = std::function<void(json& body)>;

json exampleRun(const Spoil& spoil = nullptr) {
  json message =
      json::from_cbor(payloadOf(encodeRun(std::vector{exampleRequest(6), exampleRequest(7)})));
  if (spoil) spoil(message[1]);
  return message;
}

json exampleAnswers(const Spoil& spoil = nullptr) {
  const std::vector answers{untouched(exampleRequest(6)), untouched(exampleRequest(7))};
  json message = json::from_cbor(payloadOf(encodeAnswers(answers)));
  if (spoil) spoil(message[1]);
  return message;
}

// A message that nlohmann::json cannot hold: a member twice.
Bytes twice() {
  Bytes bytes;
  CborWriter writer(bytes);
  writer.array(2);
  writer.text("error");
  writer.map(2);
  for (int i = 0; i < 2; ++i) {
    writer.text("kind");
    writer.text("target");
  }
  return bytes;
}

struct Attack {
  Bytes payload;
  std::string fault;
};

// Orders, with the place and the fault that the worker names.
std::vector<Attack> orders() {
  std::vector<Attack> attacks;
  const auto add = [&](const json& message, const std::string& fault) {
    attacks.push_back({json::to_cbor(message), fault});
  };
  add(json::array({"dance", json::object()}), "message: no message is called \"dance\"");
  add(exampleAnswers(), "message: no message is called \"answers\"");
  add(json::object(), "message: a map where an array must be");
  add(json::array({"bye", {{"now", 1}}}), "bye: 1 members, more than 0");
  add(json::array({"copy", {{"bytes", UINT64_MAX - 15}, {"repetitions", 1}}}),
      "copy.bytes: 18446744073709551600 bytes, more than 17179869184");
  const json request = exampleRun()[1]["requests"][0];
  const auto time = [&](uint32_t repetitions, std::optional<uint64_t> evict) {
    json message = json::array({"time", {{"request", request}, {"repetitions", repetitions}}});
    if (evict) message[1]["evict"] = *evict;
    return message;
  };
  add(time(0, {}), "time.repetitions: 0 is outside 1 … 100000");
  add(time(1, 24), "time.evict: 24 is not a multiple of 16");
  add(time(1, UINT64_MAX - 15), "time.evict: 18446744073709551600 bytes, more than 1073741824");
  attacks.push_back({payloadOf(encodeRun(std::vector{exampleRequest(1)})),
                     "run: 1 bytes after the end of the message"});
  attacks.back().payload.push_back(0);
  const auto second = [](json& body) -> json& { return body["requests"][1]; };
  const auto op = [&](json& body) -> json& { return second(body)["descriptor"][1]; };
  const auto image = [&](json& body) -> json& { return second(body)["inputs"][0]; };
  const std::string r = "run.requests[1]";
  for (const auto& [spoil, fault] : std::vector<std::pair<Spoil, std::string>>{
           {[](json& b) { b.erase("requests"); }, "run.requests: is missing"},
           {[](json& b) { b["more"] = 1; }, "run: 2 members, more than 1"},
           {[](json& b) { b = json{{"request", json::array()}}; }, "run.request: unknown member"},
           {[](json& b) { b["requests"] = 5; },
            "run.requests: an unsigned integer where an array must be"},
           {[&](json& b) { second(b) = 5; }, r + ": an unsigned integer where a map must be"},
           {[&](json& b) { second(b).erase("id"); }, r + ".id: is missing"},
           {[&](json& b) { second(b)["id"] = -1; },
            r + ".id: a negative integer where an unsigned integer must be"},
           {[&](json& b) { second(b)["level"] = "9.9"; }, r + ".level: unknown name \"9.9\""},
           {[&](json& b) { second(b)["level"] = 0x4000; },
            r + ".level: an unsigned integer where a text must be"},
           {[&](json& b) { second(b)["execute"] = 1; },
            r + ".execute: an unsigned integer where a boolean must be"},
           {[&](json& b) { second(b)["execute"] = false; },
            r + ".inputs: 2 images where a request without execution has 0"},
           {[&](json& b) { second(b)["inputs"].erase(1); },
            r + ".inputs: 1 images where gather_nd has 2"},
           {[&](json& b) { second(b)["outputs"] = json::array(); },
            r + ".outputs: 0 images where gather_nd has 1"},
           {[&](json& b) { second(b)["descriptor"][0] = "relu"; },
            r + ".descriptor: unknown name \"relu\""},
           {[&](json& b) { second(b)["descriptor"].push_back(1); },
            r + ".descriptor: 3 elements, more than 2"},
           {[&](json& b) { second(b)["descriptor"].erase(1); },
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
           {[&](json& b) { second(b)["outputs"][0]["size"] = 0; },
            r + ".outputs: output has a range of 0 bytes, its description 32"},
           {[&](json& b) { image(b)["bytes"] = "text"; },
            r + ".inputs[0].bytes: a text where a byte string must be"},
           {[&](json& b) { second(b)["mode"] = {"placed", "magic"}; },
            r + ".mode: unknown name \"magic\""},
           {[&](json& b) { second(b)["mode"] = {"many", "many"}; },
            r + ".mode.many: appears twice"},
           {[&](json& b) { second(b)["mode"] = {"many", "rebind"}; },
            r + ".mode: rebind and many cannot be combined: both set how often it executes"}}) {
    add(exampleRun(spoil), fault);
  }
  return attacks;
}

// Replies, with the place and the fault that the harness names.
std::vector<Attack> replies() {
  std::vector<Attack> attacks{{twice(), "error.kind: appears twice"}};
  const auto add = [&](const json& message, const std::string& fault) {
    attacks.push_back({json::to_cbor(message), fault});
  };
  add(exampleRun(), "message: no message is called \"run\"");
  add(json::array({"seconds", {{"seconds", -1}}}),
      "seconds.seconds: -1.000000 is not a length of time");
  add(json::array({"seconds", {{"seconds", std::nan("")}}}),
      "seconds.seconds: nan is not a length of time");
  add(json::array({"error", {{"kind", "other"}, {"text", ""}}}),
      "error.kind: unknown name \"other\"");
  const auto answer = [](json& body) -> json& { return body["answers"][1]; };
  const std::string a = "answers.answers[1]";
  for (const auto& [spoil, fault] : std::vector<std::pair<Spoil, std::string>>{
           {[&](json& b) { answer(b)["status"] = "great"; }, a + ".status: unknown name \"great\""},
           {[&](json& b) { answer(b).erase("status"); }, a + ".status: is missing"},
           {[&](json& b) { answer(b)["hresult"] = 0x8000'0000; },
            a + ".hresult: 2147483648 is outside -2147483648 … 2147483647"},
           {[&](json& b) { answer(b)["message"] = std::string(16385, 'x'); },
            a + ".message: a text of 16385 bytes, more than 16384"},
           {[&](json& b) { answer(b)["status"] = "rejected"; },
            a + ".outputs: buffers though nothing was executed"},
           {[&](json& b) {
              answer(b)["status"] = "rejected", answer(b)["outputs"] = json::array();
            },
            a + ".inputs: buffers though nothing was executed"},
           {[&](json& b) { answer(b)["outputs"] = std::vector(17, json::binary({})); },
            a + ".outputs: 17 elements, more than 16"},
           {[&](json& b) { answer(b)["outputs"][0] = json::array(); },
            a + ".outputs[0]: an array where a byte string must be"},
           {[&](json& b) { answer(b)["more"] = std::vector(17, json::object()); },
            a + ".more: 17 elements, more than 16"},
           {[&](json& b) { answer(b)["more"] = std::vector(1, json::object()); },
            a + ".more[0].outputs: is missing"}}) {
    add(exampleAnswers(spoil), fault);
  }
  return attacks;
}

TEST(HostileFrames, AreRefusedByPlaceAndFault) {
  EXPECT_EQ(faultOf([] { decoded(json::to_cbor(exampleRun())); }), "no fault");
  for (const auto& [payload, fault] : orders()) {
    EXPECT_EQ(faultOf([&, &bytes = payload] { decoded(bytes); }), fault);
  }
  EXPECT_EQ(faultOf([] { decodeReply(json::to_cbor(exampleAnswers())); }), "no fault");
  for (const auto& [payload, fault] : replies()) {
    EXPECT_EQ(faultOf([&, &bytes = payload] { decodeReply(bytes); }), fault);
  }
}

TEST(HostileFrames, AreRefusedCutAnywhere) {
  const Bytes run = payloadOf(encodeRun(std::vector{exampleRequest(1)}));
  for (size_t length = 0; length < run.size(); ++length) {
    EXPECT_THROW(decoded(std::span(run).first(length)), ProtocolError) << length;
  }
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
