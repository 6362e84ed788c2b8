#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "conformance/survey/question.h"
#include "gpu/target.h"

// Surveys of unspecified behaviour. Never a verdict: no answer is right or wrong or may be relied
// on.

namespace dmlcts {

struct SurveyAnswer {
  std::string subject, asked;  // as the question's
  std::string answer;          // in words
  std::optional<bool> safe;    // of --robust; nothing if the target refused the request
};

struct Survey {
  gpu::Identity identity;
  std::vector<SurveyAnswer> answers;
};

// Returns the questions in the order in which they are asked. `robust`: those that no answer to may
// show memory outside of the tensors.
std::vector<Question> surveyQuestions(bool robust = false);

// Asks the questions one by one; replaces a worker that does not survive one. Throws
// WorkerStartError, and WrongTarget if another target answers than required.
Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options);

// True if an answer of --robust was not safe.
bool isUnsafe(const Survey& survey);

// Returns a table per subject.
std::string surveyMarkdown(const Survey& survey);

}  // namespace dmlcts
