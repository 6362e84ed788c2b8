#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "conformance/survey/question.h"

// Surveys of unspecified behaviour. Never a verdict: no answer is right or wrong or may be relied
// on.

namespace dmlcts {

// The document of --json: "survey", its version; "suite", version and commit; "identity", five
// texts; "answers", each [subject, question, answer], and with --robust true if it was safe, false
// if not.
using Survey = nlohmann::json;

// Returns the questions whose "subject: asked" matches a pattern with "*" and "?", in printing
// order. `robust`: those that no answer to may show memory outside of the tensors.
std::vector<Question> surveyQuestions(std::string_view pattern = "*", bool robust = false);

// Asks the questions one by one; replaces a worker that does not survive one. Throws
// WorkerStartError, and WrongTarget if another target answers than required.
Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options);

// True if an answer of --robust was not safe.
bool isUnsafe(const Survey& survey);

// Returns the file's text, with one answer per line.
std::string surveyJson(const Survey& survey);

// Throws InputError, naming file and member, for anything but a survey.
Survey readSurvey(const std::filesystem::path& file);

// Returns a table per subject with a column per survey. Neighbouring surveys with identical answers
// share a column.
std::string surveyMarkdown(const std::vector<Survey>& surveys);

}  // namespace dmlcts
