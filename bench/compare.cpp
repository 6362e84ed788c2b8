#include "bench/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "reports/compare/significance.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts::bench {
namespace {

// Returns the smallest p that two samples of these sizes can reach, when all of one lie below the
// other: 2 of the (m + n over m) orders.
double smallestP(size_t m, size_t n) {
  double p = 2;
  for (size_t i = 1; i <= m; ++i) p *= static_cast<double>(i) / static_cast<double>(n + i);
  return std::min(1.0, p);
}

struct Run {
  std::string evictedMiB;  // flushed before each repetition; "" if unknown
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
  const nlohmann::json json = parseJson(readInput(path), path.string());
  try {
    Run run;
    run.evictedMiB = json.value("/context/evicted_mib"_json_pointer, "");
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

Compared compareFiles(const std::filesystem::path& a, const std::filesystem::path& b,
                      const CompareOptions& options) {
  const Run runA = readRun(a);
  const Run runB = readRun(b);
  Compared compared;
  // "0" belongs to benchmarks that run hot by name, or whose tensors exceed the caches.
  if (runA.evictedMiB != runB.evictedMiB && runA.evictedMiB != "0" && runB.evictedMiB != "0") {
    const auto said = [](const Run& run) {
      return run.evictedMiB.empty() ? "does not say" : run.evictedMiB + " MiB";
    };
    compared.warning =
        fmt::format("what was copied to empty caches before each repetition: A {}, B {}",
                    said(runA), said(runB));
  }
  for (const std::string& name : runA.order) {
    const auto other = runB.times.find(name);
    if (other == runB.times.end()) {
      compared.onlyA.push_back(name);
      continue;
    }
    const std::vector<double>& timesA = runA.times.at(name);
    const std::vector<double>& timesB = other->second;
    BenchmarkPair one;
    one.name = name;
    one.medianA = median(timesA);
    one.medianB = median(timesB);
    one.ratio = one.medianB / one.medianA;
    one.p = mannWhitney(timesA, timesB);
    if (smallestP(timesA.size(), timesB.size()) >= options.significance) {
      one.change = Change::TooFew;
    } else if (one.p < options.significance && std::abs(one.ratio - 1) > options.least) {
      one.change = one.ratio < 1 ? Change::Faster : Change::Slower;
    }
    compared.both.push_back(one);
  }
  for (const std::string& name : runB.order) {
    if (!runA.times.contains(name)) compared.onlyB.push_back(name);
  }
  if (compared.both.empty()) {
    throw std::invalid_argument("no benchmark is in both " + a.string() + " and " + b.string());
  }
  return compared;
}

std::string table(const Compared& compared) {
  size_t width = 4;
  for (const BenchmarkPair& one : compared.both) width = std::max(width, one.name.size());
  std::string text = fmt::format("{:<{}} {:>12} {:>12} {:>8} {:>9}\n", "", width, "A (us)",
                                 "B (us)", "B / A", "p");
  for (const BenchmarkPair& one : compared.both) {
    const char* change = one.change == Change::Faster   ? "B is faster"
                         : one.change == Change::Slower ? "B is slower"
                         : one.change == Change::TooFew ? "too few repetitions to say"
                                                        : "no difference";
    text += fmt::format("{:<{}} {:>12.2f} {:>12.2f} {:>8.3f} {:>9.2g}  {}\n", one.name, width,
                        one.medianA / 1e3, one.medianB / 1e3, one.ratio, one.p, change);
  }
  for (const std::string& name : compared.onlyA) text += fmt::format("{}: only in A\n", name);
  for (const std::string& name : compared.onlyB) text += fmt::format("{}: only in B\n", name);
  if (!compared.warning.empty()) text += fmt::format("warning: {}\n", compared.warning);
  return text;
}

}  // namespace dmlcts::bench
