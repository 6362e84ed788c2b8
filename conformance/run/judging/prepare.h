#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/facts/traits.h"
#include "conformance/language/case.h"
#include "conformance/run/judging/execution_mode.h"
#include "gpu/target.h"
#include "reference/evaluate.h"

// Prepares a case for a target. In goes a case, out come its inputs, what the oracle expects, and
// outputs full of poison, as requests. Lanes and in_pieces.h call it, then send the requests to a
// worker and judge() the answers; bench, bundles and ONNX Runtime's comparison need the bytes.

namespace dmlcts {

// The requests for the worker and the expected answers of a case. Repeat counts
// above 1 give one request per run, with the same inputs and different poison.
struct PreparedCase {
  const Case* testCase = nullptr;  // must outlive this
  std::vector<gpu::Request> requests;
  std::vector<ReferenceOutput> expected;  // the same for every run; empty unless the case executes
  uint64_t bytes = 0;                     // of all images
  bool weak = false;                      // see conformance/facts/weak.h
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

}  // namespace dmlcts
