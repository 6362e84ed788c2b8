#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// How a rule is held against a target.
enum class Checked {
  ByRejecting,  // a descriptor that breaks it must be rejected; one that keeps it must be accepted
  ByAccepting,  // it says that descriptors are valid that one could take for invalid
  ByExecuting,  // it says what valid descriptors compute
  Always,       // it is looked at in every case, whatever the case is about
  NotAtAll,     // it says that something is undefined: recorded so that nobody relies on it, and
                // reported by check() where evaluate() could make nothing of the descriptor
};

// How well a rule is founded, and so what becomes of a target that breaks it.
enum class Standing {
  Documented,  // a sentence of a page says so: Fail
  Inferred,    // follows from what pages say, but a vendor could argue: Arguable
  Ours,        // nobody promised it: an observation
};

// "documented", "inferred", "ours"
std::string_view name(Standing standing);

// One normative statement of an operator document, in our own words.
struct Rule {
  std::string_view id;       // stable: "gather_nd.tuple-size"
  std::string_view wording;  // what must hold
  std::string_view source;   // page, edition where they differ, and section: docs/sources.md
  Standing standing = Standing::Documented;
  Level from = Level::L2_1;     // first and
  Level through = Level::L6_4;  // last level at which it holds
  Checked checked = Checked::ByRejecting;
  std::string_view note = {};  // a decision of ours where the document leaves something open

  bool holdsAt(Level level) const { return from <= level && level <= through; }
};

// which specification edition these rules are of; see docs/sources.md, which lists the pages.
inline constexpr std::string_view kSpecificationEdition = "2026-11";

// All rules, of every operator, ordered by id within an operator.
std::span<const Rule> rules();

// The rule with that id, or nullptr.
const Rule* findRule(std::string_view id);

struct BrokenRule {
  const Rule* rule;
  std::string message;  // which tensor, which values: "IndicesTensor.Sizes[3] is 5, more than …"
};

// Every rule (Checked::ByRejecting, or NotAtAll where no case can be made) that the descriptor
// breaks at that level, in ledger order; empty means the descriptor must be accepted. Never throws
// on any descriptor.
std::vector<BrokenRule> check(const Descriptor& descriptor, Level level);

}  // namespace dmlcts
