#pragma once

#include <cstdint>
#include <functional>

#include "conformance/run/lane.h"

namespace dmlcts {

// The work of parallel lanes.
struct LaneWork {
  std::function<void()> first;             // called with the first lane, on the caller's thread
  std::function<void(Lane& lane)> others;  // called with each other lane, on its own thread
  std::function<void()> stop;              // tells all to end soon; called on any thread
};

// Runs `jobs` lanes, including `first`, until all have ended. Throws the first error, such as
// WorkerStartError if a worker hosts something other than the first one.
void runLanes(uint32_t jobs, const LaneOptions& options, Lane& first, const LaneWork& work);

}  // namespace dmlcts
