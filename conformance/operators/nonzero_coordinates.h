#pragma once

#include "conformance/operators/entry.h"

// Other descriptors of NONZERO_COORDINATES.

namespace dmlcts {

NonzeroCoordinates generateNonzeroCoordinates(Choices& choices, const Wanted& wanted);
std::vector<Descriptor> simplerNonzeroCoordinates(const NonzeroCoordinates& op);
// Keeps one row per element, if `before` had that.
void keepRows(const NonzeroCoordinates& before, NonzeroCoordinates& after);
// Appends a variant with one column and one input dimension less.
void fewerColumns(const NonzeroCoordinates& op, std::vector<Descriptor>& all);

inline constexpr OperatorEntry<NonzeroCoordinates> kNonzeroCoordinates{
    .generate = generateNonzeroCoordinates,
    .simpler = simplerNonzeroCoordinates,
    .follow = keepRows,
    .fewer = fewerColumns,
    .plainFills =
        [] {
          return std::vector{FillKind::First, FillKind::Last, FillKind::Ones, FillKind::Alternate};
        },
    .equivalents = {}};

}  // namespace dmlcts
