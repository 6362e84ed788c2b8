#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "conformance/cases/facts/query.h"
#include "dmlcts_version.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using nlohmann::json;

constexpr int kMostTries = 3;  // per question

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

std::string inWords(const gpu::Answer& misused) {
  switch (misused.status) {
    case gpu::Status::Executed:
      return "executed, nothing removed";
    case gpu::Status::DeviceRemoved:
      return fmt::format("device removed by {}; creating an operator then returns {}",
                         misused.message, hresultText(misused.hresult));
    case gpu::Status::Failed:
      return fmt::format("{} returns {}", misused.message, hresultText(misused.hresult));
    case gpu::Status::NotSupported:
      return "n/a: " + misused.message;
    default:
      return "rejected, " + hresultText(misused.hresult);
  }
}

// True if the promise was kept; nothing if there is none. The first is for a worker that died.
std::optional<bool> keptByDying(const Question& question, const gpu::SequenceCall* wrong) {
  const bool promised = wrong ? gpu::info(*wrong->misuse).promise != gpu::Promise::Nothing
                              : question.isSafe != nullptr;
  return promised ? std::optional(false) : std::nullopt;
}

std::optional<bool> keptBy(const gpu::Answer& said, const Question& question,
                           const gpu::SequenceCall* wrong) {
  if (wrong) return promiseKept(*wrong->misuse, said);
  const bool tried =
      said.status != gpu::Status::NotSupported && said.status != gpu::Status::Rejected;
  if (!question.isSafe || !tried) return std::nullopt;
  return said.status == gpu::Status::Executed && question.isSafe(said);
}

// A worker that is replaced if it does not survive a question.
class Respondent {
 public:
  Respondent(const gpu::WorkerCommand& command, std::chrono::milliseconds timeout)
      : command_(command), timeout_(timeout) {
    start();
  }

  SurveyAnswer ask(const Question& question) {
    SurveyAnswer answer{question.subject, question.asked, {}};
    const gpu::SequenceCall* wrong = question.program ? misusedCall(*question.program) : nullptr;
    if (wrong && std::ranges::find(capabilities_, gpu::kMisuse) == capabilities_.end()) {
      answer.answer = "n/a: the worker's hello does not name \"misuses\"";
      return answer;
    }
    if (wrong && question.program->calls.front().asked->level > identity_.maxLevel) {
      answer.answer = "n/a: above the highest level";
      return answer;
    }
    for (int tries = 1;; ++tries) {
      // A misuse has a worker of its own, so that side effects cannot influence other questions.
      if (used_ || !worker_->usable()) start();
      used_ = wrong != nullptr;
      send(question);
      auto outcome = worker_->receive(timeout_);
      if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
        // It died before it started this question.
        const bool unrelated = std::holds_alternative<gpu::DiedAfterLastAnswer>(*failure);
        if (unrelated && tries < kMostTries) continue;
        answer.answer = describe(*failure);
        answer.kept = keptByDying(question, wrong);
        return answer;
      }
      const gpu::Answer& said = std::get<gpu::Answers>(outcome).answers.front();
      // A target without misuse support is not affected by the program.
      used_ = wrong && said.status != gpu::Status::NotSupported;
      answer.answer = wrong ? inWords(said) : inWords(question, said);
      answer.kept = keptBy(said, question, wrong);
      return answer;
    }
  }

  const gpu::Identity& identity() const { return identity_; }

  void finish() {
    if (worker_->usable()) worker_->finish(timeout_);
  }

 private:
  void send(const Question& question) {
    if (question.program) return worker_->sendProgram(*question.program);
    gpu::Request request = question.request;
    request.level = std::min(request.level, identity_.maxLevel);
    worker_->send({&request, 1});
  }

  void start() {
    worker_.emplace(command_);
    auto outcome = worker_->hello(timeout_);
    if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
      throwNotStarted(*failure, worker_->takeStderr());
    }
    auto& hello = std::get<gpu::Hello>(outcome);
    identity_ = hello.identity;
    capabilities_ = std::move(hello.capabilities).value_or(std::vector<std::string>{});
    used_ = false;
  }

  const gpu::WorkerCommand& command_;
  std::chrono::milliseconds timeout_;
  std::optional<gpu::Worker> worker_;
  gpu::Identity identity_;
  std::vector<std::string> capabilities_;
  bool used_ = false;  // for a misuse, since it was started
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

