#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "dmlcts_version.h"
#include "reports/journal/input_error.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using nlohmann::json;

constexpr int kMostTries = 3;  // of one question

std::string hresultText(int32_t hresult) {
  return fmt::format("0x{:08X}", static_cast<uint32_t>(hresult));
}

std::string inWords(const Question& question, const gpu::Answer& answer) {
  switch (answer.status) {
    case gpu::Status::Rejected:
      return "rejected, " + hresultText(answer.hresult);
    case gpu::Status::Created:
      return "accepted";
    case gpu::Status::Executed:
      return question.read ? question.read(answer) : "executed";
    case gpu::Status::NotSupported:
      return "not supported";
    case gpu::Status::DeviceRemoved:
      return "device removed";
    case gpu::Status::Failed:
      break;
  }
  return "failed, " + hresultText(answer.hresult);
}

// A worker that is replaced when it did not survive a question.
class Respondent {
 public:
  Respondent(const gpu::WorkerCommand& command, std::chrono::milliseconds timeout)
      : command_(command), timeout_(timeout) {
    start();
  }

  std::string ask(const Question& question) {
    for (int tries = 1;; ++tries) {
      if (!worker_->usable()) start();
      gpu::Request request = question.request;
      request.level = std::min(request.level, identity_.maxLevel);
      worker_->send({&request, 1});
      auto outcome = worker_->receive(timeout_);
      const auto* failure = std::get_if<gpu::Failure>(&outcome);
      if (!failure) return inWords(question, std::get<gpu::Answers>(outcome).answers.front());
      // It had died before it took this question up.
      const bool unrelated = std::holds_alternative<gpu::DiedAfterLastAnswer>(*failure);
      if (!unrelated || tries == kMostTries) return describe(*failure);
    }
  }

  const gpu::Identity& identity() const { return identity_; }

  void finish() {
    if (worker_->usable()) worker_->finish(timeout_);
  }

 private:
  void start() {
    worker_.emplace(command_);
    auto outcome = worker_->hello(timeout_);
    if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
      throw WorkerStartError("the worker did not start: " + gpu::describe(*failure) + "\n" +
                             worker_->takeStderr());
    }
    identity_ = std::get<gpu::Hello>(outcome).identity;
  }

  const gpu::WorkerCommand& command_;
  std::chrono::milliseconds timeout_;
  std::optional<gpu::Worker> worker_;
  gpu::Identity identity_;
};

// The text members of an identity that a survey keeps.
template <class Visit>
void visitText(gpu::Identity& identity, Visit&& visit) {
  visit("target", identity.target);
  visit("adapter", identity.adapter);
  visit("driver", identity.driver);
  visit("runtime", identity.runtime);
  visit("implementation", identity.implementation);
}

// Consecutive surveys with the same answers.
struct Column {
  std::string title;
  const Survey* survey = nullptr;
};

std::string titleOf(const Survey& survey) {
  const gpu::Identity& identity = survey.identity;
  return identity.target == "directml" ? "DirectML " + identity.implementation : identity.target;
}

std::vector<Column> columnsOf(const std::vector<Survey>& surveys) {
  std::vector<Column> columns;
  for (const Survey& survey : surveys) {
    if (!columns.empty() && columns.back().survey->answers == survey.answers) {
      columns.back().title += ", " + titleOf(survey);
    } else {
      columns.push_back({titleOf(survey), &survey});
    }
  }
  return columns;
}

// Of this question, by its text: surveys of other versions may lack it.
std::string answerOf(const Survey& survey, const SurveyAnswer& like) {
  const auto found = std::ranges::find_if(survey.answers, [&](const SurveyAnswer& each) {
    return each.subject == like.subject && each.asked == like.asked;
  });
  return found == survey.answers.end() ? "not asked" : found->answer;
}

}  // namespace

std::vector<Question> surveyQuestions() {
  std::vector<Question> questions;
  addGatherQuestions(questions);
  addNonzeroQuestions(questions);
  addRejectionQuestions(questions);
  for (size_t i = 0; i < questions.size(); ++i) questions[i].request.id = i + 1;
  return questions;
}

