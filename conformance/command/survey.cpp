#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/command/commands.h"
#include "conformance/run/environment.h"
#include "conformance/run/runner.h"

// `dmlcts survey`: shows a target's unspecified behaviour.

namespace dmlcts {
namespace {

struct SurveyArguments {
  TargetOptions target;
  LaneOptions lane;
  std::string questions = "*";
  bool robust = false;
  std::vector<std::string> compared;
  std::string json;
  std::string out;
};

}  // namespace

void addSurveyCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("survey", "Print a target's unspecified behaviour as Markdown");
  auto arguments = std::make_shared<SurveyArguments>();
  addTargetOptions(*command, arguments->target);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "longest time for one question");
  command->add_option("--json", arguments->json, "also write the answers to this new file");
  command->add_option("--out", arguments->out, "write the Markdown to this new file instead");
  command->add_option("--questions", arguments->questions,
                      "ask only the questions whose \"subject: question\" matches this pattern");
  command->add_flag(
      "--robust", arguments->robust,
      "test indices out of range: Unsafe, and status 1, if the output has anything but "
      "an input element, zero or nothing; not part of conformance");
  command
      ->add_option("--compare", arguments->compared,
                   "run nothing: print these files of --json side by side")
      ->excludes("--json")
      ->excludes("--robust")
      ->excludes("--questions");
  command->callback([arguments, &context] {
    requireFile(pathOf(arguments->json), "--json");
    if (!arguments->json.empty() && std::filesystem::exists(pathOf(arguments->json))) {
      throw UsageError(arguments->json + " exists, and is not overwritten");
    }
    requireFile(pathOf(arguments->out), "--out");
    std::vector<Survey> surveys;
    for (const std::string& file : arguments->compared) surveys.push_back(readSurvey(pathOf(file)));
    if (surveys.empty()) {
      const std::vector<Question> questions =
          surveyQuestions(arguments->questions, arguments->robust);
      if (questions.empty()) {
        throw UsageError("--questions " + arguments->questions + ": no question matches");
      }
      arguments->lane.command = workerCommand(arguments->target);
      arguments->lane.required = arguments->target.required;
      setDeadlines(arguments->target, arguments->lane);
      surveys.push_back(takeSurvey(questions, arguments->lane));
      if (!arguments->json.empty()) {
        writeNewFile(arguments->json, "--json", surveyJson(surveys.front()));
      }
    }
    const std::string text = surveyMarkdown(surveys);
    if (arguments->out.empty()) {
      fmt::print("{}", text);
    } else {
      writeNewFile(arguments->out, "--out", text);
    }
    context.status = std::ranges::any_of(surveys, isUnsafe) ? kConformanceFailure : kAsExpected;
  });
}

}  // namespace dmlcts
