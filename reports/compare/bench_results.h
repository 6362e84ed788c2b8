#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/text/document.h"

// Results of Google Benchmark (--benchmark_out, JSON): of one driver, or of several side by side.

namespace dmlcts {

struct BenchFile {
  std::string label;  // of the file's name
  std::string host;
  std::string date;
  std::map<std::string, std::string> context;  // the other members of "context"
};

struct BenchRow {
  size_t file = 0;   // index
  std::string name;  // without a repetition's suffix
  uint64_t elements = 0;
  std::vector<double> seconds{};  // of each repetition: "real_time"
  double bytesPerSecond = 0;      // counters, medians; 0 where there is none
  double fraction = 0;            // "fraction_of_copy"
};

// A benchmark that failed or was skipped ("error_occurred").
struct BenchError {
  size_t file = 0;
  std::string name;
  std::string message;
};

// What varies along a curve.
enum class BenchAxis : uint8_t {
  Size,      // "2^20", "4096", "256MiB", "2^22-of-2^22": elements
  Density,   // "1%"
  RowBytes,  // "rows-of-256B"; the number of rows varies with it
};

// Benchmarks whose names differ along one axis only.
struct BenchCurve {
  BenchAxis axis = BenchAxis::Size;
  std::string name;  // with "*" for what differs
  struct Point {
    double x = 0;    // elements, percent or bytes
    size_t row = 0;  // index into benchmarks
  };
  std::vector<Point> points;  // by file, then by x
};

// A benchmark in a file and in the first.
struct BenchRatio {
  size_t row = 0;  // indices into benchmarks
  size_t first = 0;
  double ratio = 0;  // of the medians, to the first file's
  double p = 1;      // Mann-Whitney, corrected for the number of benchmarks (Holm)
};

// The ratios of a file's benchmarks of one kind of work, the first part of their names.
struct BenchScore {
  size_t file = 0;
  std::string work;  // "gather"
  size_t benchmarks = 0;
  size_t faster = 0;  // significantly, and by 5 % at least
  size_t slower = 0;
  double geometricMean = 1;  // of the ratios
};

struct BenchResults {
  std::vector<BenchFile> files;
  std::vector<BenchRow> benchmarks;  // in file order
  std::vector<BenchError> errors;
  std::vector<BenchCurve> curves;  // with two or more x in some file
  std::vector<BenchRatio> ratios;
  std::vector<BenchScore> scores;  // by file, then in the order of the first file
};

// Of times whose middle half is a larger part of the median than this, little can be said.
inline constexpr double kWideSpread = 0.1;

// Throws InputError "FILE: what is wrong". Aggregates of repetitions are left out.
BenchResults readBenchResults(const std::vector<std::string>& paths);

std::string benchText(const BenchResults& results);
ReportDocument toDocument(const BenchResults& results);

}  // namespace dmlcts
