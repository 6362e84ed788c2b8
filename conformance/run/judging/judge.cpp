#include "conformance/run/judging/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/facts/rules_of.h"
#include "conformance/inputs/problems.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/poison.h"
#include "reference/explain.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);

// DXGI_ERROR_DEVICE_REMOVED, _HUNG, _RESET and DRIVER_INTERNAL_ERROR: the device is lost, so the
// answer says nothing about the descriptor.
bool meansDeviceLost(int32_t hresult) {
  switch (static_cast<uint32_t>(hresult)) {
    case 0x887A0005:
    case 0x887A0006:
    case 0x887A0007:
    case 0x887A0020:
      return true;
    default:
      return false;
  }
}

std::string hresultText(int32_t hresult) {
  return fmt::format("0x{:08x}{}", static_cast<uint32_t>(hresult),
                     hresult == kInvalidArgument ? " (E_INVALIDARG)" : "");
}

std::string withDetail(const std::string& text, const std::string& detail) {
  return detail.empty() ? text : text + ": " + detail;
}

Judgement failed(std::string_view kind, std::string message) {
  return {Verdict::Fail, std::move(message), {}, {{std::string(kind), 1}}};
}

// Records that a rule of Standing::Ours was broken.
void observe(Judgement& judgement, Strictness strictness, const char* rule, std::string_view kind,
             uint64_t count) {
  if (count == 0) return;
  judgement.observations[rule] += count;
  if (strictness == Strictness::Documents) return;
  judgement.verdict = Verdict::Fail;
  judgement.kinds[std::string(kind)] += count;
  judgement.violated.emplace_back(rule);
}

// Returns the verdict of a case whose target broke these rules: the best-founded rule decides.
Verdict verdictOf(Strictness strictness, const std::vector<std::string>& violated) {
  const bool inferred =
      !violated.empty() && std::ranges::all_of(violated, [](const std::string& id) {
        const Rule* rule = findRule(id);
        return rule && rule->standing == Standing::Inferred;
      });
  return strictness == Strictness::Documents && inferred ? Verdict::Arguable : Verdict::Fail;
}

// Returns the judgement of an answer that is Rejected and no rejection: it has no failed HRESULT,
// or one of a lost device. Else nothing.
std::optional<Judgement> whyNoRejection(const gpu::Answer& answer) {
  const std::string rejected = "rejected with " + hresultText(answer.hresult);
  if (answer.hresult >= 0) {
    return failed(kind::kMalformedAnswer, withDetail(rejected + ", no failure", answer.message));
  }
  if (!meansDeviceLost(answer.hresult)) return std::nullopt;
  return deviceRemoved(withDetail(rejected, answer.message));
}

// Judges an invalid descriptor: rejected as it should be, or accepted.
Judgement judgeRejection(const Case& testCase, const gpu::Answer& answer,
                         const JudgeOptions& options) {
  if (answer.status == gpu::Status::Rejected) {
    if (auto judgement = whyNoRejection(answer)) return *std::move(judgement);
    Judgement judgement{Verdict::Pass, "", {}};
    if (answer.hresult == kInvalidArgument) return judgement;
    observe(judgement, options.strictness, "call.e-invalidarg", kind::kHresult, 1);
    if (judgement.verdict == Verdict::Fail) {
      judgement.message = withDetail(
          "rejected with " + hresultText(answer.hresult) + ", not E_INVALIDARG", answer.message);
    }
    return judgement;
  }
  Judgement judgement = failed(kind::kAccepted, "");
  std::vector<std::string>& violated = judgement.violated;
  std::string why = testCase.rejectBy;
  for (const BrokenRule& broken : check(testCase.descriptor, testCase.level)) {
    const bool first = broken.rule->id == testCase.rejectBy;
    if (first) why += ": " + broken.message;
    if (std::ranges::find(violated, broken.rule->id) != violated.end()) continue;
    violated.emplace(first ? violated.begin() : violated.end(), broken.rule->id);
  }
  judgement.message = "accepted a descriptor that breaks " + why;
  judgement.verdict = verdictOf(options.strictness, judgement.violated);
  if (rejectedByLevelOnly(testCase, options.highest)) {
    judgement.verdict = Verdict::NotAsked;
    judgement.violated.clear();
    judgement.message += "; only the level asks for a rejection";
  }
  return judgement;
}

