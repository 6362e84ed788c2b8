#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/run/lane.h"
#include "conformance/survey/question.h"

// What targets do where the documents leave it open. Never a verdict: nothing here is right or
// wrong, and nothing may be relied on, but for what a page promises of an error of use.

namespace dmlcts {

struct SurveyAnswer {
  std::string subject;
  std::string asked;
  std::string answer;
  std::optional<bool> kept = {};  // what a page promises; nothing where none does

  bool operator==(const SurveyAnswer&) const = default;
};

struct Survey {
  gpu::Identity identity;
  std::string suite;  // version and commit
  std::vector<SurveyAnswer> answers;
};

// All questions whose "subject: asked" matches a pattern with "*" and "?", in the order in which
// they are printed.
std::vector<Question> surveyQuestions(std::string_view pattern = "*");

// Whether what a page promises of the error came about, by a target's answer; nothing where none
// promises anything, or it was not tried.
std::optional<bool> promiseKept(gpu::Misuse misuse, const gpu::Answer& answer);

// Asks them one by one; a worker that does not survive one is replaced. Throws
// WorkerStartError, and WrongTarget where something else answers than is required.
Survey takeSurvey(const std::vector<Question>& questions, const gpu::WorkerCommand& command,
                  const RequiredTarget& required, std::chrono::milliseconds timeout);

// A JSON object, an answer to the line. readSurvey throws InputError, naming file and member, for
// anything else.
std::string surveyJson(const Survey& survey);
Survey readSurvey(const std::filesystem::path& file);

// A table for each subject, with a column for each survey; those next to each other that answered
// alike throughout share one.
std::string surveyMarkdown(const std::vector<Survey>& surveys);

}  // namespace dmlcts
