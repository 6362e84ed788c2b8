#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "conformance/language/case.h"
#include "conformance/run/judging/judge.h"
#include "gpu/worker/client.h"

// Runs a case whose buffers are transferred, generated, evaluated and compared piece by piece. Does
// the work of prepare() and judge() for tensors too large for the harness's memory.

namespace dmlcts {

// Default length of a piece per message. Pieces are multiples of 16 bytes.
inline constexpr uint64_t kPieceBytes = uint64_t{64} << 20;

// Cases whose tensors together exceed this always use pieces.
inline constexpr uint64_t kMostWholeBytes = uint64_t{2} << 30;

// Calls work(0) to work(count - 1), on that many threads. Rethrows the first exception, after which
// no call begins.
void sideBySide(uint64_t count, uint64_t threads, const std::function<void(uint64_t)>& work);

// True if the case executes, is larger than that, and can be streamed (streamed_inputs.h).
bool isTooLargeForMessages(const Case& testCase);

// Returns the bytes of all the case's buffers, guard bands included.
uint64_t bufferBytes(const Case& testCase);

struct PiecesOptions {
  uint64_t piece = kPieceBytes;
  std::chrono::milliseconds timeout{60000};  // for each step
  JudgeOptions judging = {};
  uint64_t id = 1;      // as in prepare()
  uint64_t poison = 0;  // as in prepare()
};

// Executes a case with Expect::Execute once, as `descriptor` (ExecutionMode::descriptor). Nothing
// may be in flight. Returns a Failure like Worker's calls. Throws std::invalid_argument with
// inputProblem()'s or streamProblem()'s text if there is one.
//
// If tensors of at most kMostHeldBytes differ, reads them whole and lets judge() decide: rules that
// explain a difference need whole tensors.
gpu::Outcome<Judgement> runInPieces(gpu::Worker& worker, const Case& testCase,
                                    const Descriptor& descriptor, const PiecesOptions& options);

}  // namespace dmlcts