// Judges a valid descriptor that was rejected. If an inferred rule says that it is valid, the
// target broke that rule.
Judgement judgeRejected(const Case& testCase, const gpu::Answer& answer, Strictness strictness) {
  if (auto judgement = whyNoRejection(answer)) return *std::move(judgement);
  Judgement judgement = failed(
      kind::kRejected, withDetail("rejected a valid descriptor with " + hresultText(answer.hresult),
                                  answer.message));
  for (std::string_view id : rulesOf(testCase)) {
    const Rule* rule = findRule(id);
    if (rule->checked == Checked::ByAccepting && rule->standing == Standing::Inferred) {
      judgement.violated.emplace_back(id);
    }
  }
  judgement.verdict = verdictOf(strictness, judgement.violated);
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

// Returns the rules that wrong elements break (explain.h).
std::vector<std::string> explanation(const PreparedCase& prepared, const gpu::Request& request,
                                     const gpu::Execution& execution) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const gpu::BufferImage& image : request.inputs) {
    const auto begin = image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset);
    inputs.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(image.size));
  }
  std::vector<std::span<const uint8_t>> before;
  std::vector<std::span<const uint8_t>> after;
  for (size_t i = 0; i < execution.outputs.size(); ++i) {
    const gpu::BufferImage& image = request.outputs[i];
    before.push_back(std::span(image.bytes).subspan(image.offset, image.size));
    after.push_back(std::span(execution.outputs[i]).subspan(image.offset, image.size));
  }
  const auto rules =
      explain(prepared.testCase->descriptor,
              {.inputs = inputs, .expected = prepared.expected, .before = before, .after = after});
  return {rules.begin(), rules.end()};
}

// Judges the differences after an execution: the rules they break, or why nothing could have
// differed.
Judgement judgeBytes(Comparison comparison,
                     const std::function<std::vector<std::string>()>& explanation,
                     const std::function<std::string()>& vacuous, Strictness strictness) {
  Judgement judgement{Verdict::Pass, "", {}};
  observe(judgement, strictness, "tensor.untouched", kind::kPaddingBytes, comparison.paddingBytes);
  observe(judgement, strictness, "nonzero_coordinates.rows-written", kind::kPaddingBytes,
          comparison.wrongElements == 0 ? comparison.pastCountBytes : 0);  // else by a wrong count
  if (comparison.wrongElements + comparison.guardBytes + comparison.inputBytes > 0) {
    const auto count = [&](std::string_view which, uint64_t number) {
      if (number > 0) judgement.kinds.emplace(which, number);
    };
    count(kind::kWrongElements, comparison.wrongElements);
    count(kind::kGuardBytes, comparison.guardBytes);
    count(kind::kInputBytes, comparison.inputBytes);
    judgement.verdict = Verdict::Fail;
    if (comparison.guardBytes + comparison.inputBytes > 0) {
      // Listed before rules that only --strict treats as failures.
      auto& violated = judgement.violated;
      if (comparison.inputBytes > 0) violated.insert(violated.begin(), "tensor.inputs-unchanged");
      if (comparison.guardBytes > 0) {
        violated.insert(violated.begin(), "tensor.no-write-outside-total");
      }
    } else {
      const auto rules = explanation();
      judgement.violated.insert(judgement.violated.begin(), rules.begin(), rules.end());
      judgement.verdict = verdictOf(strictness, judgement.violated);
    }
  }
  if (judgement.verdict != Verdict::Pass) {
    judgement.differences = std::move(comparison.differences);
    judgement.message = sayHowMuch(judgement.kinds);
    return judgement;
  }
  if (std::string because = vacuous(); !because.empty()) {
    judgement.verdict = Verdict::Vacuous;
    judgement.message = std::move(because);
  }
  return judgement;
}

