#pragma once

#include <string>
#include <vector>

namespace dmlcts {

// The Mann-Whitney U test (Mann and Whitney 1947), two-sided: how likely samples of one
// distribution are to differ by rank as much as these do. Exact for up to 20 values a side without
// ties, else by the normal approximation with correction for ties and continuity. 1 when a side is
// empty.
double mannWhitney(const std::vector<double>& a, const std::vector<double>& b);

// The p-values of several tests made at once, corrected so that the chance of any false alarm stays
// what it is for one (Holm 1979). In the given order.
std::vector<double> holm(const std::vector<double>& p);

// 0 for no values.
double median(std::vector<double> values);

// From the first quartile to the third; 0 and 0 for no values.
struct MiddleHalf {
  double from = 0;
  double to = 0;
};
MiddleHalf middleHalf(std::vector<double> values);

// "2.3x faster", "1.05x slower" of a ratio of times, after to before; "as fast" where it shows
// none.
std::string speedText(double ratio);

// "< 1e-300", "= 2.4e-05", "= 0.31"
std::string pText(double p);

enum class TimeChange { None, Slower, Faster };

// A change counts where it is significant at 1 % and the medians differ by at least 5 %.
TimeChange judgeChange(double before, double after, double p);

}  // namespace dmlcts
