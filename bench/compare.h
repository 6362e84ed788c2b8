#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Compares two benchmark runs: two versions, drivers or targets.

namespace dmlcts::bench {

enum class Change : uint8_t {
  Faster,
  Slower,
  None,    // no difference that is significant and large enough to matter
  TooFew,  // samples too small for any difference to be significant
};

struct BenchmarkPair {
  std::string name;
  double medianA = 0;  // nanoseconds
  double medianB = 0;
  double ratio = 0;  // B over A
  double p = 1;      // see mannWhitney()
  Change change = Change::None;
};

struct CompareOptions {
  double significance = 0.01;  // a smaller p counts as a difference
  double least = 0.02;         // medians closer than this fraction of A count as equal
};

struct Compared {
  std::vector<BenchmarkPair> both;  // in A's order
  std::vector<std::string> onlyA;   // names
  std::vector<std::string> onlyB;
  std::string warning;  // reason not to compare the runs; or ""
};

// Compares two JSON files of `dmlcts bench` or any Google Benchmark program. Matches benchmarks by
// name; tests the real time of their repetitions with the U test of Mann and Whitney. Throws
// std::invalid_argument for an invalid file (named, with the error) or if no benchmark is in both.
Compared compareFiles(const std::filesystem::path& a, const std::filesystem::path& b,
                      const CompareOptions& options = {});

// Formats the comparison as a table.
std::string table(const Compared& compared);

}  // namespace dmlcts::bench
