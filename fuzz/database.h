#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/finding.h"

// The example database: a folder with one file for each failure ever found, so that the next run
// begins with them. A file holds case strings, one per line, to be run in order, the last of which
// failed; lines with "#" say which target failed how, and are for people, except for two:
//
//   # target: d3d12          whose failure it is
//   # relation: layout-free  what of the last case failed, where it is a relation

namespace dmlcts {

struct Example {
  std::filesystem::path file;
  std::string target;
  Subject subject;
};

class Database {
 public:
  // Reads the folder, which need not exist, and removes what killed runs left in it. A file that
  // is not an example, or whose cases cannot be run here, is left alone and named among problems().
  explicit Database(std::filesystem::path folder);

  // Sorted by file name.
  const std::vector<Example>& examples() const { return examples_; }

  // What is wrong with files that were skipped, "FILE:LINE: …" each.
  const std::vector<std::string>& problems() const { return problems_; }

  // Whether the finding was an example when the folder was read.
  bool holds(const Finding& finding, const std::string& target) const;

  // Stores a finding; at once, as a whole or not at all. The same finding twice is one file.
  void store(const Finding& finding, const std::string& target, const std::string& where);

  void remove(const Example& example);

 private:
  std::filesystem::path folder_;
  std::vector<Example> examples_;
  std::vector<std::string> problems_;
};

// The same for the same text in every build and on every machine.
uint64_t stableHash(std::string_view text);

// The relation of that name, or null.
const Relation* findRelation(std::string_view name);

// The example in a file's text; `name` stands for the file in messages. Throws std::runtime_error
// "NAME:LINE: what is wrong".
Example parseExample(const std::string& text, const std::string& name);

}  // namespace dmlcts
