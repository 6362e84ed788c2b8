#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fuzz/finding.h"

// The example database: a folder with one file per failure ever found, which the next run replays
// first. A file NAME.case has case strings, one per line, run in order; the last one failed. Lines
// with "#" describe the failure for people, except for two:
//
//   # target: d3d12          the target that failed
//   # relation: layout-free  the relation that failed for the last case, if any

namespace dmlcts {

struct Example {
  std::filesystem::path file;
  std::string target;
  Subject subject;
};

class Database {
 public:
  // Reads a folder's examples, and removes leftovers of killed runs. The folder may not exist.
  // Files that are not examples, or cannot be run here, are kept and listed in problems().
  explicit Database(std::filesystem::path folder);

  // Sorted by file name.
  const std::vector<Example>& examples() const { return examples_; }

  // Forgets examples whose files have other names.
  void keepOnly(const std::unordered_set<std::string>& names);

  // Returns the problems of files that were skipped, "FILE:LINE: …" each.
  const std::vector<std::string>& problems() const { return problems_; }

  // True if the finding was an example when the folder was read, and is not forgotten.
  bool holds(const Finding& finding, const std::string& target) const;

  // Stores a finding atomically. The same finding always has the same file name.
  void store(const Finding& finding, const std::string& target, const std::string& where);

  void remove(const Example& example);

 private:
  std::filesystem::path folder_;
  std::vector<Example> examples_;
  std::vector<std::string> problems_;
};

// A hash that is the same in every build and on every machine.
uint64_t stableHash(std::string_view text);

// Returns the relation of that name, or null.
const Relation* findRelation(std::string_view name);

// Parses a file's text; `name` stands for the file in messages. Throws std::runtime_error
// "NAME:LINE: problem".
Example parseExample(const std::string& text, const std::string& name);

}  // namespace dmlcts
