#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

#include "reports/summary/summary.h"

namespace dmlcts {

// Estimates the time left from the costs of the cases to come, at the speed of the last seconds:
// once failures come, each costs its repetition, too.
class TimeLeft {
 public:
  explicit TimeLeft(uint64_t cost) : left_(static_cast<double>(cost)) {}

  // A case ended, so many seconds after the one before.
  void add(uint64_t cost, double seconds) {
    const double kept = std::exp(-seconds / kMemory);
    left_ -= static_cast<double>(cost);
    cost_ = cost_ * kept + static_cast<double>(cost);
    seconds_ = seconds_ * kept + seconds;
  }
  double seconds() const { return cost_ > 0 ? left_ * seconds_ / cost_ : 0; }

 private:
  static constexpr double kMemory = 10;  // seconds

  double left_;
  double cost_ = 0;  // of the last seconds
  double seconds_ = 0;
};

// The progress line on a terminal: cases done, rate, verdicts, time left.
class Progress {
 public:
  // `total` is 0 if the number of cases is unknown; `cost` is that of all (estimatedCost()).
  Progress(uint64_t total, bool show, uint64_t cost = 0)
      : total_(total), show_(show), left_(cost ? cost : total) {}
  ~Progress() { finish(); }

  void count(Verdict verdict, uint64_t cost = 1);
  void say(const char* what);  // replaces the line
  void finish();               // ends the line

 private:
  using Clock = std::chrono::steady_clock;

  void draw();

  uint64_t total_;
  bool show_;
  bool drawn_ = false;
  uint64_t done_ = 0;
  Totals totals_;
  TimeLeft left_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;  // when a case ended
  Clock::time_point next_ = start_;
};

}  // namespace dmlcts
