#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dmlcts_version.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using nlohmann::json;

constexpr const char* kIdentity[] = {"adapter", "driver", "implementation", "runtime", "target"};

// Describes every target's answer in the same words: that nothing was written, too.
std::string inWords(const Question& question, const gpu::Answer& answer) {
  const std::string hresult = fmt::format("0x{:08X}", static_cast<uint32_t>(answer.hresult));
  switch (answer.status) {
    case gpu::Status::Rejected:
      return "rejected, " + hresult;
    case gpu::Status::Created:
      return "accepted";
    case gpu::Status::Executed:
      if (std::ranges::equal(question.request.outputs, answer.outputs, {},
                             &gpu::BufferImage::bytes)) {
        return "not written";
      }
      return question.read(question.request, answer);
    case gpu::Status::NotSupported:
      return "not supported";
    case gpu::Status::DeviceRemoved:
      return "device removed";
    case gpu::Status::Failed:
      break;
  }
  return "failed, " + hresult;
}

json ask(Lane& lane, const Question& question) {
  gpu::Request request = question.request;
  request.level = std::min(request.level, lane.identity().maxLevel);
  const auto outcome = lane.ask(request);
  const auto* failure = std::get_if<gpu::Failure>(&outcome);
  const auto* said = std::get_if<gpu::Answer>(&outcome);
  json answer{question.subject, question.asked,
              failure ? describe(*failure) : inWords(question, *said)};
  const bool refused =
      said && (said->status == gpu::Status::NotSupported || said->status == gpu::Status::Rejected);
  if (question.robust && !refused) {
    answer.push_back(said && said->status == gpu::Status::Executed &&
                     isSafe(question.request, *said));
  }
  return answer;
}

std::string textOf(const json& value) { return value.get<std::string>(); }

std::string titleOf(const Survey& survey) {
  const json& identity = survey["identity"];
  return identity["target"] == "directml" ? "DirectML " + textOf(identity["implementation"])
                                          : textOf(identity["target"]);
}

// Consecutive surveys with the same answers.
struct Column {
  std::string title;
  const json* answers = nullptr;
};

std::vector<Column> columnsOf(const std::vector<Survey>& surveys) {
  std::vector<Column> columns;
  for (const Survey& survey : surveys) {
    if (!columns.empty() && *columns.back().answers == survey["answers"]) {
      columns.back().title += ", " + titleOf(survey);
    } else {
      columns.push_back({titleOf(survey), &survey["answers"]});
    }
  }
  return columns;
}

bool isUnsafeAnswer(const json& answer) {
  // Version 0.2.0 said of errors of use whether a promise was kept.
  return answer.size() == 4 && answer[0] == kOutOfRange && !answer[3].get<bool>();
}

// Finds the question by its text: surveys of other versions may lack it.
std::string answerOf(const json& answers, const json& like) {
  const auto found = std::ranges::find_if(
      answers, [&](const json& each) { return each[0] == like[0] && each[1] == like[1]; });
  if (found == answers.end()) return "not asked";
  const std::string answer = markdownText(textOf((*found)[2]));
  if (isUnsafeAnswer(*found)) return answer + ": **Unsafe**";
  return found->size() == 4 && (*found)[0] == kOutOfRange ? answer + ": safe" : answer;
}

bool isAnswer(const json& each) {
  return each.is_array() && (each.size() == 3 || (each.size() == 4 && each[3].is_boolean())) &&
         std::all_of(each.begin(), each.begin() + 3,
                     [](const json& part) { return part.is_string(); });
}

}  // namespace

Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options) {
  Lane lane(options);
  const gpu::Identity& identity = lane.identity();
  Survey survey{{"survey", 1},
                {"suite", fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit)},
                {"identity",
                 {{"adapter", identity.adapter},
                  {"driver", identity.driver},
                  {"implementation", identity.implementation},
                  {"runtime", identity.runtime},
                  {"target", identity.target}}},
                {"answers", json::array()}};
  for (const Question& question : questions) survey["answers"].push_back(ask(lane, question));
  lane.finish();
  return survey;
}

bool isUnsafe(const Survey& survey) {
  return std::ranges::any_of(survey["answers"], isUnsafeAnswer);
}

std::string surveyJson(const Survey& survey) {
  const auto line = [](const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string out =
      fmt::format("{{\"survey\": 1,\n\"suite\": {},\n\"identity\": {},\n\"answers\": [",
                  line(survey["suite"]), line(survey["identity"]));
  const char* separator = "\n";
  for (const json& each : survey["answers"]) {
    out += separator + line(each);
    separator = ",\n";
  }
  return out + "\n]}\n";
}

Survey readSurvey(const std::filesystem::path& file) {
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) throw InputError(file.string() + ": " + what);
  };
  Survey survey = parseJson(readInput(file), file.string());
  require(survey.is_object() && survey.value("survey", json()) == 1, "is no survey of version 1");
  require(survey["suite"].is_string(), "\"suite\" is missing or no text");
  require(survey["identity"].is_object(), "\"identity\" is missing or no object");
  for (const char* name : kIdentity) {
    require(survey["identity"][name].is_string(),
            fmt::format("\"{}\" is missing or no text", name));
  }
  require(survey["answers"].is_array(), "\"answers\" is missing or no array");
  for (size_t i = 0; i < survey["answers"].size(); ++i) {
    require(isAnswer(survey["answers"][i]),
            fmt::format("\"answers\"[{}] is not three texts, or these and a boolean", i));
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
    out += fmt::format("| {} ", markdownCode(titleOf(survey)));
    for (const char* name : {"adapter", "driver", "runtime"}) {
      out += fmt::format("| {} ", markdownCode(textOf(survey["identity"][name])));
    }
    out += fmt::format("| {} |\n", markdownCode(textOf(survey["suite"])));
  }
  const std::vector<Column> columns = columnsOf(surveys);
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<std::pair<std::string, std::vector<const json*>>> subjects;  // in their order
  for (const Survey& survey : surveys) {
    for (const json& each : survey["answers"]) {
      const std::string subject = textOf(each[0]);
      if (!seen.insert({subject, textOf(each[1])}).second) continue;
      auto found =
          std::ranges::find_if(subjects, [&](const auto& other) { return other.first == subject; });
      if (found == subjects.end()) found = subjects.insert(found, {subject, {}});
      found->second.push_back(&each);
    }
  }
  for (const auto& [subject, rows] : subjects) {
    out += fmt::format("\n## {}\n\n| ", markdownText(subject));
    for (const Column& column : columns) out += "| " + markdownText(column.title) + " ";
    out += "|\n| --- ";
    for (size_t i = 0; i < columns.size(); ++i) out += "| --- ";
    out += "|\n";
    for (const json* row : rows) {
      out += fmt::format("| {} ", markdownCode(textOf((*row)[1])));
      for (const Column& column : columns) {
        out += fmt::format("| {} ", answerOf(*column.answers, *row));
      }
      out += "|\n";
    }
  }
  return out;
}

}  // namespace dmlcts
