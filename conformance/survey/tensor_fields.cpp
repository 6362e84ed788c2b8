// Values of a tensor's fields of which no page says what comes of them: flags that are not defined,
// totals that are not a multiple of 4.

#include <fmt/format.h>

#include <algorithm>

#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/survey/question.h"
#include "reference/evaluate.h"

namespace dmlcts {
namespace {

constexpr auto kElement = DataType::UInt32;

// An operator, and its inputs' bytes.
struct Plain {
  Descriptor descriptor;
  std::vector<std::vector<uint8_t>> inputs;
};

std::vector<Plain> plainOperators() {
  const std::vector<std::vector<uint8_t>> gathered{packed(kElement, {11, 12, 13, 14}),
                                                   packed(kElement, {1, 3})};
  const GatherNd gather = makeGather(kElement, kElement, 2, {4}, {2}, 1);
  return {{gather, gathered},
          {withoutBatches(gather), gathered},
          {makeNonzero(kElement, {8}, 1), {packed(kElement, {0, 5, 0, 0, 0, 0, 9, 0})}}};
}

// Compares the elements with those of the plain operator.
std::string readAsPlain(const Plain& plain, const gpu::Request& request,
                        const gpu::Answer& answer) {
  const auto expected = evaluate(plain.descriptor, plain.inputs);
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint64_t offset = request.outputs[i].offset;
    for (size_t at = 0; at < expected[i].bytes.size(); ++at) {
      if (expected[i].status[at] != ByteStatus::Defined) continue;
      if (answer.outputs[i][offset + at] != expected[i].bytes[at]) return "executed; other results";
    }
  }
  return "executed; the results are those without it";
}

template <class Change>
void addToEachTensor(std::vector<Question>& questions, const char* subject, const char* asked,
                     const char* breaks, const Change& change) {
  for (const Plain& plain : plainOperators()) {
    const auto slots = tensors(plain.descriptor);
    for (size_t i = 0; i < slots.size(); ++i) {
      Descriptor changed = plain.descriptor;
      change(*mutableTensors(changed)[i]);
      Question question{
          subject,
          fmt::format("{} {}: {}", operatorName(plain.descriptor), slots[i].dmlName, asked),
          requestOf(std::move(changed), plain.inputs),
          {}};
      question.read = [plain, request = question.request](const gpu::Answer& answer) {
        return readAsPlain(plain, request, answer);
      };
      question.breaks = breaks;
      questions.push_back(std::move(question));
    }
  }
}

}  // namespace

void addTensorFieldQuestions(std::vector<Question>& questions) {
  addToEachTensor(questions, "Undefined flag bits", "Flags 0x2", "",
                  [](TensorDesc& tensor) { tensor.flags = 2; });
  addToEachTensor(questions, "Undefined flag bits", "Flags 0x80000000", "",
                  [](TensorDesc& tensor) { tensor.flags = 0x8000'0000; });
  addToEachTensor(questions, "Totals that are no multiple of 4",
                  "TotalTensorSizeInBytes a byte larger", "",
                  [](TensorDesc& tensor) { ++tensor.totalBytes; });
}

}  // namespace dmlcts
