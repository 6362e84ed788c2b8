#include "bench/run.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "conformance/cases/case_string.h"
#include "conformance/run/environment.h"
#include "dmlcts_version.h"
#include "reports/compare/significance.h"
#include "reports/journal/folder.h"
#include "reports/text/escape.h"

namespace dmlcts::bench {
namespace {

std::string duration(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.0f} ns", nanoseconds);
  if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds / 1e3);
  if (nanoseconds < 1e9) return fmt::format("{:.3f} ms", nanoseconds / 1e6);
  return fmt::format("{:.3f} s", nanoseconds / 1e9);
}

// Added to a label, after the case string.
constexpr std::string_view kWithoutDenormals = " without its denormals";

// Prints one line of the table per benchmark, and forwards results to Google Benchmark's JSON
// reporter.
class Reporter : public benchmark::BenchmarkReporter {
 public:
  Reporter(size_t nameWidth, std::ostream* json) : nameWidth_(nameWidth) {
    if (json == nullptr) return;
    json_ = std::make_unique<benchmark::JSONReporter>();
    json_->SetOutputStream(json);
  }

  void fail(const std::string& name, const std::string& text) {
    fmt::print("{:<{}} {}\n", name, nameWidth_, plainLine(text));
    std::fflush(stdout);
    ++failures_;
  }
  size_t failures() const { return failures_; }

  void line(const std::string& name, const Measurement& measured, double ceiling) {
    const double time = median(measured.nanoseconds);
    const MiddleHalf half = middleHalf(measured.nanoseconds);
    const double rate = static_cast<double>(measured.bytes) / time;  // GB/s
    std::string passes = measured.withoutDenormals ? "  without denormals" : "";
    for (const gpu::PassTime& pass : measured.passes) {
      passes += fmt::format("  {} {}", plainLine(pass.name), duration(pass.nanoseconds));
    }
    fmt::print("{:<{}} {:>10} {:>6.1f}% {:>8.1f} {:>8} {:>9.3f}{}\n", name, nameWidth_,
               duration(time), 100 * (half.to - half.from) / time, rate,
               ceiling > 0 ? fmt::format("{:.1f}%", 100 * rate * 1e9 / ceiling) : "",
               static_cast<double>(measured.elements) / time, passes);
    std::fflush(stdout);
  }

  bool ReportContext(const Context& context) override {
    fmt::print("{:<{}} {:>10} {:>7} {:>8} {:>8} {:>9}\n", "", nameWidth_, "median", "spread",
               "GB/s", "of copy", "Gelem/s  passes");
    return !json_ || json_->ReportContext(context);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (!json_) return;
    std::vector<Run> plain = runs;
    for (Run& run : plain) {  // drops the framework's name suffixes; marks replaced denormals
      if (run.report_label.ends_with(kWithoutDenormals)) {
        run.run_name.function_name += "/without-denormals";
      }
      run.run_name.iterations.clear();
      run.run_name.repetitions.clear();
      run.run_name.time_type.clear();
    }
    json_->ReportRuns(plain);
  }
  void Finalize() override {
    if (json_) json_->Finalize();
  }

 private:
  size_t nameWidth_;
  std::unique_ptr<benchmark::JSONReporter> json_;
  size_t failures_ = 0;
};

// One benchmark. Measures all repetitions at the first one, then reports them one by one.
class Measured {
 public:
  using Measure = std::function<Measurement()>;

  Measured(std::string name, std::string label, Measure measure, double ceiling, Reporter& reporter)
      : name_(std::move(name)),
        label_(std::move(label)),
        measure_(std::move(measure)),
        ceiling_(ceiling),
        reporter_(reporter) {}

  void operator()(benchmark::State& state) {
    if (!measured_) begin();
    const bool failed = !measured_->failure.empty() || next_ >= measured_->nanoseconds.size();
    if (failed) state.SkipWithError(measured_->failure.c_str());
    for (auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
      const double seconds = measured_->nanoseconds[next_] * 1e-9;
      state.SetIterationTime(seconds);
      const auto bytes = static_cast<double>(measured_->bytes);
      if (bytes > 0) {
        state.counters["bytes_moved"] = bytes;
        state.counters["bytes_per_second"] = bytes / seconds;
        state.counters["elements_per_second"] = static_cast<double>(measured_->elements) / seconds;
        if (ceiling_ > 0) state.counters["fraction_of_copy"] = bytes / seconds / ceiling_;
      }
      for (const gpu::PassTime& pass : measured_->passes) {
        state.counters["pass_" + pass.name + "_us"] = pass.nanoseconds / 1e3;
      }
    }
    state.SetLabel(measured_->withoutDenormals ? label_ + std::string(kWithoutDenormals) : label_);
    ++next_;
  }

