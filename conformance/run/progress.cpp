#include "conformance/run/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace dmlcts {

namespace {

// Never throws, unlike fmt::print(): the terminal may be gone.
void put(const std::string& line) {
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

void Progress::count(Verdict verdict, uint64_t cost) {
  ++done_;
  ++totals_[verdict];
  if (!show_) return;
  const auto now = Clock::now();
  left_.add(cost, std::chrono::duration<double>(now - std::exchange(last_, now)).count());
  if (now >= next_) draw();
}

void Progress::say(const char* what) {
  if (!show_) return;
  put(fmt::format("\r\033[K{}", what));
  drawn_ = true;
}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string verdicts;
  for (Verdict verdict : kVerdicts) {
    if (totals_[verdict]) verdicts += fmt::format("  {} {}", totals_[verdict], name(verdict));
  }
  std::string line = fmt::format("\r\033[K{}", done_);
  if (total_) line += fmt::format("/{}", total_);
  line += fmt::format("{}  {:.0f}/s", verdicts, rate);
  if (total_) line += fmt::format("  {:.0f} s left", left_.seconds());
  put(line);
  drawn_ = true;
  next_ = Clock::now() + std::chrono::milliseconds(200);
}

void Progress::finish() {
  if (!drawn_) return;
  put("\r\033[K");
  drawn_ = false;
}

}  // namespace dmlcts
