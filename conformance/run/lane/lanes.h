#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "conformance/run/lane/lane.h"

namespace dmlcts {

// Parallel lanes: the first, and others with workers of their own.
class Lanes {
 public:
  // Throws WorkerStartError if a worker does not start, or hosts something other than the first
  // one.
  Lanes(uint32_t jobs, const LaneOptions& options, Lane& first);

  size_t size() const { return all_.size(); }
  Lane& operator[](size_t number) const { return *all_[number]; }

  // Calls work(number) for all lanes at once, and waits. Throws the first error; then `stop` tells
  // the others to end soon, on any thread.
  void run(const std::function<void(size_t number)>& work, const std::function<void()>& stop) const;

  // Lets the other workers exit.
  void finishOthers();

 private:
  std::deque<Lane> others_;
  std::vector<Lane*> all_;
};

}  // namespace dmlcts
