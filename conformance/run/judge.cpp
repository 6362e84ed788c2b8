#include "conformance/run/judge.h"

#include <fmt/format.h>

#include <stdexcept>

#include "conformance/cases/hash.h"
#include "conformance/cases/inputs.h"
#include "conformance/run/comparison.h"
#include "conformance/run/poison.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);

std::string hresultText(int32_t hresult) {
  return fmt::format("0x{:08x}{}", static_cast<uint32_t>(hresult),
                     hresult == kInvalidArgument ? " (E_INVALIDARG)" : "");
}

std::string withDetail(std::string text, const std::string& detail) {
  return detail.empty() ? text : text + ": " + detail;
}

Judgement failed(std::string_view kind, std::string message) {
  return {Verdict::Fail, std::move(message), {}, {{std::string(kind), 1}}};
}

Judgement judgeRejection(const Case& testCase, const gpu::Answer& answer, Level highest) {
  if (answer.status == gpu::Status::Rejected) {
    if (answer.hresult == kInvalidArgument) return {Verdict::Pass, "", {}};
    return failed(kind::kHresult,
                  withDetail("rejected with " + hresultText(answer.hresult) + ", not E_INVALIDARG",
                             answer.message));
  }
  std::string why = testCase.rejectBy;
  for (const BrokenRule& broken : check(testCase.descriptor, testCase.level)) {
    if (broken.rule->id == testCase.rejectBy) why += ": " + broken.message;
  }
  Judgement judgement = failed(kind::kAccepted, "accepted a descriptor that breaks " + why);
  if (rejectedByLevelOnly(testCase, highest)) {
    judgement.verdict = Verdict::NotAsked;
    judgement.message += "; only the level asks for a rejection";
  }
  return judgement;
}

std::string sayHowMuch(const Kinds& kinds) {
  std::string text;
  const auto add = [&](std::string_view which, const char* one, const char* many) {
    const auto found = kinds.find(std::string(which));
    if (found == kinds.end()) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second,
                        found->second == 1 ? one : many);
  };
  add(kind::kWrongElements, "wrong element", "wrong elements");
  add(kind::kPaddingBytes, "padding byte written", "padding bytes written");
  add(kind::kGuardBytes, "byte outside the tensor written", "bytes outside the tensor written");
  add(kind::kInputBytes, "byte of the inputs overwritten", "bytes of the inputs overwritten");
  return text;
}

Judgement judgeExecution(const PreparedCase& prepared, size_t run, const gpu::Answer& answer) {
  if (answer.status == gpu::Status::Rejected) {
    return failed(kind::kRejected,
                  withDetail("rejected a valid descriptor with " + hresultText(answer.hresult),
                             answer.message));
  }
  if (prepared.testCase->expect == Expect::Accept) return {Verdict::Pass, "", {}};
  if (answer.status != gpu::Status::Executed) {
    return failed(kind::kMalformedAnswer, "created the operator and did not execute it");
  }
  const gpu::Request& request = prepared.requests[run];
  Comparison comparison = compare(request, prepared.expected, answer);
  if (!comparison.equal()) {
    Judgement judgement{Verdict::Fail, "", std::move(comparison.differences)};
    const auto count = [&](std::string_view which, uint64_t number) {
      if (number > 0) judgement.kinds.emplace(which, number);
    };
    count(kind::kWrongElements, comparison.wrongElements);
    count(kind::kPaddingBytes, comparison.paddingBytes);
    count(kind::kGuardBytes, comparison.guardBytes);
    count(kind::kInputBytes, comparison.inputBytes);
    judgement.message = sayHowMuch(judgement.kinds);
    return judgement;
  }
  const std::string vacuous = vacuousBecause(request, prepared.expected);
  return {vacuous.empty() ? Verdict::Pass : Verdict::Vacuous, vacuous, {}};
}

