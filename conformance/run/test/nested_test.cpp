// Text and messages nested a million deep: every reader says what is wrong, and none overflows the
// stack. To be run under sanitizers, whose frames are the largest. What only `dmlcts` reads is in
// command/test/files_test.

#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <sstream>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/test/test_folder.h"
#include "conformance/test/thrown.h"
#include "gpu/wire/protocol.h"
#include "reports/compare/bench_results.h"
#include "reports/journal/json.h"
#include "reports/summary/mutants.h"

namespace dmlcts {
namespace {

constexpr size_t kDeep = 1'000'000;

std::string repeated(const std::string& text) {
  std::string all;
  all.reserve(kDeep * text.size());
  for (size_t i = 0; i < kDeep; ++i) all += text;
  return all;
}

// Opened only, and whole; as a document, and where a reader does not look.
std::map<std::string, std::string> documents() {
  const std::string arrays = repeated("[") + repeated("]");
  const std::string objects = repeated("{\"a\":") + "0" + repeated("}");
  std::map<std::string, std::string> all{
      {"arrays", arrays}, {"objects", objects}, {"opened", repeated("[")}};
  all["inside"] =
      R"({"journal":4,"version":2,"expectations":[],"benchmarks":[],"x":)" + arrays + "}";
  return all;
}

struct Reader {
  const char* name;
  std::function<void(const std::string& text)> read;
};

TEST(Nested, EveryReaderOfJsonRefusesIt) {
  const TestFolder folder;
  const auto file = [&](const std::string& text) { return folder.write("file", text); };
  const std::vector<Reader> readers{
      {"journal",
       [](const std::string& text) {
         std::istringstream in(text + "\n");
         parseJournal(in, "file");
       }},
      {"expectations",
       [](const std::string& text) { Expectations::parse(text, "file", {}, "2026-01-31"); }},
      {"mutants", [&](const std::string& text) { readMutants(file(text).string()); }},
      {"benchmarks", [&](const std::string& text) { readBenchResults({file(text).string()}); }},
  };
  for (const auto& [shape, text] : documents()) {
    for (const Reader& reader : readers) {
      const std::string said = thrown<InputError>([&, &deep = text] { reader.read(deep); });
      EXPECT_THAT(said, testing::HasSubstr("nested deeper than 64")) << reader.name;
      EXPECT_LT(said.size(), 300u) << reader.name;
    }
  }
}

TEST(Nested, StringsAreNoNesting) {
  EXPECT_NO_THROW(parseJson("[\"" + std::string(kDeep, '[') + "\\\"" + "{\"]", ""));
  std::string wide = "[0";
  for (int i = 0; i < 1000; ++i) wide += ",[{\"a\":[]}]";
  EXPECT_EQ(parseJson(wide + "]", "").size(), 1001u);
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW(parseJson(nested(kMostNested), ""));
  EXPECT_THROW(parseJson(nested(kMostNested + 1), ""), InputError);
}

TEST(Nested, CaseStringsRefuseIt) {
  const std::string gather = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5 ";
  for (const char* bracket : {"(", "[", "{", "perm(", "layout.input=", "\""}) {
    const std::string deep = repeated(bracket);
    EXPECT_ANY_THROW(parseCase(deep)) << bracket;
    EXPECT_ANY_THROW(parseCase(gather + "layout.input=" + deep)) << bracket;
    try {
      Query query(gather + deep);  // some are patterns, of nothing
    } catch (const SyntaxError&) {
    }
  }
}

TEST(Nested, MessagesRefuseIt) {
  // CBOR: arrays and maps of one element, tags, indefinite lengths.
  for (const uint8_t head : {0x81, 0xa1, 0xc1, 0x9f, 0xbf}) {
    const std::vector<uint8_t> payload(kDeep, head);
    gpu::ProgramState program;
    EXPECT_THROW(gpu::decodeOrder(payload, program), gpu::ProtocolError) << int{head};
    EXPECT_THROW(gpu::decodeReply(payload), gpu::ProtocolError) << int{head};
  }
}

}  // namespace
}  // namespace dmlcts