// Finds the question by its text: surveys of other versions may lack it.
std::string answerOf(const Survey& survey, const SurveyAnswer& like) {
  const auto found = std::ranges::find_if(survey.answers, [&](const SurveyAnswer& each) {
    return each.subject == like.subject && each.asked == like.asked;
  });
  if (found == survey.answers.end()) return "not asked";
  const std::string answer = markdownText(found->answer);
  if (!found->kept) return answer;
  if (found->subject == kOutOfRange) return answer + (*found->kept ? ": safe" : ": **Unsafe**");
  return answer + (*found->kept ? ": as promised" : ": **not as promised**");
}

}  // namespace

std::optional<bool> promiseKept(gpu::Misuse misuse, const gpu::Answer& answer) {
  constexpr auto kRemoved = static_cast<int32_t>(0x887A0005);  // DXGI_ERROR_DEVICE_REMOVED
  const bool tried =
      answer.status != gpu::Status::NotSupported && answer.status != gpu::Status::Rejected;
  if (!tried || gpu::info(misuse).promise == gpu::Promise::Nothing) return std::nullopt;
  return answer.status == gpu::Status::DeviceRemoved && answer.hresult == kRemoved;
}

std::vector<Question> surveyQuestions(std::string_view pattern, bool robust) {
  std::vector<Question> questions;
  addRobustQuestions(questions);
  addGatherQuestions(questions);
  addNonzeroQuestions(questions);
  addTensorFieldQuestions(questions);
  addRejectionQuestions(questions);
  addMisuseQuestions(questions);
  std::erase_if(questions, [&](const Question& each) {
    return robust != static_cast<bool>(each.isSafe) ||
           !matchesPattern(pattern, each.subject + ": " + each.asked);
  });
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
    survey.answers.push_back(respondent.ask(question));
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
    json answer{each.subject, each.asked, each.answer};
    if (each.kept) answer.push_back(*each.kept);
    out += separator + answer.dump(-1, ' ', false, kReplace);
    separator = ",\n";
  }
  return out + "\n]}\n";
}

Survey readSurvey(const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& what) {
    return InputError(file.string() + ": " + what);
  };
  const json all = parseJson(readInput(file), file.string());
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
    const auto isText = [](const json& part) { return part.is_string(); };
    const bool right = each.is_array() && (each.size() == 3 || each.size() == 4) &&
                       std::all_of(each.begin(), each.begin() + 3, isText) &&
                       (each.size() == 3 || each[3].is_boolean());
    if (!right) {
      throw wrong(fmt::format("\"answers\"[{}] is not three texts, or these and a boolean",
                              survey.answers.size()));
    }
    SurveyAnswer& answer = survey.answers.emplace_back(SurveyAnswer{each[0], each[1], each[2]});
    if (each.size() == 4) answer.kept = each[3].get<bool>();
  }
  return survey;
}

std::string surveyMarkdown(const std::vector<Survey>& surveys) {
  std::string out =
      "# Unspecified behaviour\n\n"
      "What implementations do there, asked by `dmlcts survey`. Never a verdict: nothing here is "
      "right or\nwrong, and nothing may be relied on. Only what comes of an error of use is "
      "promised by some pages:\nthere it says whether the promise is kept. A question breaks the "
      "rule that it is about, if any, and no other.\n\n"
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
    out += fmt::format("\n## {}\n\n| ", markdownText(subject));
    for (const Column& column : columns) out += "| " + markdownText(column.title) + " ";
    out += "|\n| --- ";
    for (size_t i = 0; i < columns.size(); ++i) out += "| --- ";
    out += "|\n";
    for (const SurveyAnswer* row : rows) {
      out += fmt::format("| {} ", markdownCode(row->asked));
      for (const Column& column : columns) {
        out += fmt::format("| {} ", answerOf(*column.survey, *row));
      }
      out += "|\n";
    }
  }
  return out;
}

}  // namespace dmlcts
