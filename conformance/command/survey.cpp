#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <memory>

#include "conformance/command/commands.h"

// `dmlcts survey`: shows a target's unspecified behaviour.

namespace dmlcts {
namespace {

struct SurveyArguments {
  TargetOptions target;
  LaneOptions lane;
  bool robust = false;
};

}  // namespace

void addSurveyCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("survey", "Print a target's unspecified behaviour as Markdown");
  auto arguments = std::make_shared<SurveyArguments>();
  addTargetOptions(*command, arguments->target);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "longest time for one question");
  command->add_flag(
      "--robust", arguments->robust,
      "test indices out of range: Unsafe, and status 1, if the output has anything but "
      "an input element, zero or nothing; not part of conformance");
  command->callback([arguments, &context] {
    arguments->lane.command = workerCommand(arguments->target);
    arguments->lane.required = arguments->target.required;
    setDeadlines(arguments->target, arguments->lane);
    const Survey survey = takeSurvey(surveyQuestions(arguments->robust), arguments->lane);
    fmt::print("{}", surveyMarkdown(survey));
    context.status = isUnsafe(survey) ? kConformanceFailure : kAsExpected;
  });
}

}  // namespace dmlcts
