#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/language/build.h"
#include "conformance/operators/generate.h"

// Other descriptors of an operator, or of another that computes the same. operators.h has the
// table.

namespace dmlcts {

// Another descriptor, possibly of another operator, that produces the same outputs: same tensor
// order, same bytes. A level may accept one of the two and reject the other.
template <class Operator>
struct EquivalentDescriptor {
  std::string_view name;  // name for `--mode`
  std::string_view what;  // one-line description
  Descriptor (*descriptor)(const Operator& op);
};

template <class Operator>
struct OperatorEntry {
  // Builds a valid packed descriptor from choices (generate.h). `wanted` always gives level, types
  // and rank.
  Operator (*generate)(Choices& choices, const Wanted& wanted);

  // Returns simpler packed neighbours (simpler.h) of a valid descriptor, simplest first. Some may
  // be invalid.
  std::vector<Descriptor> (*simpler)(const Operator& op);
  // Variant for any descriptor: `after` is `before` with changed sizes. Adjusts the sizes that
  // depend on the changed ones. Null if none do.
  void (*follow)(const Operator& before, Operator& after);
  // Appends variants with fewer dimensions in several tensors at once. Null if there are none.
  void (*fewer)(const Operator& op, std::vector<Descriptor>& all);
  // Returns the fills to try instead of a case's own, plainest first, up to its own.
  std::vector<FillKind> (*plainFills)();

  std::span<const EquivalentDescriptor<Operator>> equivalents;
};

}  // namespace dmlcts
