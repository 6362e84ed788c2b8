#include "gpu/wire/cbor.h"
#include "conformance/test/thrown.h"
#include "gpu/wire/protocol.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gpu/wire/path.h"

namespace dmlcts::gpu {
namespace {

using nlohmann::json;
using testing::ElementsAre;
template <class Write>
Bytes written(Write write) {
  Bytes bytes;
  CborWriter writer(bytes);
  write(writer);
  return bytes;
}

template <class Read>
auto readFrom(const Bytes& bytes, Read read) {
  Path path("it");
  CborReader reader(bytes, path);
  auto value = read(reader);
  reader.end();
  return value;
}

template <class Read>
std::string faultOf(const Bytes& bytes, Read read) {
  return thrown<ProtocolError>([&] { readFrom(bytes, read); }, "no fault");
}

TEST(CborWriter, MatchesTheExamplesOfRfc8949) {
  EXPECT_THAT(written([](auto& w) { w.unsignedInteger(23); }), ElementsAre(0x17));
  EXPECT_THAT(written([](auto& w) { w.unsignedInteger(24); }), ElementsAre(0x18, 0x18));
  EXPECT_THAT(written([](auto& w) { w.unsignedInteger(1000); }), ElementsAre(0x19, 0x03, 0xe8));
  EXPECT_THAT(written([](auto& w) { w.unsignedInteger(1000000); }),
              ElementsAre(0x1a, 0x00, 0x0f, 0x42, 0x40));
  EXPECT_THAT(written([](auto& w) { w.unsignedInteger(UINT64_MAX); }),
              ElementsAre(0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));
  EXPECT_THAT(written([](auto& w) { w.integer(-1000); }), ElementsAre(0x39, 0x03, 0xe7));
  EXPECT_THAT(written([](auto& w) { w.number(1.1); }),
              ElementsAre(0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a));
  EXPECT_THAT(written([](auto& w) { w.text("IETF"); }), ElementsAre(0x64, 0x49, 0x45, 0x54, 0x46));
  EXPECT_THAT(written([](auto& w) { w.binary(Bytes{1, 2, 3, 4}); }),
              ElementsAre(0x44, 0x01, 0x02, 0x03, 0x04));
  EXPECT_THAT(written([](auto& w) { w.array(25); }), ElementsAre(0x98, 0x19));
  EXPECT_THAT(written([](auto& w) { w.map(2); }), ElementsAre(0xa2));
}

TEST(CborReader, ReadsIntegersAtTheirBounds) {
  for (int64_t value : {INT64_MIN, INT64_MIN + 1, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(
        readFrom(written([&](auto& w) { w.integer(value); }), [](auto& r) { return r.integer(); }),
        value);
  }
  const auto narrow = [](auto& r) { return r.integer(-5, 5); };
  EXPECT_EQ(faultOf({0x06}, narrow), "it: 6 is outside -5 … 5");
  EXPECT_EQ(faultOf({0x25}, narrow), "it: -6 is outside -5 … 5");
  EXPECT_EQ(faultOf({0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0}, narrow), "it: an integer beyond 64 bits");
  EXPECT_EQ(faultOf({0x0b}, [](auto& r) { return r.unsignedInteger(10); }),
            "it: 11 is more than 10");
}

TEST(CborReader, ReadsNumbersOfEveryWidth) {
  const auto number = [](auto& r) { return r.number(); };
  EXPECT_EQ(readFrom({0xf9, 0x3e, 0x00}, number), 1.5);
  EXPECT_EQ(readFrom({0xf9, 0x00, 0x01}, number), std::ldexp(1.0, -24));
  EXPECT_EQ(readFrom({0xf9, 0xc4, 0x00}, number), -4.0);
  EXPECT_EQ(readFrom({0xf9, 0x7c, 0x00}, number), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(readFrom({0xf9, 0x7e, 0x00}, number)));
  EXPECT_EQ(readFrom({0xfa, 0x47, 0xc3, 0x50, 0x00}, number), 100000.0);
  EXPECT_EQ(readFrom({0x19, 0x03, 0xe8}, number), 1000.0);
  EXPECT_EQ(readFrom({0x39, 0x03, 0xe7}, number), -1000.0);
}

TEST(CborReader, SaysWhatItFoundAndWhatMustBe) {
  const auto text = [](auto& r) { return r.text(); };
  EXPECT_EQ(faultOf({0x01}, text), "it: an unsigned integer where a text must be");
  EXPECT_EQ(faultOf({0x20}, text), "it: a negative integer where a text must be");
  EXPECT_EQ(faultOf({0x41, 0}, text), "it: a byte string where a text must be");
  EXPECT_EQ(faultOf({0x80}, text), "it: an array where a text must be");
  EXPECT_EQ(faultOf({0xa0}, text), "it: a map where a text must be");
  EXPECT_EQ(faultOf({0xc0, 0x60}, text), "it: a tag where a text must be");
  EXPECT_EQ(faultOf({0xf5}, text), "it: a boolean where a text must be");
  EXPECT_EQ(faultOf({0xf6}, text), "it: null where a text must be");
  EXPECT_EQ(faultOf({0xf9, 0, 0}, text), "it: a float where a text must be");
  EXPECT_EQ(faultOf({0x60}, [](auto& r) { return r.boolean(); }),
            "it: a text where a boolean must be");
  EXPECT_EQ(faultOf({0x60}, [](auto& r) { return r.number(); }),
            "it: a text where a number must be");
}

TEST(CborReader, RefusesWhatTheProtocolDoesNotUse) {
  const auto text = [](auto& r) { return r.text(); };
  EXPECT_EQ(faultOf({0x7f, 0xff}, text), "it: indefinite lengths are not allowed");
  EXPECT_EQ(faultOf({0x5f, 0xff}, text), "it: indefinite lengths are not allowed");
  EXPECT_EQ(faultOf({0x1c}, text), "it: not well-formed CBOR");
  EXPECT_EQ(faultOf({}, text), "it: the message ends here");
  EXPECT_EQ(faultOf({0x60, 0x00}, text), "it: 1 bytes after the end of the message");
  EXPECT_EQ(faultOf({0x62, 0xc3, 0x28}, text), "it: a text that is not UTF-8");
}

TEST(CborReader, DoesNotBelieveLengths) {
  EXPECT_EQ(faultOf({0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                    [](auto& r) { return r.text(); }),
            "it: a text of 18446744073709551615 bytes where 0 are left");
  EXPECT_EQ(
      faultOf({0x5a, 0xff, 0xff, 0xff, 0xff, 0x00}, [](auto& r) { return r.binary().size(); }),
      "it: a byte string of 4294967295 bytes where 1 are left");
  EXPECT_EQ(faultOf({0x9a, 0xff, 0xff, 0xff, 0xff}, [](auto& r) { return r.array(SIZE_MAX); }),
            "it: 4294967295 elements where 0 bytes are left");
  EXPECT_EQ(faultOf({0x85}, [](auto& r) { return r.array(4); }), "it: 5 elements, more than 4");
  EXPECT_EQ(faultOf({0xa5}, [](auto& r) { return r.map(4); }), "it: 5 members, more than 4");
  EXPECT_EQ(faultOf({0x5b, 0, 0}, [](auto& r) { return r.binary().size(); }),
            "it: a head of 8 bytes where 2 are left");
}

TEST(CleanText, ReplacesWhatIsNotUtf8AndCutsAtCharacters) {
  EXPECT_EQ(cleanText("a\xff\xc3\xa9z", 100), "a?\xc3\xa9z");
  EXPECT_EQ(cleanText("\xc0\xaf", 100), "??");            // overlong
  EXPECT_EQ(cleanText("\xed\xa0\x80", 100), "???");       // surrogate
  EXPECT_EQ(cleanText("\xf4\x90\x80\x80", 100), "????");  // past U+10FFFF
  EXPECT_EQ(cleanText("\xf0\x9f\x98\x80", 100), "\xf0\x9f\x98\x80");
  EXPECT_EQ(cleanText("ab\xc3\xa9", 3), "ab");
  EXPECT_EQ(cleanText("abc", 2), "ab");
}

RC_GTEST_PROP(CleanText, IsAlwaysUtf8ForNlohmann, (std::vector<uint8_t> bytes)) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string clean = cleanText(text, bytes.size());
  RC_ASSERT(isCleanText(clean));
  RC_ASSERT(json::parse(json(clean).dump()) == json(clean));  // dump throws unless it is UTF-8
  RC_ASSERT(isCleanText(text) == (clean == text));
}

}  // namespace
}  // namespace dmlcts::gpu
