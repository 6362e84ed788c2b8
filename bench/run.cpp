#include "bench/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <future>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "conformance/language/case_string.h"
#include "conformance/run/environment.h"
#include "dmlcts_version.h"
#include "reference/counted.h"
#include "reports/compare/bench_results.h"
#include "reports/compare/significance.h"
#include "reports/journal/folder.h"
#include "reports/text/escape.h"

namespace dmlcts::bench {
namespace {

using Json = nlohmann::ordered_json;

// Prints one line of the table per benchmark, and collects what is written as JSON.
class Reporter {
 public:
  Reporter(size_t nameWidth, double ceiling) : nameWidth_(nameWidth), ceiling_(ceiling) {
    fmt::print("{:<{}} {:>10} {:>7} {:>8} {:>8} {:>9}\n", "", nameWidth_, "median", "spread",
               "GB/s", "of copy", "Gelem/s  passes");
  }

  void put(const std::string& name, const std::string& label, const Measurement& measured) {
    if (measured.failure.empty()) {
      line(name, measured);
      addRepetitions(name, label, measured);
    } else {
      fmt::print("{:<{}} {}\n", name, nameWidth_, plainLine(measured.failure));
      ++failures_;
      benchmarks_.push_back({{"name", name},
                             {"run_name", name},
                             {"run_type", "iteration"},
                             {"repetition_index", 0},
                             {"error_occurred", true},
                             {"error_message", measured.failure},
                             {"iterations", 0},
                             {"real_time", 0},
                             {"cpu_time", 0},
                             {"time_unit", "us"},
                             {"label", label}});
    }
    std::fflush(stdout);
  }

  size_t failures() const { return failures_; }
  const Json& benchmarks() const { return benchmarks_; }

 private:
  void line(const std::string& name, const Measurement& measured) {
    const double time = median(measured.nanoseconds);
    const MiddleHalf half = middleHalf(measured.nanoseconds);
    const double rate = static_cast<double>(measured.bytes) / time;  // GB/s
    std::string passes = measured.withoutDenormals ? "  without denormals" : "";
    for (const gpu::PassTime& pass : measured.passes) {
      passes += fmt::format("  {} {}", plainLine(pass.name), timeText(pass.nanoseconds / 1e9));
    }
    const double spread = (half.to - half.from) / time;
    fmt::print("{:<{}} {:>10} {:>6.1f}%{} {:>7.1f} {:>8} {:>9.3f}{}\n", name, nameWidth_,
               timeText(time / 1e9), 100 * spread, spread > kWideSpread ? '!' : ' ', rate,
               ceiling_ > 0 ? fmt::format("{:.1f}%", 100 * rate * 1e9 / ceiling_) : "",
               static_cast<double>(measured.elements) / time, passes);
  }

  void addRepetitions(std::string name, std::string label, const Measurement& measured) {
    if (measured.withoutDenormals) {
      name += "/without-denormals";
      label += " without its denormals";
    }
    for (size_t i = 0; i < measured.nanoseconds.size(); ++i) {
      const double time = measured.nanoseconds[i];
      Json one{{"name", name},
               {"run_name", name},
               {"run_type", "iteration"},
               {"repetitions", measured.nanoseconds.size()},
               {"repetition_index", i},
               {"threads", 1},
               {"iterations", 1},
               {"real_time", time / 1e3},
               {"cpu_time", time / 1e3},
               {"time_unit", "us"}};
      if (const auto bytes = static_cast<double>(measured.bytes); bytes > 0) {
        one["bytes_moved"] = measured.bytes;
        one["bytes_per_second"] = bytes / (time * 1e-9);
        one["elements_per_second"] = static_cast<double>(measured.elements) / (time * 1e-9);
        if (ceiling_ > 0) one["fraction_of_copy"] = bytes / (time * 1e-9) / ceiling_;
      }
      for (const gpu::PassTime& pass : measured.passes) {
        one["pass_" + pass.name + "_us"] = pass.nanoseconds / 1e3;
      }
      if (!label.empty()) one["label"] = label;
      benchmarks_.push_back(std::move(one));
    }
    if (measured.nanoseconds.size() > 1) addAggregates(name, measured.nanoseconds);
  }

  // Google Benchmark's own: a reader that knows its format expects them.
  void addAggregates(const std::string& name, const std::vector<double>& times) {
    const auto count = static_cast<double>(times.size());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
    double squares = 0;
    for (const double time : times) squares += (time - mean) * (time - mean);
    const double deviation = std::sqrt(squares / (count - 1));
    const auto add = [&](const char* aggregate, const char* unit, double value) {
      benchmarks_.push_back({{"name", name + "_" + aggregate},
                             {"run_name", name},
                             {"run_type", "aggregate"},
                             {"repetitions", times.size()},
                             {"threads", 1},
                             {"aggregate_name", aggregate},
                             {"aggregate_unit", unit},
                             {"iterations", times.size()},
                             {"real_time", value},
                             {"cpu_time", value},
                             {"time_unit", "us"}});
    };
    add("mean", "time", mean / 1e3);
    add("median", "time", median(times) / 1e3);
    add("stddev", "time", deviation / 1e3);
    add("cv", "percentage", deviation / mean);
  }

