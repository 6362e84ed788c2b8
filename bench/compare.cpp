#include "bench/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/measure.h"

namespace dmlcts::bench {
namespace {

constexpr size_t kMostExact = 20;

// The number of ways in which `m` of m + n ranks give each value of U, from 0 to m * n.
std::vector<double> waysOfU(size_t m, size_t n) {
  // Adding the values one by one, as the coefficients of the Gaussian binomial: multiply by
  // 1 - q^(n+i), divide by 1 - q^i.
  const size_t most = m * n;
  std::vector<double> ways(most + 1, 0);
  ways[0] = 1;
  for (size_t i = 1; i <= m; ++i) {
    for (size_t u = most + 1; u-- > n + i;) ways[u] -= ways[u - n - i];
    for (size_t u = i; u <= most; ++u) ways[u] += ways[u - i];
  }
  return ways;
}

double exactP(double u, size_t m, size_t n) {
  const std::vector<double> ways = waysOfU(m, n);
  double all = 0;
  double tail = 0;
  const double mean = static_cast<double>(m * n) / 2;
  const double distance = std::abs(u - mean);
  for (size_t i = 0; i < ways.size(); ++i) {
    all += ways[i];
    if (std::abs(static_cast<double>(i) - mean) >= distance - 1e-9) tail += ways[i];
  }
  return std::min(1.0, tail / all);
}

struct Run {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> times;  // nanoseconds
};

double nanosecondsIn(const std::string& unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  throw std::invalid_argument("the time unit \"" + unit + "\" is none");
}

Run readRun(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(path.string() + ": cannot be read");
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    Run run;
    for (const nlohmann::json& one : json.at("benchmarks")) {
      if (one.value("run_type", "iteration") != "iteration") continue;
      if (one.value("error_occurred", false)) continue;
      const auto name = one.contains("run_name") ? one.at("run_name").get<std::string>()
                                                 : one.at("name").get<std::string>();
      if (!run.times.contains(name)) run.order.push_back(name);
      run.times[name].push_back(one.at("real_time").get<double>() *
                                nanosecondsIn(one.value("time_unit", "ns")));
    }
    return run;
  } catch (const std::exception& error) {
    throw std::invalid_argument(path.string() + ": not Google Benchmark's JSON: " + error.what());
  }
}

}  // namespace

double uTest(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  struct Value {
    double value;
    bool inA;
  };
  std::vector<Value> all;
  for (double value : a) all.push_back({value, true});
  for (double value : b) all.push_back({value, false});
  std::ranges::sort(all, {}, &Value::value);

  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  double ranksOfA = 0;
  double ties = 0;  // sum of t^3 - t over runs of t equal values
  for (size_t first = 0; first < all.size();) {
    size_t end = first;
    while (end < all.size() && all[end].value == all[first].value) ++end;
    const auto equal = static_cast<double>(end - first);
    const double rank = static_cast<double>(first + end + 1) / 2;  // the mean of first+1 … end
    for (size_t i = first; i < end; ++i) {
      if (all[i].inA) ranksOfA += rank;
    }
    ties += equal * equal * equal - equal;
    first = end;
  }
  const double u = ranksOfA - m * (m + 1) / 2;
  if (ties == 0 && a.size() <= kMostExact && b.size() <= kMostExact) {
    return exactP(u, a.size(), b.size());
  }
  const double total = m + n;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;  // all values equal
  const double distance = std::max(0.0, std::abs(u - m * n / 2) - 0.5);
  return std::erfc(distance / std::sqrt(2 * variance));
}

Compared compareFiles(const std::filesystem::path& a, const std::filesystem::path& b,
                      const CompareOptions& options) {
  const Run runA = readRun(a);
  const Run runB = readRun(b);
  Compared compared;
  for (const std::string& name : runA.order) {
    const auto other = runB.times.find(name);
    if (other == runB.times.end()) {
      compared.onlyA.push_back(name);
      continue;
    }
    const std::vector<double>& timesA = runA.times.at(name);
    const std::vector<double>& timesB = other->second;
    Comparison one;
    one.name = name;
    one.medianA = median(timesA);
    one.medianB = median(timesB);
    one.ratio = one.medianB / one.medianA;
    one.p = uTest(timesA, timesB);
    const double smallest = exactP(0, timesA.size(), timesB.size());
    if (smallest >= options.significance) {
      one.change = Change::TooFew;
    } else if (one.p < options.significance && std::abs(one.ratio - 1) > options.least) {
      one.change = one.ratio < 1 ? Change::Faster : Change::Slower;
    }
    compared.both.push_back(one);
  }
  for (const std::string& name : runB.order) {
    if (!runA.times.contains(name)) compared.onlyB.push_back(name);
  }
  return compared;
}

std::string table(const Compared& compared) {
  size_t width = 4;
  for (const Comparison& one : compared.both) width = std::max(width, one.name.size());
  std::string text = fmt::format("{:<{}} {:>12} {:>12} {:>8} {:>9}\n", "", width, "A (us)",
                                 "B (us)", "B / A", "p");
  for (const Comparison& one : compared.both) {
    const char* change = one.change == Change::Faster   ? "B is faster"
                         : one.change == Change::Slower ? "B is slower"
                         : one.change == Change::TooFew ? "too few repetitions to say"
                                                        : "no difference";
    text += fmt::format("{:<{}} {:>12.2f} {:>12.2f} {:>8.3f} {:>9.2g}  {}\n", one.name, width,
                        one.medianA / 1e3, one.medianB / 1e3, one.ratio, one.p, change);
  }
  for (const std::string& name : compared.onlyA) text += fmt::format("{}: only in A\n", name);
  for (const std::string& name : compared.onlyB) text += fmt::format("{}: only in B\n", name);
  return text;
}

}  // namespace dmlcts::bench
