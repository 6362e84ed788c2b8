#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dmlcts {

// The two-sided Mann-Whitney U test (Mann and Whitney 1947): the probability that samples of one
// distribution differ by rank at least this much. Exact for up to 20 values a side without ties,
// else the normal approximation with corrections for ties and continuity. Returns 1 if a side is
// empty.
double mannWhitney(const std::vector<double>& a, const std::vector<double>& b);

// Corrects the p-values of several tests so that the chance of any false alarm stays that of one
// test (Holm 1979). Keeps the order.
std::vector<double> holm(const std::vector<double>& p);

// Returns 0 for no values.
double median(std::vector<double> values);

// First and third quartile; 0 and 0 for no values.
struct MiddleHalf {
  double from = 0;
  double to = 0;
};
MiddleHalf middleHalf(std::vector<double> values);

// Returns "2.3x faster" or "1.05x slower" for a ratio of times, after to before; "as fast" if it
// would show as 1.00.
std::string speedText(double ratio);

// Returns the smallest p of mannWhitney() for samples of these sizes.
double smallestP(size_t n, size_t m);

}  // namespace dmlcts
