#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "conformance/cases/case_entry.h"
#include "conformance/cases/tiers.h"

namespace dmlcts {

// Where a family puts its cases.
class CaseList {
 public:
  // `edition`: of the operators whose cases it takes. `smoke`: it is only for Smoke's sample.
  CaseList(const Family& family, uint32_t edition, bool smoke = false);

  uint32_t edition() const { return operators_.front()->edition; }

  // These operators, in the order of Descriptor.
  const std::vector<const OperatorFacts*>& operators() const { return operators_; }

  // The same from last to first: some families have begun like that, and Smoke's sample hangs on
  // the order of cases.
  std::vector<const OperatorFacts*> operatorsBackwards() const {
    return {operators_.rbegin(), operators_.rend()};
  }

  // A case that must execute. `variation` tells apart cases that are otherwise the same.
  void execute(Level level, Descriptor descriptor, Fill fill, IndexFill index = {},
               uint64_t variation = 0);

  // Whether the next case is needed: not when it is only for Smoke's sample and that leaves it out.
  // A family whose cases take long to find may then skip it, and adds one in its place to no list.
  bool needsNext() const { return !smoke_ || isSampled(cases_.size()); }
  void skip() { cases_.emplace_back(); }

  // Binds a tensor of the case added last there.
  void bindAt(size_t slot, uint32_t offset) { cases_.back().offsets[slot] = offset; }

  // The seed that a variation means.
  uint64_t seed(uint64_t variation) const;

  // A case whose operator must be created, and is not executed.
  void accept(Level level, Descriptor descriptor);

  // A case that must be rejected because it breaks that rule, and no other.
  void reject(Level level, Descriptor descriptor, std::string_view rule);

  // The case added last is part of Smoke, whatever the sample: some faults show in it only, or
  // hardly anywhere else.
  void keepInSmoke() { kept_.push_back(cases_.size() - 1); }

  // Ascending positions of the cases kept in Smoke.
  const std::vector<size_t>& kept() const { return kept_; }

  // Whether Smoke's sample has the case at that position. By hash rather than by stride: families
  // have inner loops, and a stride that divides one would take the same corner each time round.
  bool isSampled(size_t position) const;

  std::vector<Case> take() { return std::move(cases_); }

 private:
  const Family& family_;
  bool smoke_;
  std::vector<const OperatorFacts*> operators_;
  std::vector<Case> cases_;
  std::vector<size_t> kept_;
};

}  // namespace dmlcts
