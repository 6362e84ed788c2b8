#pragma once

#include <cstdint>
#include <functional>

#include "conformance/run/lane.h"

namespace dmlcts {

// What parallel lanes do.
struct LaneWork {
  std::function<void()> first;             // with the first lane, on the caller's thread
  std::function<void(Lane& lane)> others;  // with each other lane, on a thread of its own
  std::function<void()> stop;              // tells all of them to end soon; on any thread
};

// Works with `jobs` lanes, of which the first is there already, until all have ended. Throws what
// went wrong first: also WorkerStartError, where a worker hosts something other than the first one.
void runLanes(uint32_t jobs, const LaneOptions& options, Lane& first, const LaneWork& work);

}  // namespace dmlcts
