#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "conformance/facts/query.h"
#include "dmlcts_version.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using nlohmann::json;

std::string hresultText(int32_t hresult) {
  return fmt::format("0x{:08X}", static_cast<uint32_t>(hresult));
}

bool isUnwritten(const gpu::Request& request, const gpu::Answer& answer) {
  return std::ranges::equal(request.outputs, answer.outputs, {}, &gpu::BufferImage::bytes);
}

std::string inWords(const Question& question, const gpu::Answer& answer) {
  switch (answer.status) {
    case gpu::Status::Rejected:
      return "rejected, " + hresultText(answer.hresult);
    case gpu::Status::Created:
      return "accepted";
    case gpu::Status::Executed:
      if (isUnwritten(question.request, answer)) return "not written";
      return question.read(answer);
    case gpu::Status::NotSupported:
      return "not supported";
    case gpu::Status::DeviceRemoved:
      return "device removed";
    case gpu::Status::Failed:
      break;
  }
  return "failed, " + hresultText(answer.hresult);
}

// Nothing if that was not asked, or the request was not executed.
std::optional<bool> isSafe(const gpu::Answer& said, const Question& question) {
  const bool tried =
      said.status != gpu::Status::NotSupported && said.status != gpu::Status::Rejected;
  if (!question.isSafe || !tried) return std::nullopt;
  return said.status == gpu::Status::Executed && question.isSafe(said);
}

// Describes every target's answer in the same words: that nothing was written, too.
SurveyAnswer ask(Lane& lane, const Question& question) {
  SurveyAnswer answer{question.subject, question.asked, {}};
  gpu::Request request = question.request;
  request.level = std::min(request.level, lane.identity().maxLevel);
  const auto outcome = lane.ask(request);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    answer.answer = describe(*failure);
    if (question.isSafe) answer.safe = false;
    return answer;
  }
  const auto& said = std::get<gpu::Answer>(outcome);
  answer.answer = inWords(question, said);
  answer.safe = isSafe(said, question);
  return answer;
}

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
  if (!found->safe) return answer;
  return answer + (*found->safe ? ": safe" : ": **Unsafe**");
}

}  // namespace

std::vector<Question> surveyQuestions(std::string_view pattern, bool robust) {
  std::vector<Question> questions;
  addRobustQuestions(questions);
  addGatherQuestions(questions);
  addNonzeroQuestions(questions);
  addTensorFieldQuestions(questions);
  addRejectionQuestions(questions);
  std::erase_if(questions, [&](const Question& each) {
    return robust != static_cast<bool>(each.isSafe) ||
           !matchesPattern(pattern, each.subject + ": " + each.asked);
  });
  for (size_t i = 0; i < questions.size(); ++i) questions[i].request.id = i + 1;
  return questions;
}

Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options) {
  Lane lane(options);
  Survey survey{lane.identity(), fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit), {}};
  for (const Question& question : questions) survey.answers.push_back(ask(lane, question));
  lane.finish();
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
    if (each.safe) answer.push_back(*each.safe);
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
    // Version 0.2.0 said of errors of use whether a promise was kept.
    if (each.size() == 4 && answer.subject == kOutOfRange) answer.safe = each[3].get<bool>();
  }
  return survey;
}

std::string surveyMarkdown(const std::vector<Survey>& surveys) {
  std::string out =
      "# Unspecified behaviour\n\n"
      "What implementations do there, asked by `dmlcts survey`. Never a verdict: nothing here is "
      "right or\nwrong, and nothing may be relied on. A question breaks the rule that it is about, "
      "if any, and no other.\n\n"
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