 private:
  void begin() {
    measured_ = measure_();
    if (measured_->failure.empty()) {
      reporter_.line(name_, *measured_, ceiling_);
    } else {
      reporter_.fail(name_, measured_->failure);
    }
  }

  std::string name_;
  std::string label_;
  Measure measure_;
  double ceiling_;
  Reporter& reporter_;
  std::optional<Measurement> measured_;
  size_t next_ = 0;
};

void addContext(const Measurer& measurer, const BenchmarkOptions& options) {
  const gpu::Identity& identity = measurer.identity();
  benchmark::AddCustomContext("dmlcts", fmt::format("{} {}", kSuiteVersion, kSuiteCommit));
  benchmark::AddCustomContext("command", options.commandLine);
  benchmark::AddCustomContext("host", hostName());
  benchmark::AddCustomContext("target", identity.target);
  benchmark::AddCustomContext("adapter", identity.adapter);
  benchmark::AddCustomContext("driver", identity.driver);
  benchmark::AddCustomContext("runtime", identity.runtime);
  benchmark::AddCustomContext("implementation", identity.implementation);
  benchmark::AddCustomContext("shader_model", identity.shaderModel);
  benchmark::AddCustomContext("kernel_variant", identity.kernelVariant);
  benchmark::AddCustomContext("evicted_mib", std::to_string(measurer.evictedMiB()));
  benchmark::AddCustomContext("copy_bytes_per_second",
                              fmt::format("{:.6g}", measurer.ceiling().bytesPerSecond()));
}

}  // namespace

size_t runBenchmarks(Measurer& measurer, const BenchmarkOptions& options) {
  const Ceiling& ceiling = measurer.ceiling();
  const std::vector<Work>& works = measurer.works();
  const std::string copyName = fmt::format("copy/uint4-kernel/{}MiB", ceiling.bytes >> 21);
  const std::string regionName = fmt::format("copy/CopyBufferRegion/{}MiB", ceiling.bytes >> 21);
  size_t width = regionName.size();
  for (const Work& work : works) width = std::max(width, work.name.size());

  std::ostringstream json;
  Reporter reporter(width, options.json.empty() ? nullptr : &json);

  const double copyRate = ceiling.bytesPerSecond();
  std::vector<std::shared_ptr<Measured>> all;
  const auto add = [&](const std::string& name, const std::string& label, uint32_t repetitions,
                       Measured::Measure measure) {
    all.push_back(std::make_shared<Measured>(name, label, std::move(measure), copyRate, reporter));
    benchmark::RegisterBenchmark(name.c_str(),
                                 [it = all.back()](benchmark::State& state) { (*it)(state); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond)
        ->Repetitions(static_cast<int>(repetitions));
  };
  const auto addTimes = [&](const std::string& name, const std::vector<double>& times,
                            uint64_t bytes) {
    if (times.empty()) return;
    add(name, "", static_cast<uint32_t>(times.size()),
        [&times, bytes] { return Measurement{times, bytes, bytes / 8, {}, ""}; });
  };
  addTimes(copyName, ceiling.kernel, ceiling.bytes);
  addTimes(regionName, ceiling.region, ceiling.bytes);
  addTimes("passes/3-of-nothing", ceiling.passes, 0);
  for (size_t i = 0; i < works.size(); ++i) {
    add(works[i].name, caseString(works[i].testCase), measurer.repetitions(),
        [&measurer, &works, &options, i] {
          if (options.showProgress) {
            fmt::print(stderr, "\r\033[K[{}/{}] {}\r", i + 1, works.size(), works[i].name);
          }
          Measurement measured = measurer.measure(i);
          if (options.showProgress) fmt::print(stderr, "\r\033[K");
          return measured;
        });
  }

  const gpu::Identity& identity = measurer.identity();
  fmt::print("{} on {}, {}, {}\n", plainLine(identity.target), plainLine(identity.adapter),
             plainLine(identity.driver), plainLine(identity.runtime));
  if (copyRate == 0) fmt::print("no copy to compare with: {}\n", plainLine(ceiling.missing));
  addContext(measurer, options);
  std::string program = "dmlcts";
  char* arguments[] = {program.data(), nullptr};
  int count = 1;
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  if (!options.json.empty()) replaceFile(options.json, std::move(json).str());
  return reporter.failures();
}

}  // namespace dmlcts::bench
