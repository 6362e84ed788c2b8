#include "reports/journal/packed_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/journal/input_error.h"
#include "reports/journal/journal.h"
#include "reports/test/sample_journals.h"

namespace dmlcts {
namespace {

std::string pack(const std::string& text) {
  std::istringstream in(text);
  return packJournal(in, "journal");
}

std::string unpack(const std::string& text) {
  std::istringstream in(text);
  return unpackJournal(in, "packed").lines;
}

Journal parsed(const std::string& text) {
  std::istringstream in(text);
  return parseJournal(in, "journal");
}

std::string linesOf(const Journal& journal) {
  std::string text = toJsonLine(journal.headers[0]) + "\n";
  for (const JournalEntry& entry : journal.entries) text += toJsonLine(entry) + "\n";
  return text;
}

TEST(PackedJournal, ComesBackButForTheDigitsOfTimes) {
  const std::string text = linesOf(sampleJournals(3000)[0]);
  Journal before = parsed(text);  // hostile strings as a journal holds them
  const Journal after = parsed(unpack(pack(text)));
  EXPECT_EQ(after.headers, before.headers);
  ASSERT_EQ(after.entries.size(), before.entries.size());
  for (size_t i = 0; i < before.entries.size(); ++i) {
    EXPECT_NEAR(after.entries[i].seconds, before.entries[i].seconds,
                0.051 * before.entries[i].seconds);
    before.entries[i].seconds = after.entries[i].seconds;
    EXPECT_EQ(after.entries[i], before.entries[i]);
  }
}

TEST(PackedJournal, OddCaseStrings) {
  for (const char* name :
       {"", " ", "a  b", " a", "a ", "a b", "}", "\\\"} x", "a b=1", "a b=1 b=2", "a b=", "a =1",
        "a b=f32:1x2", "a b=:1", "a b=f32:", "a b=f32:1:", "a b:=1", ":", "a b=1:2:3"}) {
    const std::string line = std::string("{\"case\":\"") + name + "\",\"rank\":1}\n";
    EXPECT_EQ(unpack(pack(line)), line);
  }
}

TEST(PackedJournal, WordsInAnotherOrder) {
  const std::string text =
      "{\"case\":\"x a=1 b=f32:2 d=4\"}\n{\"case\":\"x b=2 a=1\"}\n{\"case\":\"x b=2 c=u8:3 "
      "d=4\"}\n"
      "{\"case\":\"x a=1 e=5\"}\n{\"case\":\"y e=5 d=4\"}\n";
  EXPECT_EQ(unpack(pack(text)), text);
}

TEST(PackedJournal, SizesThatOthersTell) {
  std::string text;
  for (const char* output :
       {"1x1x4x5", "4x5", "7", "1x4x6x7", "6x7", "1x1x4x7", "x", "4xx7", "2xf"}) {
    text += std::string("{\"case\":\"g level=1 input=f32:1x1x6x7 indices=u32:1x4x5x2 output=") +
            output + " dims=2,3\"}\n";
  }
  const std::string packed = pack(text);
  EXPECT_NE(packed.find("~1~3~0"), packed.npos) << packed;
  EXPECT_EQ(unpack(packed), text);
}

TEST(PackedJournal, MembersThatRepeatAWord) {
  const std::string text =
      "{\"journal\":1}\n{\"case\":\"g level=1\",\"operator\":\"g\",\"level\":\"1\"}\n"
      "{\"case\":\"h level=2\",\"operator\":\"h\",\"level\":\"3\"}\n";
  const std::string packed = pack(text);
  EXPECT_NE(packed.find("\"like\":{\"operator\":\"case \"}"), packed.npos) << packed;
  EXPECT_EQ(unpack(packed), text);
}

TEST(PackedJournal, LongTextsThatComeAgain) {
  const std::string text =
      "{\"case\":\"x\",\"rules\":[\"a.rule-of-some-length\"]}\n{\"case\":\"y\"}\n"
      "{\"case\":\"z\",\"rules\":[\"a.rule-of-some-length\"]}\n";
  const std::string packed = pack(text);
  EXPECT_EQ(packed.find("some-length"), packed.rfind("some-length"));
  EXPECT_EQ(unpack(packed), text);
}

TEST(PackedJournal, HeadersStayWhereTheyAre) {
  const std::string text =
      "{\"journal\":1,\"target\":\"a\"}\n{\"case\":\"x\"}\n{\"journal\":1}\n{\"case\":\"y z\"}\n";
  EXPECT_EQ(unpack(pack(text)), text);
}

TEST(PackedJournal, SaysWhatIsWrongAndWhere) {
  const auto refusal = [](const auto& convert, const std::string& text) -> std::string {
    try {
      convert(text);
      return "accepted";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(refusal(pack, "{\"case\":\"a\"}\n{\"case\""), testing::StartsWith("journal:2: "));
  EXPECT_THAT(refusal(pack, "[]\n"), testing::StartsWith("journal:1: "));
  const std::string packed = pack("{\"case\":\"a\",\"rank\":1}\n");
  EXPECT_THAT(refusal(unpack, packed.substr(0, packed.size() - 2)), testing::StartsWith("packed:"));
  EXPECT_THAT(refusal(unpack, "{}\n"), testing::StartsWith("packed:1: "));
  EXPECT_THAT(refusal(unpack, ""), testing::StartsWith("packed:"));
}

std::string refusalOf(const std::string& packed) {
  try {
    unpack(packed);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(PackedJournal, DamageAndCutsAreNoticed) {
  const std::string packed = pack(linesOf(sampleJournals(20)[0]));
  ASSERT_EQ(refusalOf(packed), "");
  for (size_t length = 0; length < packed.size(); ++length) {
    EXPECT_THAT(refusalOf(packed.substr(0, length)), testing::StartsWith("packed:")) << length;
  }
  for (size_t at = 0; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] ^= 1;
    EXPECT_THAT(refusalOf(damaged), testing::StartsWith("packed:")) << at;
  }
  EXPECT_THAT(refusalOf(packed + "{}\n"), testing::HasSubstr("behind the last"));
}

TEST(PackedJournal, OfVersion1IsReadUnchecked) {
  std::istringstream in("{\"packedJournal\":1,\"lines\":1,\"columns\":[\"case 0\"]}\nx\n");
  const UnpackedJournal unpacked = unpackJournal(in, "packed");
  EXPECT_EQ(unpacked.lines, "{\"case\":\"x\"}\n");
  EXPECT_FALSE(unpacked.checked);
}

TEST(PackedJournal, OfVersion2IsRead) {
  const std::string columns =
      "{\"packedJournal\":2,\"lines\":2,\"columns\":[\"header\",\"case 0\",\"case 1\",\"rank\"]}\n"
      "{\"journal\":1}\n\n\nx\n\ny=1\n\n4\n";
  EXPECT_EQ(unpack(columns + "{\"crc32\":\"6fcdf86d\"}\n"),
            "{\"journal\":1}\n{\"case\":\"x y=1\",\"rank\":4}\n");
}

}  // namespace
}  // namespace dmlcts
