#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/text/escape.h"

// Results of Google Benchmark (--benchmark_out, JSON) from one or several files, side by side.

namespace dmlcts {

struct BenchFile {
  std::string label;  // the file's name, or the folder's that tells files of one name apart
  std::string host;
  std::string date;
  std::map<std::string, std::string> context;  // the other members of "context"
};

struct BenchRow {
  size_t file = 0;   // index
  std::string name;  // without the suffix for repetitions
  uint64_t elements = 0;
  std::vector<double> seconds{};  // "real_time" of each repetition
  double bytesPerSecond = 0;      // median of the counter; 0 without one
  double fraction = 0;            // "fraction_of_copy"
};

// A benchmark that failed or was skipped ("error_occurred").
struct BenchError {
  size_t file = 0;
  std::string name;
  std::string message;
};

// The property that varies along a curve.
enum class BenchAxis : uint8_t {
  Size,      // elements: "2^20", "4096", "256MiB", "2^22-of-2^22"
  Density,   // "1%"
  RowBytes,  // "rows-of-256B"; the number of rows varies with it
};

// Benchmarks whose names differ along one axis only.
struct BenchCurve {
  BenchAxis axis = BenchAxis::Size;
  std::string name;  // with "*" for the varying part
  struct Point {
    double x = 0;    // elements, percent or bytes
    size_t row = 0;  // index into benchmarks
  };
  std::vector<Point> points;  // by file, then by x
};

// Differences that count.
struct BenchThresholds {
  double significance = 0.01;  // p must be smaller
  double least = 0.05;         // the slower median must exceed the other by this part
};

enum class TimeChange : uint8_t {
  None,
  Slower,
  Faster,
  TooFew,  // samples too small for any difference to be significant
};

// Compares a benchmark with the same one in the first file.
struct BenchRatio {
  size_t row = 0;  // indices into benchmarks
  size_t first = 0;
  double ratio = 0;  // median, divided by the first file's; 0 if that is 0
  double p = 1;      // Mann-Whitney, corrected for the number of benchmarks (Holm)
  TimeChange change = TimeChange::None;
};

// Sums up a file's ratios for one kind of benchmark, the first part of the names.
struct BenchScore {
  size_t file = 0;
  std::string work;  // "gather"
  size_t benchmarks = 0;
  size_t faster = 0;
  size_t slower = 0;
  double geometricMean = 1;  // of the ratios
};

struct BenchResults {
  std::vector<BenchFile> files;
  std::vector<BenchRow> benchmarks;  // in file order
  std::vector<BenchError> errors;
  std::vector<BenchCurve> curves;  // with at least two different x in some file
  std::vector<BenchRatio> ratios;
  std::vector<BenchScore> scores;  // by file, then in the order of the first ratios
  std::vector<std::string> warnings;
  BenchThresholds thresholds;

  // True if the file has a time of the benchmark.
  bool measures(size_t file, std::string_view name) const;
  // Returns the number of benchmarks of the first file that a later one could not measure.
  size_t noLongerMeasured() const;

  // 1 if a benchmark is slower than in the first file, or no longer measured; 3 if several files
  // share no benchmark.
  int exitStatus() const;
};

// Marks a time as noisy if its middle half spans more than this part of the median.
inline constexpr double kWideSpread = 0.1;

// Throws InputError "FILE: what is wrong". Skips Google Benchmark's aggregates.
BenchResults readBenchResults(const std::vector<std::string>& paths,
                              const BenchThresholds& thresholds = {});

// "12.50 us": a time of a benchmark, in all texts.
std::string timeText(double seconds);

std::string benchText(const BenchResults& results);
ReportDocument toDocument(const BenchResults& results);

}  // namespace dmlcts
