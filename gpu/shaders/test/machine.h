#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "gpu/operators/plan.h"
#include "gpu/shaders/test/program.h"

// A processor for our kernels that notices what devices pass over: addresses outside of what a pass
// binds or that are no multiple of 4, group memory past its end, that nobody wrote or that threads
// race for, barriers that not every thread reaches, two threads that store the same dword, loops
// without end. Groups run from the last to the first.

namespace dmlcts::gpu::test {

// What a kernel did that it must not.
struct Misbehaviour : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A tensor or the temporaries; dwords know who stored them last.
class CheckedMemory {
 public:
  explicit CheckedMemory(std::span<uint8_t> bytes, bool isWritten);

  uint32_t load(uint64_t at, uint64_t thread);
  void store(uint64_t at, uint64_t thread, uint32_t value);
  // Others may do so, too, in the same stage.
  void change(uint64_t at, uint64_t thread, uint32_t (*how)(uint32_t, uint32_t), uint32_t value);
  void beginStage();

 private:
  std::span<uint8_t> bytes_;
  std::vector<uint64_t> writers_;  // in this stage; 0 is nobody
  std::vector<bool> isWritten_;
};

// What a register shows: bytes [offset, offset + bytes) of a memory, at `base` bytes, or texels, of
// the view.
struct CheckedView {
  CheckedMemory* memory = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t base = 0;
};

struct Dispatch {
  uint32_t groupsX = 1;
  uint32_t groupsY = 1;
  std::span<const uint32_t> constants;
  std::span<const CheckedView> views;  // by Register
  uint64_t firstThread = 0;            // numbers of threads differ within a stage; 0 is none's
};

// Runs all groups and returns the number of instructions. Throws Misbehaviour.
uint64_t execute(const Program& program, const Dispatch& dispatch);

}  // namespace dmlcts::gpu::test
