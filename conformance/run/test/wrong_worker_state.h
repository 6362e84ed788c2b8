#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

// State shared by a test and its wrong workers, in a memory-mapped file.

namespace dmlcts {

class WrongWorkerState {
 public:
  explicit WrongWorkerState(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void* const mapped =
        ::ftruncate(descriptor, sizeof(Values)) != 0
            ? MAP_FAILED
            : ::mmap(nullptr, sizeof(Values), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + file.string());
    values_ = static_cast<Values*>(mapped);
  }
  ~WrongWorkerState() { ::munmap(values_, sizeof(Values)); }
  WrongWorkerState(const WrongWorkerState&) = delete;
  WrongWorkerState& operator=(const WrongWorkerState&) = delete;

  // A clock for the harness's deadlines: it advances only when a worker calls pass().
  std::chrono::steady_clock::time_point now() const {
    return std::chrono::steady_clock::time_point(std::chrono::seconds(values_->seconds));
  }
  void pass(int64_t seconds) { values_->seconds += seconds; }

  // Returns 0, 1, …: for actions done once or in turn.
  uint64_t next() { return values_->next++; }

 private:
  struct Values {
    std::atomic<int64_t> seconds;
    std::atomic<uint64_t> next;
  };
  Values* values_;
};

}  // namespace dmlcts
