#pragma once

#include <optional>

#include "conformance/cases/hash.h"
#include "conformance/cases/labels.h"

namespace dmlcts {

// A case of that seed that has these labels and can tell a broken target from a right one, or
// nothing where the draws lead to none; other draws may. Requires labels that break no constraint.
std::optional<Case> drawWithLabels(Draws& draws, const Labels& labels, uint64_t seed);

}  // namespace dmlcts