// Judges one answer; `judgeBuffers` is called if the case was executed.
Judgement judgeAnswer(const Case& testCase, const gpu::Answer& answer, const JudgeOptions& options,
                      const std::function<Judgement()>& judgeBuffers) {
  switch (answer.status) {
    case gpu::Status::NotSupported:
      if (answer.message.empty()) {
        return failed(kind::kMalformedAnswer, "not supported, and no query named that says so");
      }
      return {Verdict::NotSupported, answer.message, {}};
    case gpu::Status::DeviceRemoved:
      return deviceRemoved(answer.message);
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
  if (answer.status != gpu::Status::Rejected && answer.hresult > 0) {
    Judgement judgement =
        failed(kind::kHresult, "succeeded with " + hresultText(answer.hresult) + ", not with S_OK");
    judgement.violated.emplace_back("call.s-ok");
    return judgement;
  }
  if (testCase.expect == Expect::Reject) return judgeRejection(testCase, answer, options);
  if (answer.status == gpu::Status::Rejected) {
    return judgeRejected(testCase, answer, options.strictness);
  }
  if (testCase.expect == Expect::Accept) return {Verdict::Pass, "", {}};
  if (answer.status != gpu::Status::Executed) {
    return failed(kind::kMalformedAnswer, "created the operator and did not execute it");
  }
  return judgeBuffers();
}

// Judges a request: the first of its executions whose judgement is not Pass, or Pass.
Judgement judgeRun(const PreparedCase& prepared, size_t run, const gpu::Answer& answer,
                   const JudgeOptions& options) {
  const gpu::Request& request = prepared.requests[run];
  const auto judgeExecution = [&](const gpu::Execution& execution) {
    return judgeBytes(
        compare(request, prepared.expected, execution),
        [&] { return explanation(prepared, request, execution); },
        [&] { return vacuousBecause(request, prepared.expected); }, options.strictness);
  };
  return judgeAnswer(*prepared.testCase, answer, options, [&] {
    Judgement result = judgeExecution(answer);
    for (size_t i = 0; i < answer.more.size() && result.verdict == Verdict::Pass; ++i) {
      Judgement next = judgeExecution(answer.more[i]);
      if (next.verdict != Verdict::Pass) {
        next.message =
            fmt::format("execution {} of {}: {}", i + 2, answer.more.size() + 1, next.message);
      }
      for (const auto& [rule, count] : result.observations) {
        uint64_t& most = next.observations[rule];
        most = std::max(most, count);
      }
      result = std::move(next);
    }
    return result;
  });
}

// Counts bytes of that status that differ between the first run and run `run`: undefined ones that
// both wrote, others that either wrote, because each run has its own poison.
uint64_t unequalBytes(ByteStatus of, const PreparedCase& prepared,
                      std::span<const gpu::Answer> answers, size_t run) {
  uint64_t unequal = 0;
  for (size_t i = 0; i < prepared.expected.size(); ++i) {
    const ByteStatuses& status = prepared.expected[i].status;
    const gpu::BufferImage& first = prepared.requests[0].outputs[i];
    const gpu::BufferImage& other = prepared.requests[run].outputs[i];
    for (uint64_t at = 0; at < status.size(); ++at) {
      if (status[at] != of) continue;
      const uint64_t byte = first.offset + at;
      const uint8_t here = answers[0].outputs[i][byte];
      const uint8_t there = answers[run].outputs[i][byte];
      const int written = (here != first.bytes[byte]) + (there != other.bytes[byte]);
      if (here != there && written > (of == ByteStatus::Undefined ? 1 : 0)) ++unequal;
    }
  }
  return unequal;
}

// True if both are equal apart from observations and apart from data that depends on previous
// memory contents.
bool sameVerdict(Judgement a, Judgement b) {
  a.observations = b.observations = {};
  a.violated = b.violated = {};
  a.differences = b.differences = {};
  return a == b;
}

}  // namespace

