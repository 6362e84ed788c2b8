#pragma once

#include <chrono>
#include <cstdint>

#include "conformance/cases/case.h"
#include "conformance/run/judge.h"
#include "gpu/worker/client.h"

// A case whose buffers cross to the worker and back in pieces, and are made, evaluated and compared
// piece by piece: what prepare() and judge() do, for tensors that no memory of the harness holds.

namespace dmlcts {

// Of a message, unless another length is asked for. Pieces are multiples of 16 bytes.
inline constexpr uint64_t kPieceBytes = uint64_t{64} << 20;

// Tensors with more bytes than this, all of a case's together, cross in pieces unasked.
inline constexpr uint64_t kMostWholeBytes = uint64_t{2} << 30;

// Whether the case is executed, and is so large, and can be streamed (streamed_inputs.h).
bool isTooLargeForMessages(const Case& testCase);

// Bytes of all buffers that it takes, guard bands included.
uint64_t bufferBytes(const Case& testCase);

struct PiecesOptions {
  uint64_t piece = kPieceBytes;
  std::chrono::milliseconds timeout{60000};  // for each step
  Level highest = Level::L6_4;               // of the target
  Strictness strictness = Strictness::Documents;
  uint64_t id = 1;      // as in prepare()
  uint64_t poison = 0;  // the same
};

// Executes a case with Expect::Execute, once, as `descriptor` (Way::descriptor). Nothing may be in
// flight. A Failure as Worker's calls return it. Throws std::invalid_argument with inputProblem()'s
// or streamProblem()'s text when there is one.
//
// Where tensors of at most kMostHeldBytes differ, they are read whole and judge() has the last
// word: rules that explain a difference need whole tensors.
gpu::Outcome<Judgement> runInPieces(gpu::Worker& worker, const Case& testCase,
                                    const Descriptor& descriptor, const PiecesOptions& options);

}  // namespace dmlcts
