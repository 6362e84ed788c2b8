#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dmlcts {

// A configuration of `dmlcts matrix`: one that it runs, or the journal of a run elsewhere.
struct DescribedConfiguration {
  std::string name;                // also its folder's: letters, digits and, inside, . - _
  std::vector<std::string> words;  // the equivalent arguments of `dmlcts run`
  std::map<std::string, std::string> environment;
  std::filesystem::path journal;  // read instead of running anything; may be empty
  std::string text;               // the whole description, as JSON: any change makes it another run
};

// Reads a description (reports/schema/matrix-1.schema.json); paths in it are relative to its
// folder. Throws InputError "FILE: configurations[2].tier: what is wrong".
std::vector<DescribedConfiguration> readMatrixDescription(const std::filesystem::path& file);

}  // namespace dmlcts
