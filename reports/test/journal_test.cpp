#include "reports/journal/journal.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <limits>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "conformance/test/test_folder.h"
#include "conformance/test/thrown.h"
#include "gpu/wire/utf8.h"
#include "reference/rules.h"
#include "reports/journal/file_size_limit.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal_members.h"

// The journal: the reader reads back what was written, and names cut, foreign or hostile input.

namespace dmlcts {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

JournalHeader sampleHeader() {
  JournalHeader header;
  header.suiteVersion = "0.1.0";
  header.startedAt = "2024-05-01T10:00:00Z";
  header.seed = std::numeric_limits<uint64_t>::max();
  header.shardIndex = 1;
  header.shardCount = 3;
  header.plannedCases = 2;
  header.planHash = "abc";
  header.target = "d3d12";
  header.adapter = "Adapter \"X\"\n";
  header.vendorId = 0x10DE;
  header.limits = {{"MaxBytes", "4294967296"}, {"Tiled", "no"}};
  return header;
}

JournalEntry sampleEntry() {
  JournalEntry entry;
  entry.caseString = "gather_nd level=3.0 input=f32:3x4";
  entry.family = "matrix";
  entry.op = "gather_nd";
  entry.level = "3.0";
  entry.type = "f32";
  entry.rank = 2;
  entry.executed = true;
  entry.labels = "gather_nd 3.0 f32 u32 2 no-strides no-strides no-strides mixed ends 2-31 full";
  entry.has = "zero nonzero";
  entry.denormals = 3;
  entry.verdict = Verdict::Fail;
  entry.rules = {"gather_nd.tuple-size"};
  entry.message = "one element differs";
  entry.differences = {{"output", {0, 3}, 12, "3f800000", "00000000", "not written"},
                       {.note = "in words"}};
  entry.attempts = {"Fail", "Fail"};
  entry.workerStderr = "line 1\nline 2\n";
  entry.bundle = "bundles/1";
  entry.seconds = 0.0125;
  entry.worker = 2;
  entry.request = 1999;
  entry.number = 7;
  return entry;
}

Journal parse(const std::string& text) {
  std::istringstream in(text);
  return parseJournal(in, "run.jsonl");
}

// Returns the parser's error, or "".
std::string parseError(const std::string& text) {
  return thrown<InputError>([&] { parse(text); });
}

const std::string kHeaderLine = toJsonLine(sampleHeader()) + "\n";
const std::string kEntryLine = toJsonLine(sampleEntry()) + "\n";

// UTF-8 of any code points: quotes, controls made visible, beyond the first plane.
rc::Gen<std::string> text() {
  const auto codePoint = rc::gen::oneOf(
      rc::gen::inRange<uint32_t>(0, 0x80), rc::gen::inRange<uint32_t>(0x80, 0xD800),
      rc::gen::inRange<uint32_t>(0xE000, 0x110000), rc::gen::element<uint32_t>(0x2028, '"', '\n'));
  return rc::gen::map(rc::gen::container<std::vector<uint32_t>>(codePoint),
                      [](const std::vector<uint32_t>& codes) {
                        const std::u32string text(codes.begin(), codes.end());
                        const auto utf8 = std::filesystem::path(text).u8string();
                        return plainLine(std::string(utf8.begin(), utf8.end()));
                      });
}

// The only texts of members that may have to name files.
rc::Gen<std::string> ids() {
  return rc::gen::element<std::string>("gather_nd", "a.b-c_1", "0", std::string(200, 'x'));
}

// Draws a value for each member that it visits.
struct Draw {
  void draw(std::string& value) const { value = *text(); }
  void draw(Verdict& value) const { value = *rc::gen::elementOf(kVerdicts); }
  void draw(Occurs& value) const { value = *rc::gen::elementOf(kOccurrences); }
  void draw(RuleIds& value) const { value = *rc::gen::container<std::vector<std::string>>(ids()); }
  void draw(Difference& value) const {
    visitMembers(value, *this);
    value.expected = value.actual = *rc::gen::element<std::string>("", "0a9f");
  }
  template <class Value>
  void draw(std::vector<Value>& values) const {
    for (uint32_t i = *rc::gen::inRange(0, 4); i > 0; --i) draw(values.emplace_back());
  }
  template <class Value>
  void draw(std::map<std::string, Value>& values) const {
    for (uint32_t i = *rc::gen::inRange(0, 4); i > 0; --i) draw(values[*text()]);
  }
  template <class Number>
  void draw(Number& value) const {
    value = *rc::gen::arbitrary<Number>();
  }
  void operator()(const char*, auto& value, Member) const { draw(value); }
};

JournalHeader anyHeader() {
  JournalHeader header;
  visitMembers(header, Draw());
  header.version = kJournalVersion;
  header.specification = kSpecificationEdition;
  header.strict = false;
  header.shardCount = *rc::gen::inRange(1u, kMostShards + 1);
  header.shardIndex %= header.shardCount;
  return header;
}

JournalEntry anyEntry() {
  JournalEntry entry;
  visitMembers(entry, Draw());
  entry.op = *ids();
  entry.family = *ids();
  entry.bundle = *ids();
  entry.observations = {{*ids(), entry.number}};
  entry.violated = {"gather_nd.nan-payload"};
  if (entry.verdict == Verdict::Pass) {  // without what a reader refuses
    entry.kinds.clear();
    entry.violated.clear();
  }
  return entry;
}

TEST(Verdict, NamesRoundTrip) {
  for (Verdict verdict : kVerdicts) EXPECT_EQ(parseVerdict(name(verdict)), verdict);
  EXPECT_EQ(parseVerdict("pass"), std::nullopt);
  EXPECT_EQ(parseVerdict(""), std::nullopt);
}

TEST(Journal, LinesRoundTrip) {
  EXPECT_TRUE(rc::check("header and entry", [] {
    const JournalHeader header = anyHeader();
    const JournalEntry entry = anyEntry();
    const Journal journal = parse(toJsonLine(header) + "\n" + toJsonLine(entry) + "\n");
    RC_ASSERT(journal.headers == std::vector{header});
    RC_ASSERT(journal.entries == std::vector{entry});
    RC_ASSERT(journal.headerOf == std::vector<size_t>{0});
    RC_ASSERT(!journal.cutLine);
  }));
  EXPECT_TRUE(rc::check("workerFailure", [] {
    const JournalWorkerFailure workerFailure{*text(), *rc::gen::elementOf(kVerdicts), *text(),
                                             *text()};
    const Journal journal = parse(kHeaderLine + toJsonLine(workerFailure) + "\n" + kEntryLine);
    RC_ASSERT(journal.workerFailures == std::vector{workerFailure});
    RC_ASSERT(journal.entries == std::vector{sampleEntry()});
  }));
}

TEST(Journal, InvestigationsRoundTrip) {
  for (Occurs occurs : kOccurrences) EXPECT_EQ(parseOccurs(name(occurs)), occurs);
  EXPECT_TRUE(rc::check("investigation", [] {
    JournalInvestigation investigation;
    visitMembers(investigation, Draw());
    const Journal journal = parse(kHeaderLine + toJsonLine(investigation) + "\n" + kEntryLine);
    RC_ASSERT(journal.investigations == std::vector{investigation});
    RC_ASSERT(journal.entries == std::vector{sampleEntry()});
  }));
  const std::string line = R"({"investigated":"c","failure":"f","when":"on Mondays"})";
  EXPECT_EQ(parse(kHeaderLine + line + "\n").investigations[0].when, When());
}

TEST(Journal, AnyBytesBecomeOneValidLine) {
  EXPECT_TRUE(rc::check("bytes of a worker's stderr", [](const std::string& bytes) {
    JournalEntry entry = sampleEntry();
    entry.workerStderr = bytes;
    const std::string line = toJsonLine(entry);
    RC_ASSERT(line.find('\n') == std::string::npos);
    RC_ASSERT(parse(kHeaderLine + line + "\n").entries.size() == 1u);
  }));
  JournalEntry entry = sampleEntry();
  entry.workerStderr = "a\xFFz";
  EXPECT_EQ(parse(kHeaderLine + toJsonLine(entry) + "\n").entries[0].workerStderr,
            "a\xEF\xBF\xBDz");
  entry.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(parse(kHeaderLine + toJsonLine(entry) + "\n").entries[0].seconds, 0);
}

// Returns the line with the first occurrence of `from` replaced.
std::string with(std::string line, const std::string& from, const std::string& to) {
  const size_t at = line.find(from);
  EXPECT_NE(at, line.npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(Journal, CutAtEveryByte) {
  const std::string whole = kHeaderLine + kEntryLine + kEntryLine;
  for (size_t length = 0; length <= whole.size(); ++length) {
    const Journal journal = parse(whole.substr(0, length));
    const size_t lines = (length >= kHeaderLine.size()) +
                         (length >= kHeaderLine.size() + kEntryLine.size()) +
                         (length == whole.size());
    ASSERT_EQ(journal.headers.size() + journal.entries.size(), lines) << length;
    const size_t begin = length == 0 ? 0 : whole.rfind('\n', length - 1) + 1;
    ASSERT_EQ(journal.cutLine.value_or(""), whole.substr(begin, length - begin)) << length;
  }
}

TEST(Journal, ConcatenationKeepsWhoseEntryIsWhose) {
  const Journal journal = parse(kHeaderLine + kEntryLine + kHeaderLine + kEntryLine + kEntryLine);
  EXPECT_EQ(journal.headers.size(), 2u);
  EXPECT_EQ(journal.headerOf, (std::vector<size_t>{0, 1, 1}));
}

TEST(Journal, UnknownMembersAreIgnored) {
  std::string header = kHeaderLine;
  header.insert(header.rfind('}'), R"(,"later":{"a":[1]})");
  std::string entry = kEntryLine;
  entry.insert(entry.rfind('}'), R"(,"later":null)");
  EXPECT_EQ(parse(header + entry).entries, std::vector{sampleEntry()});
}

// A text that the reader must refuse: the line that its error names, and what it says.
struct Attack {
  std::string text;
  int line;
  std::string said;
};

// Names that lead out of a folder or a query, in each member that may name a file or a rule.
void addNames(std::vector<Attack>& attacks) {
  for (const std::string name : {"../1", "/tmp/1", "a/../../1", "a//1", "a/", ".", "a\n", "C:1",
                                 "-", "*", "* or nonzero_coordinates", "a input=u8"}) {
    const auto add = [&](const std::string& member, auto change) {
      JournalEntry entry = sampleEntry();
      change(entry);
      attacks.push_back(
          {kHeaderLine + toJsonLine(entry) + "\n", 2, "\"" + member + "\" must be letters"});
    };
    add("bundle", [&](JournalEntry& entry) { entry.bundle = name; });
    add("operator", [&](JournalEntry& entry) { entry.op = name; });
    add("family", [&](JournalEntry& entry) { entry.family = name; });
    add("rules", [&](JournalEntry& entry) { entry.rules = {name}; });
    add("violated", [&](JournalEntry& entry) { entry.violated = {name}; });
    add("observations", [&](JournalEntry& entry) { entry.observations = {{name, 1}}; });
  }
}

// Verdicts that no run of this specification edition can have written.
void addVerdicts(std::vector<Attack>& attacks) {
  const auto text = [](Verdict verdict, const std::string& rule, bool strict) {
    JournalHeader header = sampleHeader();
    header.specification = kSpecificationEdition;
    header.strict = strict;
    JournalEntry entry = sampleEntry();
    entry.kinds = {{"wrong-elements", 1}};
    entry.verdict = verdict;
    if (!rule.empty()) entry.violated = {rule};
    return toJsonLine(header) + "\n" + toJsonLine(entry) + "\n";
  };
  const std::string inferred = "gather_nd.nan-payload";
  EXPECT_EQ(parseError(text(Verdict::Arguable, inferred, false)), "");
  for (const std::string rule : {"gather_nd.gather", "tensor.untouched", "no.rule"}) {
    attacks.push_back({text(Verdict::Arguable, rule, false), 2,
                       "verdict Arguable for " + rule + ", no inferred rule"});
  }
  attacks.push_back(
      {text(Verdict::Arguable, "", false), 2, "verdict Arguable without a violated rule"});
  attacks.push_back(
      {text(Verdict::Arguable, inferred, true), 2, "verdict Arguable in a strict run"});
  attacks.push_back({text(Verdict::Pass, inferred, true), 2,
                     "verdict Pass with violated rules or kinds of failure"});
}

TEST(JournalReader, RefusesEveryAttackByFileLineAndMember) {
  const auto header = [](const std::string& from, const std::string& to) {
    return with(kHeaderLine, from, to);
  };
  const auto entry = [](const std::string& from, const std::string& to) {
    return kHeaderLine + with(kEntryLine, from, to);
  };
  std::string wide = kHeaderLine + "{";
  for (int i = 0; i < 100'000; ++i) wide += "\"" + std::to_string(i) + "\":0,";
  std::vector<Attack> attacks{
      {"hello\n", 1, "not JSON"},
      {"\x89PNG\r", 1, "not JSON"},
      {"[]\n", 1, "not a JSON object"},
      {kEntryLine, 1, "not a journal header"},
      {kHeaderLine + "\n" + kEntryLine, 2, "not JSON"},
      {kHeaderLine + kEntryLine + "{\n" + kEntryLine, 3, "not JSON"},
      {kHeaderLine + "{\"case\":\"a\xFF\"}\n", 2, "UTF-8"},
      {kHeaderLine + "{\"case\":\"gat" + kHeaderLine, 2, "joined after a crash"},
      {kHeaderLine + std::string(1'000'000, '[') + "\n", 2, "nested deeper than 64"},
      {kHeaderLine + "\"" + std::string(100'000, 'x') + "\n", 2, "not JSON"},
      {wide + "\"x\":0}\n", 2, "is missing"},
      {header("\"journal\":4", "\"journal\":5"), 1, "version 5"},
      {header("\"journal\":4", "\"journal\":-1"), 1, "\"journal\""},
      {header("\"journal\":4", "\"journal\":1e99"), 1, "\"journal\""},
      {header("\"shardCount\":3", "\"shardCount\":1"), 1, "shardCount"},
      {header("\"shardCount\":3", "\"shardCount\":4294967296"), 1, "shardCount"},
      {header("\"shardCount\":3", "\"shardCount\":1000001"), 1, "above 1000000"},
      {header("\"specification\":\"", "\"specifications\":\""), 1, "\"specification\" is missing"},
      {header("\"specification\":\"" + std::string(kSpecificationEdition), "\"specification\":\""),
       1, "\"specification\" is missing"},
      {header("\"planHash\"", "\"hash\""), 1, "\"planHash\" is missing"},
      {header("\"Tiled\":\"no\"", "\"Tiled\":0"), 1, "\"limits\""},
      {entry("\"Fail\"", "\"Failed\""), 2, "\"verdict\""},
      {entry("input=f32:3x4", "input=f32:3x4 fill=npy(data.npy)"), 2,
       "\"case\" names a file without the hash of its content"},
      {entry("\"rank\":2", "\"rank\":-2"), 2, "\"rank\""},
      {entry("\"executed\":true", "\"executed\":1"), 2, "\"executed\""},
      {entry("0.0125", "null"), 2, "\"seconds\""},
      {entry("0.0125", "1e999"), 2, "not JSON"},
      {entry("\"gather_nd.tuple-size\"", "1"), 2, "\"rules\""},
      {entry("3f800000", "3F800000"), 2, "hexadecimal digits"},
      {entry("{\"note\":\"in words\"}", "\"in words\""), 2,
       "\"differences\" must be a list of objects"},
  };
  addNames(attacks);
  addVerdicts(attacks);
  for (const auto& [text, line, said] : attacks) {
    const std::string error = parseError(text);
    EXPECT_THAT(error, StartsWith("run.jsonl:" + std::to_string(line) + ": "))
        << text.substr(0, 999);
    EXPECT_THAT(error, HasSubstr(said)) << text.substr(0, 999);
    EXPECT_LT(error.size(), 300u);
  }
}

TEST(Journal, HoldsDifferencesAsData) {
  EXPECT_THAT(kEntryLine,
              HasSubstr(R"("differences":[{"tensor":"output","element":[0,3],"byte":12,)"
                        R"("expected":"3f800000","actual":"00000000",)"
                        R"("note":"not written"},{"note":"in words"}])"));
  const auto differences = sampleEntry().differences;
  EXPECT_EQ(differences[0].text(),
            "output[0,3] at byte 12: expected 0x3f800000, actual 0x00000000 (not written)");
  EXPECT_EQ(differences[1].text(), "in words");
}

// A disk that cannot be read on is not the end of the file.
TEST(JournalReader, FailsOnAFailedRead) {
  struct Failing : std::streambuf {
    std::string text = kHeaderLine + kEntryLine + kEntryLine.substr(0, 9);
    int_type underflow() override {
      if (eback() != nullptr) throw std::ios_base::failure("EIO");
      setg(text.data(), text.data(), text.data() + text.size());
      return traits_type::to_int_type(text.front());
    }
  } failing;
  std::istream in(&failing);
  EXPECT_EQ(thrown<InputError>([&] { parseJournal(in, "run.jsonl"); }),
            "run.jsonl: cannot be read");
}

TEST(Journal, LosesCharactersThatCouldControlATerminal) {
  const std::string foreign = "a\x1b[2J\nb\x7f\u009b\u202e\u2066";
  const std::string line = "a\\x1B[2J\\x0Ab\\x7F\\x9B\\u{202E}\\u{2066}";
  const std::string lines = "a\\x1B[2J\nb\\x7F\\x9B\\u{202E}\\u{2066}";
  JournalHeader header = sampleHeader();
  header.driver = foreign;
  header.limits = {{foreign, foreign}};
  header.queries = {foreign};
  JournalEntry entry = sampleEntry();
  entry.caseString = entry.message = foreign;
  entry.differences = {{.tensor = foreign, .note = foreign}};
  const Journal journal = parse(toJsonLine(header) + "\n" + toJsonLine(entry) + "\n");
  EXPECT_EQ(journal.headers[0].driver, line);
  EXPECT_EQ(journal.headers[0].limits.at(line), line);
  EXPECT_EQ(journal.headers[0].queries.front(), line);
  EXPECT_EQ(journal.entries[0].caseString, line);
  EXPECT_EQ(journal.entries[0].message, lines);
  EXPECT_EQ(journal.entries[0].differences.front().tensor, line);
  EXPECT_EQ(journal.entries[0].differences.front().note, lines);
}

#ifndef _WIN32
TEST(JournalWriter, LeavesNoHalfHeaderOnAFullDisk) {
  TestFolder folder;
  JournalWriter writer(Folder(folder.path()), "run.jsonl", AppendFile::Mode::CreateNew);
  FileSizeLimit full(20);
  EXPECT_THROW(writer.begin(sampleHeader()), std::system_error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "run.jsonl"));
}
#endif

TEST(Journal, UnreadableFiles) {
  TestFolder folder;
  EXPECT_THROW(readJournal(folder.path() / "none.jsonl"), std::runtime_error);
  EXPECT_THROW(readJournal(folder.path()), std::runtime_error);
}

}  // namespace
}  // namespace dmlcts