Judgement deviceRemoved(std::string message) {
  return {Verdict::DeviceRemoved, std::move(message), {}, {{std::string(kind::kDeviceRemoved), 1}}};
}

Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers,
                const JudgeOptions& options) {
  const Judgement first = judgeRun(prepared, 0, answers[0], options);
  Judgement result = first;
  std::string differing;
  Judgement worst = first;
  uint64_t unequal = 0;
  for (size_t run = 1; run < answers.size(); ++run) {
    const Judgement next = judgeRun(prepared, run, answers[run], options);
    for (const auto& [rule, count] : next.observations) {
      uint64_t& most = result.observations[rule];
      most = std::max(most, count);
    }
    const bool executed =
        answers[0].status == gpu::Status::Executed && answers[run].status == gpu::Status::Executed;
    if (!sameVerdict(next, first) ||
        (executed && unequalBytes(ByteStatus::Defined, prepared, answers, run) > 0)) {
      differing += fmt::format("{}{}", differing.empty() ? "" : ", ", run + 1);
      if (worst.verdict == Verdict::Pass) worst = next;
    } else if (executed) {
      unequal += unequalBytes(ByteStatus::Undefined, prepared, answers, run);
    }
  }
  if (!differing.empty()) {
    result.verdict = Verdict::Fail;
    result.message = fmt::format("not the same in {} runs: run {} of {} differs from run 1{}",
                                 answers.size(), differing, answers.size(),
                                 worst.message.empty() ? "" : " (" + worst.message + ")");
    result.differences = worst.differences;
    result.kinds = worst.kinds;
    result.kinds.emplace(kind::kUnequalRuns, answers.size());
    result.violated = {"call.repeatable"};
  }
  observe(result, options.strictness, "call.undefined-repeats", kind::kUnequalRuns, unequal);
  if (unequal > 0 && options.strictness == Strictness::Strict && result.message.empty()) {
    result.message = fmt::format("{} undefined {} from run to run", unequal,
                                 unequal == 1 ? "byte differs" : "bytes differ");
  }
  result.levelOnly = rejectedByLevelOnly(*prepared.testCase, options.highest);
  return result;
}

Judgement judgeSteps(const Case& testCase, const gpu::Answer& answer, Comparison comparison,
                     const std::function<std::string()>& vacuous, const JudgeOptions& options) {
  Judgement judgement = judgeAnswer(testCase, answer, options, [&] {
    return judgeBytes(
        std::move(comparison), [] { return std::vector<std::string>(); }, vacuous,
        options.strictness);
  });
  judgement.levelOnly = rejectedByLevelOnly(testCase, options.highest);
  return judgement;
}

bool acceptedAboveItsLevel(const Judgement& judgement) {
  return judgement.levelOnly && judgement.verdict == Verdict::NotAsked;
}

Judgement leaked(Judgement accepted, Strictness strictness) {
  accepted.violated = {"call.level-gate"};
  accepted.verdict = verdictOf(strictness, accepted.violated);
  accepted.message += ", and this device rejects others for that: its level gate leaks";
  return accepted;
}

std::string failureSignature(const Judgement& judgement) {
  std::string kind(name(judgement.verdict));
  for (const auto& [which, count] : judgement.kinds) kind += ' ' + which;
  // Message text is part of the kind, except for wrong bytes, where the difference kinds suffice.
  if (!judgement.differences.empty() && !judgement.kinds.empty()) return kind;
  kind += ' ';
  for (char c : judgement.message.substr(0, judgement.message.find_first_of(":("))) {
    if (c < '0' || c > '9') kind += c;
  }
  return kind;
}

}  // namespace dmlcts
