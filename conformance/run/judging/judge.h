#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "conformance/language/case.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/prepare.h"
#include "gpu/target.h"
#include "reports/journal/judgement.h"

// The verdict of a case. In go the prepared case and the target's answers to its requests, out
// comes a Judgement: the verdict, what differed, and the rules that the target broke. Lanes and
// in_pieces.h call it.
//
//   const PreparedCase prepared = prepare(testCase, 1);
//   const Judgement judgement = judge(prepared, target.run(prepared.requests), {highest});

namespace dmlcts {

// Treatment of broken rules below Standing::Documented. Documents: ours are observations, inferred
// ones are Arguable. Strict (--strict, used for our kernels and mutants): both are Fail.
enum class Strictness { Documents, Strict };

struct JudgeOptions {
  Level highest = Level::L6_4;  // of the target
  Strictness strictness = Strictness::Documents;
};

// Judges one answer per request. A device that does not gate levels below its highest accepts
// features that only the case's level lacks: that is NotAsked. For a device with a gate, use
// leaked().
Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers,
                const JudgeOptions& options);

// Judges an executing case whose buffers were compared elsewhere (in_pieces.h). `answer` has no
// buffers. `comparison` and `vacuous` are only used if it is Executed. Does not determine which
// rule wrong elements break.
Judgement judgeSteps(const Case& testCase, const gpu::Answer& answer, Comparison comparison,
                     const std::function<std::string()>& vacuous, const JudgeOptions& options);

// The judgement of an answer after which the device is lost.
Judgement deviceRemoved(std::string message);

// True if the target accepted a descriptor that only the case's level forbids.
bool acceptedAboveItsLevel(const Judgement& judgement);

// The judgement of such a case if the device rejects other cases for their level alone. Arguable,
// whichever rules of its level the descriptor breaks: no page promises a gate.
Judgement leaked(Judgement accepted, Strictness strictness);

// Returns a text that is equal for two failures if a case "still fails in the same way". Finer than
// failureKind() (reports/journal/when.h), which groups failures that may have one cause.
std::string failureSignature(const Judgement& judgement);

}  // namespace dmlcts
