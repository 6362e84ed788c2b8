#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/cases/traits.h"
#include "conformance/run/comparison.h"
#include "conformance/run/execution_mode.h"
#include "gpu/target.h"
#include "reference/evaluate.h"
#include "reports/journal/kinds.h"
#include "reports/journal/verdict.h"

namespace dmlcts {

// A case made ready for a target: what goes to the worker, and what must come back. With repeat
// counts above 1 there is one request for each run, with the same inputs and different poison.
struct PreparedCase {
  const Case* testCase = nullptr;  // outlives this
  std::vector<gpu::Request> requests;
  std::vector<ReferenceOutput> expected;  // of every run; empty unless the case executes
  uint64_t bytes = 0;                     // of all images
  bool weak = false;                      // see cases/weak.h
  std::optional<InputFacts> facts;        // nothing unless the case executes
};

// Ids count up from `firstId`. What output memory holds before depends on `poison` and the ids:
// give every run and every retry other ones. Throws what makeInputs() and evaluate() throw, and
// std::invalid_argument where the case does not take that mode.
PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat = 1,
                     uint64_t poison = 0, const ExecutionMode& mode = {});

// Gives the requests ids from `firstId` on and what belongs to them: for another attempt.
void poisonAgain(PreparedCase& prepared, uint64_t firstId, uint64_t poison);

struct Judgement {
  Verdict verdict = Verdict::InternalError;
  std::string message;                   // empty for Pass
  std::vector<std::string> differences;  // see Comparison
  Kinds kinds = {};                      // of a failure
  bool levelOnly = false;  // the case is about a rejection that only its level calls for
  // Rules that the target is known to have broken, the one that explains the failure first: of
  // Standing::Ours in `observations` alone, unless the specification edition is strict.
  std::vector<std::string> violated = {};
  std::map<std::string, uint64_t> observations = {};

  bool operator==(const Judgement&) const = default;
};

// What rules of less than Standing::Documented are worth. Ours (observations) and inferred ones
// (Arguable) are Fails under --strict, which our own kernels and the mutants are under.
enum class Strictness { Documents, Strict };

// What the answers, one for each request, of a target whose highest level is `highest` mean. A
// device without a gate for the levels below accepts what only the case's level lacks: that is
// NotAsked. Of a device with a gate it is leaked().
Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers, Level highest,
                Strictness strictness);

// The same of a case that executes and whose buffers were compared elsewhere (in_pieces.h):
// `answer` has none; what differs and why nothing could (comparison.h) matter where it is Executed.
// Which rule wrong elements break is not looked for.
Judgement judgeSteps(const Case& testCase, const gpu::Answer& answer, Comparison comparison,
                     const std::function<std::string()>& vacuous, Level highest,
                     Strictness strictness);

// The same of a valid descriptor that was rejected, as the answer says.
Judgement judgeRejected(const Case& testCase, const gpu::Answer& answer, Strictness strictness);

// Whether the target accepted what only the case's level forbids.
bool acceptedAboveItsLevel(const Judgement& judgement);

// The judgement of such a case, where the device rejects others for their level alone.
Judgement leaked(const Case& testCase, Judgement accepted, Strictness strictness);

// What kind of failure it is, for "still fails in the same way".
std::string failureKind(const Judgement& judgement);

}  // namespace dmlcts
