#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "conformance/run/lane/lane.h"

namespace dmlcts {

// Other workers, busy with cases until the object goes. Their verdicts do not matter.
class Company {
 public:
  // Returns once each worker has answered, or after some seconds. Throws WorkerStartError if one
  // does not start. `cases` must outlive this.
  Company(LaneOptions options, const std::vector<ScheduledCase>& cases, uint32_t workers);
  ~Company();
  Company(const Company&) = delete;
  Company& operator=(const Company&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::deque<Lane> lanes_;
  std::vector<std::thread> threads_;
};

}  // namespace dmlcts
