#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/target.h"

// What the harness remembers of a request to judge whether an answer belongs to it.

namespace dmlcts::gpu {

struct AnswerShape {
  uint64_t id = 0;
  bool execute = true;
  std::vector<uint64_t> inputs;   // bytes of each whole buffer
  std::vector<uint64_t> outputs;  // the same
  Modes modes = {};
};

std::vector<AnswerShape> answerShapes(std::span<const Request> requests);

// The longest payload, in bytes, that well-formed answers to these can have.
uint64_t maxAnswerBytes(std::span<const AnswerShape> expected);

// Throws ProtocolError unless there is one answer to each request, in order, with its id, a status
// that it can have, executions in the mode that was asked for and buffers of its sizes.
void checkAnswers(std::span<const AnswerShape> expected, std::span<const Answer> answers);

// Throws ProtocolError unless the timing has a status that it can have and, when executed, a time
// for each repetition and outputs of the request's sizes.
void checkTiming(const AnswerShape& expected, uint32_t repetitions, const Timing& timing);

}  // namespace dmlcts::gpu
