#pragma once

#include <cstdint>
#include <string>
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

}  // namespace dmlcts
