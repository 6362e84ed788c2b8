#include "reports/summary/totals.h"

#include <numeric>

namespace dmlcts {

Totals& Totals::operator+=(const Totals& other) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

uint64_t Totals::all() const { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

uint64_t Totals::failures() const {
  uint64_t sum = 0;
  for (Verdict verdict : kVerdicts) sum += isFailure(verdict) ? (*this)[verdict] : 0;
  return sum;
}

uint64_t Totals::failTheRun() const {
  uint64_t sum = 0;
  for (Verdict verdict : kVerdicts) sum += failsRun(verdict) ? (*this)[verdict] : 0;
  return sum;
}

int exitStatus(const Totals& totals, size_t workerFailures) {
  return exitStatus(totals[Verdict::InternalError] > 0,
                    totals.failTheRun() > 0 || workerFailures > 0);
}

}  // namespace dmlcts
