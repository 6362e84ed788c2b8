#pragma once

#include <cstdint>
#include <span>

#include "gpu/operators/plan.h"
#include "gpu/shaders/test/checked_memory.h"
#include "gpu/shaders/test/program.h"

// An interpreter for our kernels that detects errors which devices tolerate. Addresses: outside a
// pass's bindings, or unaligned. Group memory: out of bounds, unwritten, or raced for. Also
// barriers that not all threads reach, two threads that store the same dword, and endless loops.

namespace dmlcts::gpu::test {

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
