#pragma once

#include <cstdlib>

namespace dmlcts {

// Tells whether tests take all of their cases and new seeds, as in ./check --all.
inline bool explores() { return std::getenv("DMLCTS_EXPLORE") != nullptr; }

}  // namespace dmlcts
