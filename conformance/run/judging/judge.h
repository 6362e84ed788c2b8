#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/language/case.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/prepare.h"
#include "gpu/target.h"
#include "reports/journal/verdict.h"

// The verdict of a case. In go the prepared case and the target's answers to its requests, out
// comes a Judgement: the verdict, what differed, and the rules that the target broke. The lanes,
// fuzz and tests call it, whoever executed the case.
//
//   const PreparedCase prepared = prepare(testCase, 1);
//   const Judgement judgement = judge(prepared, target.run(prepared.requests), highest,
//   strictness);

namespace dmlcts {

struct Judgement {
  Verdict verdict = Verdict::InternalError;
  std::string message;                  // empty for Pass
  std::vector<Difference> differences;  // see Comparison
  Kinds kinds = {};                     // kinds of a failure
  bool levelOnly = false;               // only the case's level calls for its rejection
  // Rules that the target provably broke; the one that explains the failure comes first. Rules of
  // Standing::Ours appear only in `observations`, unless strict.
  std::vector<std::string> violated = {};
  std::map<std::string, uint64_t> observations = {};

  bool operator==(const Judgement&) const = default;
};

// Treatment of broken rules below Standing::Documented. Documents: ours are observations, inferred
// ones are Arguable. Strict (--strict, used for our kernels and mutants): both are Fail.
enum class Strictness { Documents, Strict };

// Judges one answer per request, from a target whose highest level is `highest`. A device that does
// not gate lower levels accepts features that only the case's level lacks: that is NotAsked. For a
// device with a gate, use leaked().
Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers, Level highest,
                Strictness strictness);

// Judges an executing case whose buffers were compared elsewhere (in_pieces.h). `answer` has no
// buffers. `comparison` and `vacuous` are only used if it is Executed. Does not determine which
// rule wrong elements break.
Judgement judgeSteps(const Case& testCase, const gpu::Answer& answer, Comparison comparison,
                     const std::function<std::string()>& vacuous, Level highest,
                     Strictness strictness);

// Judges a valid descriptor that was rejected.
Judgement judgeRejected(const Case& testCase, const gpu::Answer& answer, Strictness strictness);

// The judgement of an answer after which the device is lost.
Judgement deviceRemoved(std::string message);

// True if the target accepted a descriptor that only the case's level forbids.
bool acceptedAboveItsLevel(const Judgement& judgement);

// The judgement of such a case if the device rejects other cases for their level alone. Arguable,
// whichever rules of its level the descriptor breaks: no page promises a gate.
Judgement leaked(Judgement accepted, Strictness strictness);

// Returns the kind of failure, to decide whether a case "still fails in the same way".
std::string failureKind(const Judgement& judgement);

}  // namespace dmlcts
