// Checks the planner's decisions, case by case: no other test notices a correct but slower plan. To
// change a plan on purpose, change outlines.inc with it.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <span>
#include <sstream>

#include "conformance/language/case_string.h"
#include "gpu/operators/operators.h"

namespace dmlcts::gpu {
namespace {

// Paragraphs: a case (before it "low" or another of kLimits, if under such), then its plan's
// outline.
constexpr std::string_view kOutlines =
#include "gpu/operators/test/outlines.inc"
    ;

const std::map<std::string, PlanLimits, std::less<>> kLimits{
    {"", {}}, {"low ", PlanLimits::low()}, {"passes ", {.maxTilesInOneDispatch = 0}}};

// Returns the size of an axis, and its strides in indices, output and input.
std::string axisOf(const Pass& pass, size_t at) {
  return fmt::format(" {}", fmt::join(std::span(pass.constants).subspan(at, 4), ":"));
}

// Returns a pass's stage, shader and groups, the memory that it sees, and the axes of a gather.
std::string lineOf(const Pass& pass) {
  constexpr std::array kMemories{"input", "output", "temporary", "state"};
  std::string line =
      fmt::format("{}. {} {}x{}", pass.stage, name(pass.shader), pass.groupsX, pass.groupsY);
  for (const Binding& binding : pass.bindings) {
    line += fmt::format(" {}{}{}[{},{})", kMemories.at(static_cast<size_t>(binding.memory.kind)),
                        binding.memory.slot, isTyped(binding.where) ? ".texels" : "",
                        binding.offset, binding.offset + binding.bytes);
  }
  if (name(pass.shader).starts_with("gather")) {
    line += " axes";
    for (size_t i = 0; i < pass.constants.at(constants::kGatherAxisCount); ++i) {
      line += axisOf(pass, constants::kGatherAxes + 4 * i);
    }
  }
  if (name(pass.shader).starts_with("gather_block")) {
    line += " columns" + axisOf(pass, constants::kBlockColumns);
    if (pass.constants[constants::kBlockReadsDown] != 0) line += " down";
  }
  return line + '\n';
}

// Shows only the first four passes and the last.
std::string outlineOf(const Plan& plan) {
  constexpr size_t kShown = 4;
  std::string text = fmt::format("passes {}, temporary bytes {}, state bytes {}\n",
                                 plan.passes.size(), plan.temporaryBytes, plan.stateBytes);
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
    const std::string limits = line.substr(0, std::min(line.find("gather"), line.find("nonzero")));
    const Case testCase = parseCase(std::string_view(line).substr(limits.size()));
    std::string expected;
    std::string pass;
    while (std::getline(lines, pass) && !pass.empty()) expected += pass + '\n';
    EXPECT_EQ(outlineOf(planOf(testCase.descriptor, kLimits.at(limits))), expected) << line;
    ++cases;
  }
  EXPECT_GE(cases, 90u);
}

}  // namespace
}  // namespace dmlcts::gpu
