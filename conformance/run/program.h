#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "gpu/sequence.h"

// A sequence of calls as people read and replay it. Statements, separated by ";" or new lines:
//
//   operator N CASE                       what `create N` asks for: a case string
//   buffer N BYTES [seed=S] [AT=N.TENSOR/S …]
//                                         noise of a seed, with inputs of operator N's case, but
//                                         of that seed, at these offsets
//   create N · compile N · release N      operator N
//   initialize N,…                        by one initializer
//   bind T N inputs=B@AT,… outputs=B@AT,… table T is one of operator N
//   reset T N inputs=… outputs=…          the same for a table that there is
//   rebind T [inputs=…] [outputs=…]       in the same descriptors
//   execute T [queue=Q]
//   copy B@AT B@AT BYTES [queue=Q]        from, to
//   barrier [queue=Q] · submit [queue=Q] · wait [queue=Q]
//   memory BYTES                          is held from now on, for nothing

namespace dmlcts {

struct Program {
  struct Content {
    uint64_t at = 0;  // in the buffer, in bytes
    uint32_t op = 0;
    uint32_t slot = 0;  // an input
    uint64_t seed = 0;

    bool operator==(const Content&) const = default;
  };
  struct Buffer {
    uint64_t bytes = 0;
    uint64_t seed = 0;
    std::vector<Content> contents;

    bool operator==(const Buffer&) const = default;
  };

  std::vector<Case> operators;           // by number
  std::vector<Buffer> buffers;           // by number
  std::vector<gpu::SequenceCall> calls;  // without `asked`: that is the operator's

  bool operator==(const Program&) const = default;
};

inline constexpr uint64_t kMostBufferBytes = 1 << 20;
inline constexpr uint64_t kMostOperatorElements = 1 << 17;  // of each tensor

// One statement per element; programText() has them with "; " in between.
std::vector<std::string> programLines(const Program& program);
std::string programText(const Program& program);
std::string callText(const gpu::SequenceCall& call);

// Whether a text is a program rather than a case string.
bool isProgramText(std::string_view text);

// Throws SyntaxError, whose column counts in the whole text, for what is no program. Whether its
// calls are valid is for ProgramModel to say.
Program parseProgram(std::string_view text);

// What a buffer holds at first.
std::vector<uint8_t> bufferBytes(const Program& program, const Program::Buffer& buffer);

// What goes to the worker.
gpu::Sequence sequenceOf(const Program& program);

}  // namespace dmlcts
