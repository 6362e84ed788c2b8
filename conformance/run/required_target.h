#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/target.h"

namespace dmlcts {

// Something else answered than was required; the text says what, side by side.
class WrongTarget : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What must answer, before anything is asked of it (`--require`). Nothing: whatever answers.
class RequiredTarget {
 public:
  RequiredTarget() = default;

  // Each "KEY=PATTERN", with "*" and "?" as in queries. The keys are what `dmlcts targets` prints:
  // target, adapter, vendor, device, driver, runtime, implementation, shader-model, kernel-variant,
  // level; sha256 for any of the files, sha256:NAME for that one. All must match. Throws
  // std::invalid_argument, naming the keys, for anything else.
  explicit RequiredTarget(const std::vector<std::string>& texts);

  // Throws WrongTarget unless it is what is required.
  void check(const gpu::Identity& identity) const;

 private:
  struct Requirement {
    std::string key;
    std::string pattern;
  };
  std::vector<Requirement> all_;
};

// What a target says it is, by the keys of requirements; an empty text is unknown.
std::vector<std::pair<std::string, std::string>> identityFacts(const gpu::Identity& identity);

}  // namespace dmlcts
