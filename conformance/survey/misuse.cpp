// Correct operators that are bound and executed incorrectly. Most documentation says what is
// required, but not what happens otherwise.

#include <array>

#include "conformance/cases/language/case_string.h"
#include "conformance/survey/question.h"
#include "gpu/misuse.h"

namespace dmlcts {
namespace {

using gpu::CallKind;

// One with one output, one with two outputs and a temporary resource.
constexpr std::array<std::string_view, 2> kOperators{
    "gather_nd level=3.0 input=f32:8x8 indices=u32:8x1 output=8x8 dims=2,2 align.input=256",
    "nonzero_coordinates level=4.1 input=f32:64x64 coords=4096x2 align.input=256",
};

}  // namespace

void addMisuseQuestions(std::vector<Question>& questions) {
  for (size_t i = 0; i < gpu::kMisuses.size(); ++i) {
    const auto misuse = static_cast<gpu::Misuse>(i);
    for (const std::string_view text : kOperators) {
      const Case testCase = parseCase(text);
      Question question;
      question.subject = "Errors of use";
      question.asked = std::string(operatorName(testCase.descriptor)) + ": " +
                       std::string(gpu::info(misuse).what) + " (" +
                       std::string(gpu::info(misuse).source) + ")";
      question.program = gpu::Sequence{{
          {.kind = CallKind::Create, .asked = {{testCase.level, testCase.descriptor}}},
          {.kind = CallKind::Compile},
          {.kind = CallKind::Initialize, .operators = {0}},
          {.kind = CallKind::Bind, .operators = {0}, .misuse = misuse},
          {.kind = CallKind::Execute},
          {.kind = CallKind::Wait},
      }};
      questions.push_back(std::move(question));
    }
  }
}

}  // namespace dmlcts
