#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/traits.h"
#include "conformance/language/case.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/execution_mode.h"
#include "gpu/target.h"
#include "reference/evaluate.h"
#include "reports/journal/verdict.h"

namespace dmlcts {

// A case prepared for a target: the requests for the worker and the expected answers. Repeat counts
// above 1 give one request per run, with the same inputs and different poison.
struct PreparedCase {
  const Case* testCase = nullptr;  // must outlive this
  std::vector<gpu::Request> requests;
  std::vector<ReferenceOutput> expected;  // the same for every run; empty unless the case executes
  uint64_t bytes = 0;                     // of all images
  bool weak = false;                      // see cases/facts/weak.h
  std::optional<InputFacts> facts;        // nothing unless the case executes
};

// Numbers requests from `firstId`. Initial output contents depend on `poison` and the ids: use new
// ones for every run and retry. Throws whatever makeInputs() and evaluate() throw, and
// std::invalid_argument if the case cannot use the mode.
PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat = 1,
                     uint64_t poison = 0, const ExecutionMode& mode = {});

// Prepares a case that a received journal may name, to be written down. Throws also
// std::invalid_argument if its tensors are large: memory and time grow with them.
PreparedCase prepareSmall(const Case& testCase);

// Gives the requests new ids from `firstId` and new poison, for another attempt.
void poisonAgain(PreparedCase& prepared, uint64_t firstId, uint64_t poison);

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
