// Unspecified behaviour of NONZERO_COORDINATES: values that count as zero, rows past the count,
// padding.

#include <fmt/format.h>

#include "conformance/language/build.h"
#include "conformance/survey/question.h"

namespace dmlcts {
namespace {

constexpr auto kU32 = DataType::UInt32;

void addValue(std::vector<Question>& questions, DataType type, const char* asked, uint64_t bits) {
  questions.push_back({"Counts as zero",
                       fmt::format("nonzero_coordinates {}: {}", info(type).dmlName, asked),
                       requestOf(makeNonzero(type, {4}, 1), {packed(type, {0, 0, bits, 0})}),
                       [](const gpu::Answer& answer) {
                         const uint64_t count = elementAt(answer.outputs[0], 256, kU32, 0);
                         return count == 0   ? std::string("yes")
                                : count == 1 ? std::string("no")
                                             : fmt::format("count is {}", count);
                       }});
}

// Input of 8 elements, two of them non-zero.
void addMemory(std::vector<Question>& questions, const char* subject, const char* asked,
               const NonzeroCoordinates& op, size_t output, uint64_t from, uint64_t to) {
  Question question{subject,
                    fmt::format("nonzero_coordinates: {}", asked),
                    requestOf(op, {packed(kU32, {0, 5, 0, 0, 0, 0, 9, 0})}),
                    {}};
  question.read = [request = question.request, output, from, to](const gpu::Answer& answer) {
    std::string text = touched(request, answer, output, from, to);
    if (text == "untouched") return text;
    for (uint64_t at = from; at < to; ++at) {
      if (answer.outputs[output][request.outputs[output].offset + at] != 0) return text;
    }
    return std::string("zeros");
  };
  questions.push_back(std::move(question));
}

}  // namespace

void addNonzeroQuestions(std::vector<Question>& questions) {
  addValue(questions, DataType::Float32, "-0", 0x8000'0000);
  addValue(questions, DataType::Float32, "smallest denormal", 1);
  addValue(questions, DataType::Float32, "largest denormal", 0x007F'FFFF);
  addValue(questions, DataType::Float32, "largest denormal, negative", 0x807F'FFFF);
  addValue(questions, DataType::Float32, "quiet NaN", 0x7FC0'0000);
  addValue(questions, DataType::Float32, "signalling NaN", 0x7F80'0001);
  addValue(questions, DataType::Float16, "-0", 0x8000);
  addValue(questions, DataType::Float16, "smallest denormal", 1);
  addValue(questions, DataType::Float16, "largest denormal", 0x03FF);
  addValue(questions, DataType::Float16, "quiet NaN", 0x7E00);

  const NonzeroCoordinates plain = makeNonzero(kU32, {8}, 1);
  addMemory(questions, "Rows past the count", "rows 2 to 7", plain, 1, 8, 32);
  NonzeroCoordinates longer = plain;
  longer.coords.totalBytes += 64;
  addMemory(questions, "Padding", "behind the last row, within TotalTensorSizeInBytes", longer, 1,
            32, 96);
  NonzeroCoordinates longCount = plain;
  longCount.count.totalBytes += 60;
  addMemory(questions, "Padding", "behind the count, within TotalTensorSizeInBytes", longCount, 0,
            4, 64);
  NonzeroCoordinates stepped = plain;
  setStrides(stepped.coords, {4, 1});
  addMemory(questions, "Padding", "between rows with strides", stepped, 1, 4, 16);
  NonzeroCoordinates meeting = plain;
  setStrides(meeting.coords, {0, 1});
  questions.push_back(
      {"Output elements at one address", "nonzero_coordinates: all rows, by a stride of 0",
       requestOf(meeting, {packed(kU32, {0, 5, 0, 0, 0, 0, 9, 0})}),
       [](const gpu::Answer& answer) {
         return fmt::format("executed; {} remains", elementAt(answer.outputs[1], 256, kU32, 0));
       },
       "tensor.output-no-overlap"});
}

}  // namespace dmlcts
