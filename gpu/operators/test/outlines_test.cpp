// Checks the planner's decisions, case by case: no other test notices a correct but slower plan. To
// change a plan on purpose, change outlines.inc with it.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <sstream>

#include "conformance/cases/case_string.h"
#include "gpu/operators/operators.h"

namespace dmlcts::gpu {
namespace {

// Paragraphs: a case ("low" before it if under low limits), then its plan's outline.
constexpr std::string_view kOutlines =
#include "gpu/operators/test/outlines.inc"
    ;

// Returns a pass's stage, shader and groups, and the memory that it sees.
std::string lineOf(const Pass& pass) {
  constexpr std::array kMemories{"input", "output", "temporary", "state"};
  std::string line =
      fmt::format("{}. {} {}x{}", pass.stage, name(pass.shader), pass.groupsX, pass.groupsY);
  for (const Binding& binding : pass.bindings) {
    line += fmt::format(" {}{}{}[{},{})", kMemories.at(static_cast<size_t>(binding.memory.kind)),
                        binding.memory.slot, isTyped(binding.where) ? ".texels" : "",
                        binding.offset, binding.offset + binding.bytes);
  }
  return line + '\n';
}

// Shows only the first four passes and the last.
std::string outlineOf(const Plan& plan) {
  constexpr size_t kShown = 4;
  std::string text =
      fmt::format("passes {}, temporary bytes {}\n", plan.passes.size(), plan.temporaryBytes);
  for (size_t i = 0; i < plan.passes.size(); ++i) {
    if (i < kShown || i + 1 == plan.passes.size()) text += lineOf(plan.passes[i]);
  }
  return text;
}

TEST(Outlines, AreOfThePlansThatAreMeant) {
  std::istringstream lines{std::string(kOutlines)};
  std::string line;
  size_t cases = 0;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    const bool isLow = line.starts_with("low ");
    const Case testCase = parseCase(std::string_view(line).substr(isLow ? 4 : 0));
    std::string expected;
    std::string pass;
    while (std::getline(lines, pass) && !pass.empty()) expected += pass + '\n';
    EXPECT_EQ(outlineOf(planOf(testCase.descriptor, isLow ? PlanLimits::low() : PlanLimits{})),
              expected)
        << line;
    ++cases;
  }
  EXPECT_GE(cases, 45u);
}

}  // namespace
}  // namespace dmlcts::gpu
