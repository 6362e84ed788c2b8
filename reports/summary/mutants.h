#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What `dmlcts selftest --json FILE` found: which deliberately wrong implementations the suite
// catches, and by what.

namespace dmlcts {

struct MutantCatch {
  std::string target;
  bool caught = false;
  uint64_t cases = 0;                  // run until the first catch, that one counted
  std::string family;                  // of the first case that caught it
  std::string caseString;              // that case
  std::string how;                     // its verdict and message
  uint64_t catches = 0;                // that were looked at
  std::vector<std::string> onlyRules;  // that every catch exercises: without their cases, the
                                       // mutant would have lived
};

struct MutantResults {
  std::string tier;
  std::vector<MutantCatch> mutants;
};

// Throws InputError "FILE: what is wrong".
MutantResults readMutants(const std::string& path);

// What became of generated mutants (conformance/mutants/generated): how many of each kCounts.
struct GeneratedMutants {
  static constexpr std::array<std::string_view, 9> kCounts{
      "taken",        // all of the following but by…, which are of the killed
      "killed",       //
      "bySmoke",      // by the cases of that tier
      "byLowLimits",  // only where small tensors take the ways of huge ones
      "byTests",      // only by our own test of their bytecode
      "survived",     //
      "equal",        // to the unchanged sources, for a compiler
      "stillborn",    // that do not compile
      "unreached",    // where no case comes
  };
  std::string of;  // "HLSL"
  std::array<uint64_t, kCounts.size()> counts{};
};

// Of the file that `conformance/mutants/generated/run score` prints. Throws as readMutants() does.
std::vector<GeneratedMutants> readGeneratedMutants(const std::string& path);

}  // namespace dmlcts
