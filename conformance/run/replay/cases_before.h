#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/language/case.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {

// A tier's cases in order, to bring a process into the state in which a run had it.
class CasesBefore {
 public:
  explicit CasesBefore(Tier tier);

  // Returns the `count` cases directly before this one. The tier's last case comes before its first
  // one, and before a case that the tier does not have. Leaves out the case itself, and those that
  // `isLeftOut` names.
  std::vector<const Case*> of(const Case& testCase, uint64_t count,
                              const std::function<bool(const Case&)>& isLeftOut) const;

  size_t size() const { return cases_.size(); }

 private:
  std::vector<Case> cases_;
  std::unordered_map<std::string, size_t> placeOf_;  // by case string
};

}  // namespace dmlcts
