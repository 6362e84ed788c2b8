#include "conformance/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "dmlcts_version.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

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

SurveyAnswer ask(Lane& lane, const Question& question) {
  gpu::Request request = question.request;
  request.level = std::min(request.level, lane.identity().maxLevel);
  const auto outcome = lane.ask(request);
  const auto* failure = std::get_if<gpu::Failure>(&outcome);
  const auto* said = std::get_if<gpu::Answer>(&outcome);
  SurveyAnswer answer{question.subject, question.asked,
                      failure ? describe(*failure) : inWords(question, *said), std::nullopt};
  const bool refused =
      said && (said->status == gpu::Status::NotSupported || said->status == gpu::Status::Rejected);
  if (question.robust && !refused) {
    answer.safe = said && said->status == gpu::Status::Executed && isSafe(question.request, *said);
  }
  return answer;
}

}  // namespace

Survey takeSurvey(const std::vector<Question>& questions, const LaneOptions& options) {
  Lane lane(options);
  Survey survey{lane.identity(), {}};
  for (const Question& question : questions) survey.answers.push_back(ask(lane, question));
  lane.finish();
  return survey;
}

bool isUnsafe(const Survey& survey) {
  return std::ranges::any_of(survey.answers,
                             [](const SurveyAnswer& each) { return each.safe == false; });
}

std::string surveyMarkdown(const Survey& survey) {
  const gpu::Identity& identity = survey.identity;
  const std::string title =
      identity.target == "directml" ? "DirectML " + identity.implementation : identity.target;
  std::string out = fmt::format(
      "# Unspecified behaviour\n\n"
      "What implementations do there, asked by `dmlcts survey`. Never a verdict: nothing here is "
      "right or\nwrong, and nothing may be relied on. A question breaks the rule that it is about, "
      "if any, and no other.\n\n"
      "| | adapter | driver | runtime | by |\n| --- | --- | --- | --- | --- |\n"
      "| {} | {} | {} | {} | {} |\n",
      markdownCode(title), markdownCode(identity.adapter), markdownCode(identity.driver),
      markdownCode(identity.runtime),
      markdownCode(fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit)));
  std::vector<std::string> subjects;  // in their order
  for (const SurveyAnswer& each : survey.answers) {
    if (std::ranges::find(subjects, each.subject) == subjects.end()) {
      subjects.push_back(each.subject);
    }
  }
  for (const std::string& subject : subjects) {
    out += fmt::format("\n## {}\n\n| | {} |\n| --- | --- |\n", subject, markdownText(title));
    for (const SurveyAnswer& each : survey.answers) {
      if (each.subject != subject) continue;
      const char* safety = !each.safe ? "" : *each.safe ? ": safe" : ": **Unsafe**";
      out += fmt::format("| {} | {}{} |\n", markdownCode(each.asked), markdownText(each.answer),
                         safety);
    }
  }
  return out;
}

}  // namespace dmlcts
