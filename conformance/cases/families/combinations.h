#pragma once

#include <optional>

#include "conformance/cases/hash.h"
#include "conformance/cases/labels.h"

namespace dmlcts {

// What of a case its labels do not say yet: a case that has these labels (family and seed left
// out), or nothing where the draws lead to none; other draws may. Requires labels that break no
// constraint.
std::optional<Case> drawWithLabels(Draws& draws, const Labels& labels);

}  // namespace dmlcts
