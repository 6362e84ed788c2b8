#pragma once

#include <filesystem>
#include <string>

#include "bench/measure.h"

namespace dmlcts::bench {

struct BenchmarkOptions {
  std::filesystem::path json;  // empty: none
  bool showProgress = false;   // a line on stderr that says what is being made ready
  std::string commandLine;
};

// Measures all works through Google Benchmark: GPU time as manual time, one iteration
// per repetition. Prints a table on stdout (spread: the middle half of the times over the median)
// and writes Google Benchmark's JSON with the counters bytes_moved, bytes_per_second,
// elements_per_second and, where there is a ceiling, fraction_of_copy. Returns the number of works
// that failed, which the table names. Throws std::runtime_error when the JSON cannot be written.
// Call it once in a process.
size_t runBenchmarks(Measurer& measurer, const BenchmarkOptions& options);

}  // namespace dmlcts::bench
