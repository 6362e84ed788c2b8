#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/summary/findings.h"

namespace dmlcts {

// In how many cases a finding is in a configuration of `dmlcts matrix` that has such cases.
struct FoundInConfiguration {
  std::string configuration;
  uint64_t cases = 0;
};

// Keyed by a finding's id.
using FoundInMatrix = std::map<std::string, std::vector<FoundInConfiguration>>;

// Looks the findings up in a matrix.json. Throws InputError "FILE: what is wrong": where it has one
// of their target that they lack, and where a configuration of that target is of a tree with
// uncommitted changes or of another specification edition.
FoundInMatrix findInMatrix(const Findings& findings, const std::filesystem::path& file);

}  // namespace dmlcts
