#pragma once

#include <filesystem>
#include <string>

#include "bench/measure.h"

namespace dmlcts::bench {

struct BenchmarkOptions {
  std::filesystem::path json;  // empty: none
  bool showProgress = false;   // on stderr: the benchmark being prepared
  std::string commandLine;
};

// Measures all benchmarks through Google Benchmark: GPU time as manual time, one iteration per
// repetition. Prints a table (spread: the middle half of the times over the median) on stdout.
// Writes Google Benchmark's JSON with the counters bytes_moved, bytes_per_second,
// elements_per_second and, if there is a ceiling, fraction_of_copy. Returns the number of failed
// benchmarks, which the table names. Throws std::runtime_error if the JSON cannot be written. Call
// it at most once per process.
size_t runBenchmarks(Measurer& measurer, const BenchmarkOptions& options);

}  // namespace dmlcts::bench
