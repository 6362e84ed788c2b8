#include "conformance/survey/survey.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "reference/element.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

// Cached, because it walks the smoke tier.
const std::vector<Question>& questions() {
  static const std::vector<Question> all = surveyQuestions();
  return all;
}

const Question& questionNamed(const std::string& asked) {
  const auto found = std::ranges::find(questions(), asked, &Question::asked);
  if (found == questions().end()) throw std::invalid_argument("no question " + asked);
  return *found;
}

TEST(SurveyQuestions, AreAskedOnceAndCanBeAsked) {
  std::set<std::pair<std::string, std::string>> seen;
  std::set<uint64_t> ids;
  for (const Question& question : questions()) {
    EXPECT_TRUE(seen.insert({question.subject, question.asked}).second) << question.asked;
    EXPECT_TRUE(ids.insert(question.request.id).second) << question.asked;
    EXPECT_EQ(question.request.execute, question.read != nullptr) << question.asked;
    const gpu::Request& request = question.request;
    if (!request.execute) continue;
    EXPECT_EQ(request.inputs.size() + request.outputs.size(), tensors(request.descriptor).size());
  }
  EXPECT_GT(seen.size(), 100u);
}

// An answer about two broken rules is about neither.
TEST(SurveyQuestions, BreakTheRuleThatTheyAreAboutAndNoOther) {
  for (const Question& question : questions()) {
    std::set<std::string_view> broken;
    for (const BrokenRule& each : check(question.request.descriptor, question.request.level)) {
      broken.insert(each.rule->id);
    }
    std::set<std::string_view> about;
    if (!question.breaks.empty()) about.insert(question.breaks);
    EXPECT_EQ(broken, about) << question.subject << ": " << question.asked;
    EXPECT_EQ(question.request.level, kLevels.back()) << question.asked;
  }
}

// A question that a page answers would be a case.
TEST(SurveyQuestions, AskNothingThatADocumentForbids) {
  for (const Question& question : questions()) {
    if (!question.request.execute || question.breaks.empty()) continue;
    EXPECT_NE(findRule(question.breaks)->standing, Standing::Documented) << question.asked;
  }
}

// Returns an answer that changed nothing.
gpu::Answer idleAnswer(const Question& question) {
  gpu::Answer answer;
  answer.status = gpu::Status::Executed;
  for (const gpu::BufferImage& each : question.request.outputs) {
    answer.outputs.push_back(each.bytes);
  }
  return answer;
}

// Describes an answer whose first output element has these bits.
std::string reading(const std::string& asked, uint32_t bits) {
  const Question& question = questionNamed(asked);
  gpu::Answer answer = idleAnswer(question);
  storeBits(answer.outputs[0], question.request.outputs[0].offset, 4, bits);
  return question.read(question.request, answer);
}

// Returns the bits at a byte offset from the start of that question's input.
uint32_t inputBits(const std::string& asked, int64_t byte) {
  const gpu::BufferImage& input = questionNamed(asked).request.inputs[0];
  return static_cast<uint32_t>(
      loadBits(input.bytes, input.offset + static_cast<uint64_t>(byte), 4));
}

TEST(SurveyReadings, TellWhatAnIndexOutOfRangeSelected) {
  const std::string size = "gather_nd UINT32: size";
  const auto element = [&](int64_t i) { return inputBits(size, 4 * i); };
  EXPECT_EQ(reading(size, element(5)), "the last element");
  EXPECT_EQ(reading(size, 0), "zero");
  EXPECT_EQ(reading(size, element(0)), "the index modulo the size");
  EXPECT_EQ(reading(size, element(6)), "the 4 bytes 24 behind the first of the tensor");
  EXPECT_EQ(reading(size, element(9)), "another element of the buffer");
  EXPECT_EQ(reading(size, 0x12345678), "0x12345678");
  const std::string negative = "gather_nd1 INT32: -size - 2";
  EXPECT_EQ(reading(negative, element(0)), "the first element");
  EXPECT_EQ(reading(negative, element(4)), "the index modulo the size");
  EXPECT_EQ(reading(negative, element(5)), "the last element");
  EXPECT_EQ(reading(negative, element(-2)), "the 4 bytes 8 before the tensor");
  EXPECT_EQ(reading(negative, element(-8)), "the 4 bytes 32 before the tensor");
  const std::string wide = "gather_nd UINT64: 2^32 + 2";
  EXPECT_EQ(reading(wide, element(2)), "what the lower dword alone selects");
  EXPECT_EQ(reading("gather_nd UINT32: 2^32 - 2", element(4)),
            "counted from the end, as if signed");
}

TEST(SurveyReadings, TellWhatBecameOfMemory) {
  EXPECT_EQ(reading("nonzero_coordinates FLOAT32: -0", 0), "yes");
  EXPECT_EQ(reading("nonzero_coordinates FLOAT32: -0", 1), "no");
  EXPECT_EQ(reading("nonzero_coordinates FLOAT32: -0", 2), "count is 2");
  EXPECT_EQ(reading("gather_nd FLOAT32: signalling NaN", 0x7F800001), "unchanged");
  EXPECT_EQ(reading("gather_nd FLOAT32: signalling NaN", 0x7FC00001), "becomes 0x7fc00001");
  const Question& rows = questionNamed("nonzero_coordinates: rows 2 to 7");
  gpu::Answer answer = idleAnswer(rows);
  EXPECT_EQ(rows.read(rows.request, answer), "untouched");
  const auto third =
      answer.outputs[1].begin() + static_cast<ptrdiff_t>(rows.request.outputs[1].offset) + 8;
  *third ^= 1;
  EXPECT_EQ(rows.read(rows.request, answer), "partly written");
  std::fill(third, third + 24, uint8_t{0});
  EXPECT_EQ(rows.read(rows.request, answer), "zeros");
}

// Worker text cannot break out of its cell.
TEST(SurveyMarkdown, HasATableOfEachSubject) {
  Survey survey{{}, {{kOutOfRange, "asked", "zero", true}}};
  survey.identity.target = "directml";
  survey.identity.implementation = "1.3";
  EXPECT_FALSE(isUnsafe(survey));
  survey.answers.push_back({"Padding", "between", "last | `row`", std::nullopt});
  survey.answers.push_back({kOutOfRange, "more", "x", false});
  EXPECT_TRUE(isUnsafe(survey));
  EXPECT_THAT(surveyMarkdown(survey), testing::HasSubstr("\n## Index out of range\n\n"
                                                         "| | DirectML 1.3 |\n| --- | --- |\n"
                                                         "| `asked` | zero: safe |\n"
                                                         "| `more` | x: **Unsafe** |\n"
                                                         "\n## Padding\n"));
  EXPECT_THAT(surveyMarkdown(survey), testing::HasSubstr("| `between` | last \\| \\`row\\` |\n"));
}

}  // namespace
}  // namespace dmlcts
