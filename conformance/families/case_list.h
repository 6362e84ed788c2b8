#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "conformance/facts/family.h"
#include "conformance/facts/operators/entry.h"
#include "conformance/language/case.h"
#include "conformance/language/operator_syntax.h"

namespace dmlcts {

// Calls `onTuples(op)` or `onValues(op)` with an empty descriptor of the operator, by its kind. A
// new kind needs a function of its own in each family.
template <class OnTuples, class OnValues>
void visitKind(const OperatorFacts& op, const OnTuples& onTuples, const OnValues& onValues) {
  std::visit(
      [&]<class Operator>(const Operator& empty) {
        static_assert(HasTuples<Operator> || FollowsValues<Operator>);
        if constexpr (HasTuples<Operator>) {
          onTuples(empty);
        } else {
          onValues(empty);
        }
      },
      makeOperator(op.name).value());
}

// For operators of a kind that a family has no cases of.
inline constexpr auto kNoCases = [](const auto&) {};

// Collects a family's cases.
class CaseList {
 public:
  // `edition` selects the operators. `smoke`: the list is only for Smoke's sample.
  CaseList(const Family& family, uint32_t edition, bool smoke = false);

  uint32_t edition() const { return operators_.front()->edition; }

  // The edition's operators, in the order of Descriptor.
  const std::vector<const OperatorFacts*>& operators() const { return operators_; }

  // Operators from last to first. Some families have always used this order, and Smoke's sample
  // depends on case order.
  std::vector<const OperatorFacts*> operatorsBackwards() const {
    return {operators_.rbegin(), operators_.rend()};
  }

  // Adds a case that must execute. `variation` distinguishes otherwise identical cases.
  void execute(Level level, Descriptor descriptor, Fill fill, IndexFill index = {},
               uint64_t variation = 0);

  // False if this list is for Smoke's sample and the next case is not in it. A family with
  // expensive cases may then call skip() instead.
  bool nextIsSampled() const { return !smoke_ || isSampled(cases_.size()); }
  void skip() { cases_.emplace_back(); }

  // Sets the execution modes of the cases from this position on; drops those that cannot have them.
  void setModes(size_t first, const gpu::Modes& modes);
  size_t size() const { return cases_.size(); }

  // Sets a tensor's offset in the case added last.
  void bindAt(size_t slot, uint32_t offset) { cases_.back().offsets[slot] = offset; }

  // Returns the seed of a variation.
  uint64_t seed(uint64_t variation) const;

  // Adds a case whose operator must be created but is not executed.
  void accept(Level level, Descriptor descriptor);

  // Adds a case that must be rejected because it breaks only that rule.
  void reject(Level level, Descriptor descriptor, std::string_view rule);

  // Puts the case added last into Smoke regardless of the sample, because (almost) no other case
  // shows some faults.
  void keepInSmoke() { kept_.push_back(cases_.size() - 1); }

  // Positions of the cases kept in Smoke, ascending.
  const std::vector<size_t>& kept() const { return kept_; }

  // True if Smoke's sample has the case at that position. Uses a hash: a stride that divides a
  // family's inner loop would always hit the same corner.
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
