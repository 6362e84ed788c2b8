#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/report_json.h"

// Results of Google Benchmark (--benchmark_out, JSON): of one driver, or of several side by side.

namespace dmlcts {

struct BenchFile {
  std::string label;  // of the file's name
  std::string host;
  std::string date;
  std::map<std::string, std::string> context;  // the other members of "context"
};

struct BenchRow {
  size_t file = 0;    // index
  std::string name;   // without a repetition's suffix
  std::string group;  // the name without the parts that are sizes: a curve
  uint64_t elements = 0;
  std::vector<double> seconds{};  // of each repetition: "real_time"
  double bytesPerSecond = 0;      // counters, medians; 0 where there is none
  double fraction = 0;            // "fraction_of_copy"
};

struct BenchResults {
  std::vector<BenchFile> files;
  std::vector<BenchRow> benchmarks;  // in file order
};

// Throws std::runtime_error "FILE: what is wrong". Benchmarks that failed or were skipped (with
// "error_occurred") and aggregates of repetitions are left out.
BenchResults readBenchResults(const std::vector<std::string>& paths);

std::string benchText(const BenchResults& results);
ReportDocument toDocument(const BenchResults& results);

}  // namespace dmlcts
