#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "conformance/survey/question.h"

// Surveys of unspecified behaviour. Never a verdict: no answer is right or wrong or may be relied
// on.

namespace dmlcts {

struct SurveyAnswer {
  std::string subject;
  std::string asked;
  std::string answer;
  std::optional<bool> safe = {};  // with --robust, unless it was rejected

  bool operator==(const SurveyAnswer&) const = default;
};

struct Survey {
  gpu::Identity identity;
  std::string suite;  // version and commit
  std::vector<SurveyAnswer> answers;
};

// Returns the questions whose "subject: asked" matches a pattern with "*" and "?", in printing
// order. `robust`: those that no answer to may show memory outside of the tensors.
std::vector<Question> surveyQuestions(std::string_view pattern = "*", bool robust = false);

// Asks the questions one by one; replaces a worker that does not survive one. Throws
// WorkerStartError, and WrongTarget if another target answers than required.
Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options);

// A JSON object with one answer per line. readSurvey throws InputError, naming file and member, for
// anything else.
std::string surveyJson(const Survey& survey);
Survey readSurvey(const std::filesystem::path& file);

// Returns a table per subject with a column per survey. Neighbouring surveys with identical answers
// share a column.
std::string surveyMarkdown(const std::vector<Survey>& surveys);

}  // namespace dmlcts
