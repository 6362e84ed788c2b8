#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "reports/journal/journal.h"

// Who answers: identities of targets, required, compared and journaled.

namespace dmlcts {

// Another target answered than required; the text compares them.
class WrongTarget : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The target that must answer before any case is sent (`--require`). Empty accepts any target.
class RequiredTarget {
 public:
  RequiredTarget() = default;

  // Parses "KEY=PATTERN" texts, with "*" and "?" as in queries. Keys are those that `dmlcts
  // targets` prints: target, adapter, vendor, device, driver, runtime, implementation,
  // shader-model, level. Also sha256 for any file and sha256:NAME for one. All must
  // match. Throws std::invalid_argument listing the keys otherwise.
  explicit RequiredTarget(const std::vector<std::string>& texts);

  // Throws WrongTarget unless all requirements match.
  void check(const gpu::Identity& identity) const;

 private:
  struct Requirement {
    std::string key;
    std::string pattern;
  };
  std::vector<Requirement> all_;
};

// A target's identity by requirement keys; an empty text means unknown.
std::vector<std::pair<std::string, std::string>> identityFacts(const gpu::Identity& identity);

// Describes the first difference: `adapter is "A", not "B"`. Nothing if they are equal.
std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before);

// The identity in a journal's header.
void setIdentity(JournalHeader& header, const gpu::Identity& identity);
gpu::Identity identityOf(const JournalHeader& header);

}  // namespace dmlcts
