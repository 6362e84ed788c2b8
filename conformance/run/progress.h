#pragma once

#include <chrono>
#include <cstdint>

#include "reports/summary/summary.h"

namespace dmlcts {

// The progress line on a terminal: cases done, rate, verdicts, time left.
class Progress {
 public:
  // `total` is 0 if the number of cases is unknown.
  Progress(uint64_t total, bool show) : total_(total), show_(show) {}
  ~Progress() { finish(); }

  void count(Verdict verdict);
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
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace dmlcts
