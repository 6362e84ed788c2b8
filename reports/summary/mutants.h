#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Results of `dmlcts selftest --json FILE`: the deliberately faulty implementations, and what
// caught them.

namespace dmlcts {

struct MutantCatch {
  std::string target;
  bool caught = false;
  uint64_t cases = 0;                  // run until the first catch, inclusive
  std::string family;                  // of the first case that caught it
  std::string caseString;              // that case
  std::string how;                     // its verdict and message
  uint64_t catches = 0;                // number of catches examined
  std::vector<std::string> onlyRules;  // rules that every catch exercises: without their cases, the
                                       // mutant would have survived
};

struct MutantResults {
  std::string tier;
  std::vector<MutantCatch> mutants;
};

// Throws InputError "FILE: what is wrong".
MutantResults readMutants(const std::string& path);

// Results of generated mutants (conformance/mutants/generated): a number for each kCounts.
struct GeneratedMutants {
  static constexpr std::array<std::string_view, 9> kCounts{
      "taken",        // all of the following except by…, which are among the killed
      "killed",       //
      "bySmoke",      // by cases of the smoke tier
      "byLowLimits",  // only with limits that send small tensors the ways of huge ones
      "byTests",      // only by our own unit tests
      "survived",     //
      "equal",        // compiled to the same code as the unchanged sources
      "stillborn",    // do not compile
      "unreached",    // in code that no case reaches
  };
  std::string of;  // "HLSL"
  std::array<uint64_t, kCounts.size()> counts{};
};

// Reads the file that `conformance/mutants/generated/run score` prints. Throws as readMutants()
// does.
std::vector<GeneratedMutants> readGeneratedMutants(const std::string& path);

}  // namespace dmlcts