Judgement judgeOne(const PreparedCase& prepared, size_t run, const gpu::Answer& answer,
                   Level highest) {
  switch (answer.status) {
    case gpu::Status::NotSupported:
      if (answer.message.empty()) {
        return failed(kind::kMalformedAnswer, "not supported, and no query named that says so");
      }
      return {Verdict::NotSupported, answer.message, {}};
    case gpu::Status::DeviceRemoved:
      return {Verdict::DeviceRemoved, answer.message, {}, {{std::string(kind::kDeviceRemoved), 1}}};
    case gpu::Status::Failed:
      return failed(kind::kCallFailed,
                    withDetail("failed with " + hresultText(answer.hresult), answer.message));
    default:
      break;
  }
  if (answer.status != gpu::Status::Rejected && answer.hresult < 0) {
    return failed(
        kind::kMalformedAnswer,
        withDetail("succeeded, and failed with " + hresultText(answer.hresult), answer.message));
  }
  if (prepared.testCase->expect == Expect::Reject) {
    return judgeRejection(*prepared.testCase, answer, highest);
  }
  return judgeExecution(prepared, run, answer);
}

}  // namespace

PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat, uint64_t poison,
                     const Way& way) {
  const auto asked = way.descriptor(testCase);
  if (!asked) throw std::invalid_argument("the case does not go via " + way.text());
  PreparedCase prepared;
  prepared.testCase = &testCase;
  gpu::Request request;
  request.level = testCase.level;
  request.descriptor = *asked;
  request.execute = testCase.expect == Expect::Execute;
  if (request.execute) {
    const auto inputs = makeInputs(testCase);
    prepared.expected = evaluate(testCase.descriptor, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      request.inputs.push_back(guardedInput(
          inputs[i], bindingOffset(testCase.descriptor, testCase.seed, i), testCase.seed + i));
    }
  }
  for (uint32_t run = 1; run < repeat; ++run) prepared.requests.push_back(request);
  prepared.requests.push_back(std::move(request));
  poisonAgain(prepared, firstId, poison);
  for (const gpu::Request& each : prepared.requests) {
    for (const auto* images : {&each.inputs, &each.outputs}) {
      for (const gpu::BufferImage& image : *images) prepared.bytes += image.bytes.size();
    }
  }
  return prepared;
}

void poisonAgain(PreparedCase& prepared, uint64_t firstId, uint64_t poison) {
  const Case& testCase = *prepared.testCase;
  for (gpu::Request& request : prepared.requests) {
    request.id = firstId++;
    request.outputs.clear();
    for (size_t i = 0; i < prepared.expected.size(); ++i) {
      const size_t slot = request.inputs.size() + i;
      request.outputs.push_back(poisonedOutput(
          prepared.expected[i], bindingOffset(testCase.descriptor, testCase.seed, slot),
          mix64(mix64(poison + request.id) + slot)));
    }
  }
}

Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers, Level highest) {
  Judgement result = judgeOne(prepared, 0, answers[0], highest);
  std::string differing;
  Judgement worst = result;
  for (size_t run = 1; run < answers.size(); ++run) {
    const Judgement next = judgeOne(prepared, run, answers[run], highest);
    if (next == result) continue;
    differing += fmt::format("{}{}", differing.empty() ? "" : ", ", run + 1);
    if (worst.verdict == Verdict::Pass) worst = next;
  }
  if (!differing.empty()) {
    result = {Verdict::Fail,
              fmt::format("not the same in {} runs: run {} of {} differs from run 1{}",
                          answers.size(), differing, answers.size(),
                          worst.message.empty() ? "" : " (" + worst.message + ")"),
              worst.differences, worst.kinds};
    result.kinds.emplace(kind::kUnequalRuns, answers.size());
  }
  result.levelOnly = rejectedByLevelOnly(*prepared.testCase, highest);
  return result;
}

std::string failureKind(const Judgement& judgement) {
  std::string kind(name(judgement.verdict));
  for (const auto& [which, count] : judgement.kinds) kind += ' ' + which;
  // Wrong bytes are told apart by their kinds alone, all else by its message, too.
  if (!judgement.differences.empty() && !judgement.kinds.empty()) return kind;
  kind += ' ';
  for (char c : judgement.message.substr(0, judgement.message.find_first_of(":("))) {
    if (c < '0' || c > '9') kind += c;
  }
  return kind;
}

}  // namespace dmlcts