Survey takeSurvey(const std::vector<Question>& questions, const gpu::WorkerCommand& command,
                  const RequiredTarget& required, std::chrono::milliseconds timeout) {
  Respondent respondent(command, timeout);
  required.check(respondent.identity());
  Survey survey{
      respondent.identity(), fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit), {}};
  for (const Question& question : questions) {
    survey.answers.push_back({question.subject, question.asked, respondent.ask(question)});
  }
  respondent.finish();
  return survey;
}

std::string surveyJson(const Survey& survey) {
  json identity = json::object();
  gpu::Identity copy = survey.identity;
  visitText(copy, [&](const char* name, const std::string& value) { identity[name] = value; });
  constexpr auto kReplace = json::error_handler_t::replace;
  std::string out = fmt::format(
      "{{\"survey\": 1,\n\"suite\": {},\n\"identity\": {},\n\"answers\": [",
      json(survey.suite).dump(-1, ' ', false, kReplace), identity.dump(-1, ' ', false, kReplace));
  const char* separator = "\n";
  for (const SurveyAnswer& each : survey.answers) {
    out += separator + json{each.subject, each.asked, each.answer}.dump(-1, ' ', false, kReplace);
    separator = ",\n";
  }
  return out + "\n]}\n";
}

Survey readSurvey(const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& what) {
    return InputError(file.string() + ": " + what);
  };
  std::ifstream in(file, std::ios::binary);
  if (!in) throw wrong("cannot be opened");
  const json all = json::parse(in, nullptr, false);
  if (!all.is_object() || all.value("survey", json()) != 1)
    throw wrong("is no survey of version 1");
  Survey survey;
  const auto text = [&](const json& object, const char* name) -> std::string {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string()) {
      throw wrong(fmt::format("\"{}\" is missing or no text", name));
    }
    return *found;
  };
  survey.suite = text(all, "suite");
  const json identity = all.value("identity", json());
  if (!identity.is_object()) throw wrong("\"identity\" is missing or no object");
  visitText(survey.identity,
            [&](const char* name, std::string& value) { value = text(identity, name); });
  const json answers = all.value("answers", json());
  if (!answers.is_array()) throw wrong("\"answers\" is missing or no array");
  for (const json& each : answers) {
    const bool right = each.is_array() && each.size() == 3 &&
                       std::ranges::all_of(each, [](const json& part) { return part.is_string(); });
    if (!right) {
      throw wrong(fmt::format("\"answers\"[{}] is not three texts", survey.answers.size()));
    }
    survey.answers.push_back({each[0], each[1], each[2]});
  }
  return survey;
}

std::string surveyMarkdown(const std::vector<Survey>& surveys) {
  std::string out =
      "# Where the documents leave it open\n\n"
      "What implementations do there, asked by `dmlcts survey`. Never a verdict: nothing here is "
      "right or\nwrong, and nothing may be relied on.\n\n"
      "| | adapter | driver | runtime | by |\n| --- | --- | --- | --- | --- |\n";
  for (const Survey& survey : surveys) {
    const gpu::Identity& identity = survey.identity;
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdownCode(titleOf(survey)),
                       markdownCode(identity.adapter), markdownCode(identity.driver),
                       markdownCode(identity.runtime), markdownCode(survey.suite));
  }
  const std::vector<Column> columns = columnsOf(surveys);
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<std::pair<std::string, std::vector<const SurveyAnswer*>>> subjects;
  for (const Survey& survey : surveys) {
    for (const SurveyAnswer& each : survey.answers) {
      if (!seen.insert({each.subject, each.asked}).second) continue;
      auto found = std::ranges::find_if(
          subjects, [&](const auto& subject) { return subject.first == each.subject; });
      if (found == subjects.end()) found = subjects.insert(found, {each.subject, {}});
      found->second.push_back(&each);
    }
  }
  for (const auto& [subject, rows] : subjects) {
    out += fmt::format("\n## {}\n\n| ", plainLine(subject));
    for (const Column& column : columns) out += "| " + plainLine(column.title) + " ";
    out += "|\n| --- ";
    for (size_t i = 0; i < columns.size(); ++i) out += "| --- ";
    out += "|\n";
    for (const SurveyAnswer* row : rows) {
      out += fmt::format("| {} ", markdownCode(row->asked));
      for (const Column& column : columns) {
        out += fmt::format("| {} ", plainLine(answerOf(*column.survey, *row)));
      }
      out += "|\n";
    }
  }
  return out;
}

}  // namespace dmlcts
