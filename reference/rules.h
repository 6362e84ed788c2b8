#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// The way a rule is checked against a target.
enum class Checked {
  ByRejecting,  // a descriptor that breaks it must be rejected; one that keeps it must be accepted
  ByAccepting,  // descriptors that look invalid but are valid must be accepted
  ByExecuting,  // outputs of valid descriptors must match
  Always,       // in every case
  NotAtAll,     // records unspecified behaviour; check() reports it where evaluate() cannot cope
};

// The evidence for a rule. Decides the verdict on a target that breaks it.
enum class Standing {
  Documented,  // a sentence of a page says so: Fail
  Inferred,    // follows from what pages say, but a vendor could argue: Arguable
  Ours,        // nobody promised it: an observation
};

// "documented", "inferred", "ours"
std::string_view name(Standing standing);

// One normative statement of an operator's documentation, in our own words.
struct Rule {
  std::string_view id;       // stable: "gather_nd.tuple-size"
  std::string_view wording;  // the statement
  std::string_view source;   // page, edition where they differ, and section: reference/sources.md
  Standing standing = Standing::Documented;
  Level from = Level::L2_1;     // first level
  Level through = Level::L6_4;  // last level
  Checked checked = Checked::ByRejecting;
  std::string_view note = {};  // our decision where the documentation leaves something open

  bool holdsAt(Level level) const { return from <= level && level <= through; }
};

// The specification edition of these rules; reference/sources.md lists its pages.
inline constexpr std::string_view kSpecificationEdition = "2026-11";

// Returns the rules of all operators, ordered by id within an operator.
std::span<const Rule> rules();

// Returns the rule with this id, or nullptr.
const Rule* findRule(std::string_view id);

// Returns the id without its operator, as in ".tuple-size": rules of several operators that say the
// same share it. "" of a text without a dot, which a received journal may have.
inline std::string_view sharedPart(std::string_view id) {
  return id.substr(std::min(id.find('.'), id.size()));
}

struct BrokenRule {
  const Rule* rule;
  std::string message;  // which tensor, which values: "IndicesTensor.Sizes[3] is 5, more than …"
};

// Returns every rule that the descriptor breaks at this level, in ledger order. Covers
// Checked::ByRejecting, and NotAtAll where no case can be made. Empty means that the descriptor
// must be accepted. Never throws, whatever the descriptor.
std::vector<BrokenRule> check(const Descriptor& descriptor, Level level);

}  // namespace dmlcts
