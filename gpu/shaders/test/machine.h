#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "gpu/operators/plan.h"
#include "gpu/shaders/test/program.h"

// An interpreter for our kernels that detects errors which devices tolerate. Addresses: outside a
// pass's bindings, or unaligned. Group memory: out of bounds, unwritten, or raced for. Also
// barriers that not all threads reach, two threads that store the same dword, and endless loops.

namespace dmlcts::gpu::test {

// A kernel's forbidden behaviour.
struct Misbehaviour : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A tensor or the temporaries. Each dword records its last writer.
class CheckedMemory {
 public:
  explicit CheckedMemory(std::span<uint8_t> bytes, bool isWritten);

  uint32_t load(uint64_t at, uint64_t thread);
  void store(uint64_t at, uint64_t thread, uint32_t value);
  // Returns the old value. Other threads may change it in the same stage too.
  uint32_t change(uint64_t at, uint32_t (*how)(uint32_t, uint32_t), uint32_t value);
  void beginStage();

 private:
  std::span<uint8_t> bytes_;
  std::vector<uint64_t> writers_;  // in this stage; 0: nobody
  std::vector<bool> isWritten_;
};

// A register's view: bytes [offset, offset + bytes) of a memory appear at `base` of the view, in
// bytes or texels.
struct CheckedView {
  CheckedMemory* memory = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t base = 0;
};

// The order of a dispatch's groups: one after the other, by default from last to first.
struct Schedule {
  bool forwards = false;
  // Groups of even number stop after so many barriers until the others have ended.
  uint64_t evenStopAfter = ~uint64_t{0};
};

struct Dispatch {
  uint32_t groupsX = 1;
  uint32_t groupsY = 1;
  std::span<const uint32_t> constants;
  std::span<const CheckedView> views;  // by Register
  uint64_t firstThread = 0;            // thread numbers differ within a stage; 0: nobody
  Schedule schedule;
};

// Runs all groups and returns the number of instructions. Throws Misbehaviour.
uint64_t execute(const Program& program, const Dispatch& dispatch);

}  // namespace dmlcts::gpu::test