  size_t nameWidth_;
  double ceiling_;  // bytes per second of the copy; 0 if unknown
  size_t failures_ = 0;
  Json benchmarks_ = Json::array();
};

Json contextOf(const Measurer& measurer, const BenchmarkOptions& options) {
  const gpu::Identity& identity = measurer.identity();
  return {{"date", timestamp()},
          {"host", hostName()},
          {"num_cpus", std::thread::hardware_concurrency()},
          {"dmlcts", fmt::format("{} {}", kSuiteVersion, kSuiteCommit)},
          {"command", options.commandLine},
          {"target", identity.target},
          {"adapter", identity.adapter},
          {"driver", identity.driver},
          {"runtime", identity.runtime},
          {"implementation", identity.implementation},
          {"shader_model", identity.shaderModel},
          {"evicted_mib", std::to_string(measurer.evictedMiB())},
          {"copy_bytes_per_second", fmt::format("{:.6g}", measurer.ceiling().bytesPerSecond())}};
}

}  // namespace

BenchmarksEnd runBenchmarks(Measurer& measurer, const BenchmarkOptions& options) {
  const Ceiling& ceiling = measurer.ceiling();
  const std::vector<Work>& works = measurer.works();
  const std::string copyName = fmt::format("copy/uint4-kernel/{}MiB", ceiling.bytes >> 21);
  const std::string regionName = fmt::format("copy/CopyBufferRegion/{}MiB", ceiling.bytes >> 21);
  size_t width = regionName.size();
  for (const Work& work : works) width = std::max(width, work.name.size());

  const gpu::Identity& identity = measurer.identity();
  std::string tested = identity.target + " on " + identity.adapter;
  for (const std::string& each : {identity.driver, identity.runtime}) {
    if (!each.empty()) tested += ", " + each;
  }
  fmt::print("{}\n", plainLine(tested));
  const double copyRate = ceiling.bytesPerSecond();
  if (copyRate == 0) fmt::print("no copy to compare with: {}\n", plainLine(ceiling.missing));

  Reporter reporter(width, copyRate);
  const auto putCopy = [&](const std::string& name, const std::vector<double>& times,
                           uint64_t bytes) {
    if (!times.empty()) reporter.put(name, "", {times, bytes, bytes / 8, {}, ""});
  };
  putCopy(copyName, ceiling.kernel, ceiling.bytes);
  putCopy(regionName, ceiling.region, ceiling.bytes);
  putCopy("dispatch/empty", ceiling.dispatch, 0);
  std::future<Measurement> last;
  size_t reported = 0;
  const auto putLast = [&] {
    if (!last.valid()) return;
    const Measurement measured = last.get();
    if (options.showProgress) fmt::print(stderr, "\r\033[K");
    if (measured.cancelled) return;
    const Work& work = works[reported++];
    reporter.put(work.name, caseString(work.testCase), measured);
  };
  std::string stopped;
  const auto write = [&] {
    if (options.json.empty()) return;
    Json context = contextOf(measurer, options);
    if (!stopped.empty()) context["stopped"] = stopped;
    replaceFile(options.json,
                Json{{"context", std::move(context)}, {"benchmarks", reporter.benchmarks()}}.dump(
                    1, ' ', false, Json::error_handler_t::replace) +
                    '\n');
  };
  for (size_t i = 0; i < works.size() && !measurer.cancelled(); ++i) {
    if (options.showProgress) {
      fmt::print(stderr, "\r\033[K[{}/{}] {}\r", i + 1, works.size(), works[i].name);
    }
    std::future<Measurement> next;
    try {
      next = measurer.measure(i);
    } catch (...) {  // no worker starts any more: the last line says of what the other died
      putLast();
      if (measurer.cancelled()) break;
      write();
      throw;
    }
    putLast();
    last = std::move(next);
  }
  putLast();
  if (options.verbose) {
    const Spent& spent = measurer.spent();
    const std::array parts{std::pair("to start and copy", spent.start),
                           std::pair("waiting for inputs and expected outputs", spent.inputs),
                           std::pair("sending", spent.sending),
                           std::pair("in the worker", spent.worker),
                           std::pair("receiving", spent.receiving),
                           std::pair("comparing outputs", spent.comparing)};
    double rest =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - spent.begun).count();
    fmt::print("seconds: {:.1f} in all", rest);
    for (const auto& [words, seconds] : parts) {
      fmt::print(", {:.1f} {}", seconds, words);
      rest -= seconds;
    }
    fmt::print(", {:.1f} for the rest\n", rest);
  }
  if (reported < works.size()) {
    stopped = fmt::format("after {} of {}", reported, counted(works.size(), "benchmark"));
    fmt::print("\nstopped: told to stop {}\n", stopped);
  }
  write();
  return {reporter.failures(), !stopped.empty()};
}

}  // namespace dmlcts::bench
