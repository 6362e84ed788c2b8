#include "reports/compare/significance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dmlcts {
namespace {

constexpr size_t kMostExact = 20;

struct Ranked {
  double rankSumA = 0;
  double tieTerm = 0;  // sum of t^3 - t over groups of t equal values
};

Ranked rank(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, bool>> all;
  for (double value : a) all.emplace_back(value, true);
  for (double value : b) all.emplace_back(value, false);
  std::ranges::sort(all);
  Ranked ranked;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    size_t ofA = 0;
    while (end < all.size() && all[end].first == all[begin].first) ofA += all[end++].second;
    const auto ties = static_cast<double>(end - begin);
    const double middle = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2;
    ranked.rankSumA += middle * static_cast<double>(ofA);
    ranked.tieTerm += ties * ties * ties - ties;
    begin = end;
  }
  return ranked;
}

// Returns the share of all placements of n values among n + m ranks that have a U of at most `u`.
double exactTail(size_t n, size_t m, size_t u) {
  // placements[i][k]: number of ways to place i of the n values so far with U = k.
  std::vector<std::vector<double>> placements(n + 1, std::vector<double>(n * m + 1, 0.0));
  placements[0][0] = 1;
  for (size_t place = 0; place < n + m; ++place) {
    for (size_t i = std::min(n, place + 1); i-- > 0;) {
      const size_t below = place - i;  // values of the other side before this place
      if (below > m) continue;
      for (size_t k = 0; k + below <= n * m; ++k) placements[i + 1][k + below] += placements[i][k];
    }
  }
  const auto& counts = placements[n];
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  const auto last = counts.begin() + static_cast<std::ptrdiff_t>(std::min(u, n * m)) + 1;
  return std::accumulate(counts.begin(), last, 0.0) / all;
}

}  // namespace

double mannWhitney(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const Ranked ranked = rank(a, b);
  const double uA = ranked.rankSumA - n * (n + 1) / 2;
  const double u = std::min(uA, n * m - uA);
  if (ranked.tieTerm == 0 && a.size() <= kMostExact && b.size() <= kMostExact) {
    return std::min(1.0, 2 * exactTail(a.size(), b.size(), static_cast<size_t>(u)));
  }
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ranked.tieTerm / (all * (all - 1)));
  if (variance <= 0) return 1;  // all values are equal
  const double z = std::max(0.0, n * m / 2 - u - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&p](size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double least = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, p[order[i]] * static_cast<double>(p.size() - i));
    corrected[order[i]] = std::min(1.0, least);
  }
  return corrected;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

MiddleHalf middleHalf(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values[values.size() / 4], values[values.size() * 3 / 4]};
}

std::string speedText(double ratio) {
  const double times = ratio < 1 && ratio > 0 ? 1 / ratio : ratio;
  const std::string text = times < 2 ? fmt::format("{:.2f}", times) : fmt::format("{:.1f}", times);
  if (text == "1.00") return "as fast";
  return text + (ratio < 1 ? "x faster" : "x slower");
}

// All values of one side lie below the other's: 2 of the (n + m over n) orders.
double smallestP(size_t n, size_t m) {
  double p = 2;
  for (size_t i = 1; i <= n; ++i) p *= static_cast<double>(i) / static_cast<double>(m + i);
  return std::min(1.0, p);
}

}  // namespace dmlcts
