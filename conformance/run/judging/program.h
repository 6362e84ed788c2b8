#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/language/case.h"
#include "gpu/sequence.h"

// A sequence of calls as text, to read and replay. Statements, separated by ";" or newlines:
//
//   operator N CASE                       the case string that `create N` uses
//   buffer N BYTES [seed=S] [AT=N.TENSOR/S …]
//                                         seeded noise, with inputs of operator N's case, generated
//                                         from seed S, at these offsets
//   create N · compile N · release N      operator N
//   initialize N,…                        with one initializer
//   bind T N inputs=B@AT,… outputs=B@AT,… creates table T for operator N
//   reset T N inputs=… outputs=…          the same for an existing table
//   rebind T [inputs=…] [outputs=…]       in the same descriptors
//   execute T [queue=Q]
//   copy B@AT B@AT BYTES [queue=Q]        from, to
//   barrier [queue=Q] · submit [queue=Q] · wait [queue=Q]
//   memory BYTES                          stays allocated from now on, unused

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
  std::vector<gpu::SequenceCall> calls;  // without `asked`, which comes from the operator

  bool operator==(const Program&) const = default;
};

inline constexpr uint64_t kMostBufferBytes = 1 << 20;
inline constexpr uint64_t kMostOperatorElements = 1 << 17;  // of each tensor

// One statement per element; programText() joins them with "; ".
std::vector<std::string> programLines(const Program& program);
std::string programText(const Program& program);
std::string callText(const gpu::SequenceCall& call);

// The arguments of a call, in order: its object, an (o)perator or a (t)able; one or any number (*)
// of operators; a (b)inding's tensors; the two (p)laces and the (n)umber of bytes; the (q)ueue.
std::string_view argumentsOf(gpu::CallKind kind);

// True if a text is a program, not a case string.
bool isProgramText(std::string_view text);

// Throws SyntaxError, with a column in the whole text, if it is not a program. ProgramModel checks
// that the calls are valid.
Program parseProgram(std::string_view text);

// Returns a buffer's initial contents.
std::vector<uint8_t> bufferBytes(const Program& program, const Program::Buffer& buffer);

// Returns the program to send to the worker: creates and fills the buffers, makes the calls, and
// reads all buffers.
gpu::Sequence sequenceOf(const Program& program);

}  // namespace dmlcts
