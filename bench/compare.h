#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Two runs of the benchmark compared: version to version, driver to driver, target to
// target.

namespace dmlcts::bench {

enum class Change : uint8_t {
  Faster,
  Slower,
  None,    // no difference that the samples could show, or one too small to matter
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
  double significance = 0.01;  // p below it is a difference
  double least = 0.02;         // medians closer than this part of A do not count as a difference
};

struct Compared {
  std::vector<BenchmarkPair> both;  // in A's order
  std::vector<std::string> onlyA;   // names
  std::vector<std::string> onlyB;
  std::string warning;  // why they should not be compared; or ""
};

// Compares two JSON files of `dmlcts bench` or any Google Benchmark program, by the names of the
// benchmarks and the real time of their repetitions, by the U test of Mann and Whitney. Throws
// std::invalid_argument, naming the file and what is wrong with it, or when they have no benchmark
// in common.
Compared compareFiles(const std::filesystem::path& a, const std::filesystem::path& b,
                      const CompareOptions& options = {});

// A table of it.
std::string table(const Compared& compared);

}  // namespace dmlcts::bench
