#include "conformance/run/progress.h"

#include <fmt/format.h>

#include <cstdio>

namespace dmlcts {

void Progress::count(Verdict verdict) {
  ++done_;
  ++totals_[verdict];
  if (show_ && Clock::now() >= next_) draw();
}

void Progress::say(const char* what) {
  if (!show_) return;
  fmt::print(stderr, "\r\033[K{}", what);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string verdicts;
  for (Verdict verdict : kVerdicts) {
    if (totals_[verdict]) verdicts += fmt::format("  {} {}", totals_[verdict], name(verdict));
  }
  fmt::print(stderr, "\r\033[K{}", done_);
  if (total_) fmt::print(stderr, "/{}", total_);
  fmt::print(stderr, "{}  {:.0f}/s", verdicts, rate);
  if (total_ && rate > 0) {
    fmt::print(stderr, "  {:.0f} s left", static_cast<double>(total_ - done_) / rate);
  }
  std::fflush(stderr);
  drawn_ = true;
  next_ = Clock::now() + std::chrono::milliseconds(200);
}

void Progress::finish() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace dmlcts
