#include "gpu/wire/cbor.h"

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
