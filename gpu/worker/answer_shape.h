#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/target.h"

namespace dmlcts::gpu {

// The properties of a request that its answer must match.
struct AnswerShape {
  uint64_t id = 0;
  bool execute = true;
  std::vector<uint64_t> inputs;   // bytes of each whole buffer
  std::vector<uint64_t> outputs;  // likewise
  Modes modes = {};
  bool isProgram = false;  // then the id is the number of a call
};

std::vector<AnswerShape> answerShapes(std::span<const Request> requests);

// Returns the longest payload, in bytes, of well-formed answers to these requests.
uint64_t maxAnswerBytes(std::span<const AnswerShape> expected);

// Throws ProtocolError unless there is one answer per request, in order, with its id. Each needs a
// possible status, executions in the requested modes, and buffers of the request's sizes.
void checkAnswers(std::span<const AnswerShape> expected, std::span<const Answer> answers);

// Throws ProtocolError unless the timing has a possible status. If executed, it must have a time
// per repetition and outputs of the request's sizes. Times are from 0.001 ns, those of passes from
// 0, to 1e18 ns.
void checkTiming(const AnswerShape& expected, uint32_t repetitions, const Timing& timing);

// Throws ProtocolError for times outside these bounds; an empty dispatch may take 0.
void checkCopyTiming(const CopyTiming& timing);

}  // namespace dmlcts::gpu
