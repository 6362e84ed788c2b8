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

// Measures all benchmarks and prints a table (spread: the middle half of the times over the median,
// marked above 10 %) on stdout. Writes JSON in Google Benchmark's format, an entry per repetition
// and aggregates, with the counters bytes_moved, bytes_per_second, elements_per_second and, if
// there is a ceiling, fraction_of_copy. Returns the number of failed benchmarks, which the table
// names. Throws std::runtime_error if the JSON cannot be written.
size_t runBenchmarks(Measurer& measurer, const BenchmarkOptions& options);

}  // namespace dmlcts::bench
