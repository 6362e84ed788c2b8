#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/judging/program.h"

namespace dmlcts {

// Models a program's buffer contents, call by call, and which bytes the documents define. Executes
// at once what a target may do later. Sources: "Binding in DirectML", "Synchronization in DirectML"
// of reference/sources.md, and Direct3D 12 on resource barriers. Stricter for simplicity: a buffer
// belongs to one queue until the host has waited for it.
class ProgramModel {
 public:
  // `program` must outlive this. Gaps between strided elements after an execution, and NaNs and
  // denormals of inputs, are defined only under --strict.
  ProgramModel(const Program& program, Strictness strictness);

  // Makes a call and returns "". Does nothing for an invalid call, but returns the reason.
  std::string make(const gpu::SequenceCall& call);

  struct Byte {
    uint8_t value = 0;
    bool defined = true;
    int32_t writer = -1;  // number of the last call that wrote it; -1 if none
  };
  const std::vector<std::vector<Byte>>& buffers() const { return buffers_; }

  // Current state, for generators that choose the next call.
  enum class Stage : uint8_t { None, Created, Compiled, Initialized };
  Stage stage(uint32_t op) const { return operators_[op].stage; }
  bool hasTable(uint32_t table) const { return tables_[table].made; }
  uint32_t operatorOf(uint32_t table) const { return tables_[table].op; }
  // Number of executions that wrote something defined.
  uint64_t effective() const { return effective_; }

 private:
  struct Operator {
    Stage stage = Stage::None;
    uint32_t generation = 0;
    std::array<bool, gpu::kQueues> inFlight{};
  };
  struct Table {
    bool made = false;
    uint32_t op = 0;
    uint32_t generation = 0;  // of the operator
    std::vector<gpu::Place> from;
    std::vector<gpu::Place> to;
    std::array<bool, gpu::kQueues> inFlight{};
  };
  struct Access {
    uint32_t buffer;
    uint64_t begin;
    uint64_t end;
    bool writes;
    bool meets(const Access& other) const {
      return buffer == other.buffer && begin < other.end && other.begin < end;
    }
  };
  struct Queue {
    std::vector<Access> accesses;                     // of executions since the last barrier
    std::array<bool, gpu::kMostOperators> buffers{};  // in use
  };

  std::string initialize(const gpu::SequenceCall& call);
  std::string bind(const gpu::SequenceCall& call);
  std::string execute(const gpu::SequenceCall& call);
  std::string copy(const gpu::SequenceCall& call);
  void wait(uint32_t queue);

  std::string outside(uint32_t op, const std::vector<gpu::Place>& places, bool outputs) const;
  std::string clash(uint32_t queue, const std::vector<Access>& accesses) const;
  std::vector<Byte> tensor(const gpu::Place& place, uint64_t bytes) const;
  std::string evaluateInto(const Table& table);

  const Program& program_;
  Strictness strictness_;
  int32_t calls_ = 0;
  std::vector<std::vector<Byte>> buffers_;
  std::array<Operator, gpu::kMostOperators> operators_{};
  std::array<Table, gpu::kMostOperators> tables_{};
  std::array<Queue, gpu::kQueues> queues_{};
  uint64_t effective_ = 0;
};

// Returns why the program is invalid ("call 3, execute 0: …"), or "".
std::string whyInvalid(const Program& program);

// Judges the answer to a valid program's sequenceOf().
Judgement judge(const Program& program, gpu::Answer answer, Strictness strictness);

}  // namespace dmlcts
