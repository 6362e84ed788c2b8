#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dmlcts {

// A configuration that `dmlcts matrix` is to compare: one that it runs, or a journal of a run
// elsewhere.
struct DescribedConfiguration {
  std::string name;                // of its folder, too: letters, digits, and . - _ within
  std::vector<std::string> words;  // the arguments of `dmlcts run` that it stands for
  std::map<std::string, std::string> environment;
  std::filesystem::path journal;  // empty, or what is read instead of running anything
  std::string text;               // all that it says, as JSON: when it changes, the run is another
};

// Reads a description (reports/schema/matrix-1.schema.json). Paths in it are relative to its
// folder. Throws InputError "FILE: configurations[2].tier: what is wrong".
std::vector<DescribedConfiguration> readMatrixDescription(const std::filesystem::path& file);

}  // namespace dmlcts
