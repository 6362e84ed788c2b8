#include "conformance/judge.h"

#include <fmt/format.h>

#include "conformance/cases/inputs.h"
#include "conformance/comparison.h"
#include "conformance/poison.h"
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

Judgement judgeRejection(const Case& testCase, const gpu::Answer& answer,
                         const gpu::Identity& identity) {
  if (answer.status == gpu::Status::Rejected) {
    if (answer.hresult == kInvalidArgument) return {Verdict::Pass, "", {}};
    return {Verdict::Fail,
            withDetail("rejected with " + hresultText(answer.hresult) + ", not E_INVALIDARG",
                       answer.message),
            {}};
  }
  const auto gate = identity.limits.find("levelGate");
  if (gate != identity.limits.end() && gate->second == "none" && validAtNewestLevel(testCase)) {
    return {Verdict::NotSupported,
            fmt::format("levelGate is none: a device of level {} accepts what level {} lacks",
                        name(identity.maxLevel), name(testCase.level)),
            {}};
  }
  std::string why = testCase.rejectBy;
  for (const BrokenRule& broken : check(testCase.descriptor, testCase.level)) {
    if (broken.rule->id == testCase.rejectBy) why += ": " + broken.message;
  }
  return {Verdict::Fail, "accepted a descriptor that breaks " + why, {}};
}

Judgement judgeExecution(const PreparedCase& prepared, size_t run, const gpu::Answer& answer) {
  if (answer.status == gpu::Status::Rejected) {
    return {Verdict::Fail,
            withDetail("rejected a valid descriptor with " + hresultText(answer.hresult),
                       answer.message),
            {}};
  }
  if (prepared.testCase->expect == Expect::Accept) return {Verdict::Pass, "", {}};
  if (answer.status != gpu::Status::Executed) {
    return {Verdict::InternalError, "the worker created the operator and did not execute it", {}};
  }
  const gpu::Request& request = prepared.requests[run];
  const Comparison comparison = compare(request, prepared.expected, answer);
  if (!comparison.equal()) {
    std::string message;
    const auto count = [&message](uint64_t number, std::string_view what) {
      if (number == 0) return;
      message += fmt::format("{}{} {}", message.empty() ? "" : ", ", number, what);
    };
    count(comparison.wrongElements, "wrong elements");
    count(comparison.touchedBytes, "bytes written that belong to no element");
    count(comparison.inputBytes, "bytes of inputs overwritten");
    return {Verdict::Fail, message, comparison.differences};
  }
  const std::string vacuous = vacuousBecause(request, prepared.expected);
  return {vacuous.empty() ? Verdict::Pass : Verdict::Vacuous, vacuous, {}};
}

Judgement judgeOne(const PreparedCase& prepared, size_t run, const gpu::Answer& answer,
                   const gpu::Identity& identity) {
  switch (answer.status) {
    case gpu::Status::NotSupported:
      return {Verdict::NotSupported, answer.message, {}};
    case gpu::Status::DeviceRemoved:
      return {Verdict::DeviceRemoved, answer.message, {}};
    case gpu::Status::Failed:
      return {Verdict::Fail,
              withDetail("failed with " + hresultText(answer.hresult), answer.message),
              {}};
    default:
      break;
  }
  if (prepared.testCase->expect == Expect::Reject) {
    return judgeRejection(*prepared.testCase, answer, identity);
  }
  return judgeExecution(prepared, run, answer);
}

}  // namespace

PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat) {
  PreparedCase prepared;
  prepared.testCase = &testCase;
  gpu::Request request;
  request.level = testCase.level;
  request.descriptor = testCase.descriptor;
  request.execute = testCase.expect == Expect::Execute;
  if (request.execute) {
    const auto inputs = makeInputs(testCase);
    prepared.expected = evaluate(testCase.descriptor, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      request.inputs.push_back(guardedInput(inputs[i], testCase.seed + i));
    }
  }
  for (uint32_t run = 0; run < repeat; ++run) {
    request.id = firstId + run;
    request.outputs.clear();
    for (size_t i = 0; i < prepared.expected.size(); ++i) {
      const uint64_t poisonSeed = testCase.seed + 1000 * (run + 1) + i;
      request.outputs.push_back(poisonedOutput(prepared.expected[i], poisonSeed));
    }
    for (const auto* images : {&request.inputs, &request.outputs}) {
      for (const gpu::BufferImage& image : *images) prepared.bytes += image.bytes.size();
    }
    prepared.requests.push_back(run + 1 == repeat ? std::move(request) : request);
  }
  return prepared;
}

Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers,
                const gpu::Identity& identity) {
  const Judgement first = judgeOne(prepared, 0, answers[0], identity);
  std::string differing;
  Judgement worst = first;
  for (size_t run = 1; run < answers.size(); ++run) {
    const Judgement next = judgeOne(prepared, run, answers[run], identity);
    if (next == first) continue;
    differing += fmt::format("{}{}", differing.empty() ? "" : ", ", run + 1);
    if (worst.verdict == Verdict::Pass) worst = next;
  }
  if (differing.empty()) return first;
  return {Verdict::Fail,
          fmt::format("not the same in {} runs: run {} of {} differs from run 1{}", answers.size(),
                      differing, answers.size(),
                      worst.message.empty() ? "" : " (" + worst.message + ")"),
          worst.differences};
}

}  // namespace dmlcts
