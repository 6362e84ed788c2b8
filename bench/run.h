#pragma once

#include <filesystem>
#include <string>

#include "bench/measure.h"

namespace dmlcts::bench {

struct BenchmarkOptions {
  std::filesystem::path json;  // empty: none
  bool showProgress = false;   // on stderr: the benchmark being prepared
  bool verbose = false;        // print where the wall clock went
  std::string commandLine;
};

struct BenchmarksEnd {
  size_t failures = 0;   // failed benchmarks, which the table names
  bool stopped = false;  // told to stop before all were measured
};

// Measures all benchmarks and prints a table (spread: the middle half of the times over the median,
// marked above 10 %) on stdout. Writes JSON in Google Benchmark's format, an entry per repetition
// and aggregates, with the counters bytes_moved, bytes_per_second, elements_per_second and, if
// there is a ceiling, fraction_of_copy. If told to stop, says so and writes what was measured; its
// context says "stopped". Throws std::runtime_error if the JSON cannot be written, and, once it is
// written, if no worker starts any more.
BenchmarksEnd runBenchmarks(Measurer& measurer, const BenchmarkOptions& options);

}  // namespace dmlcts::bench
