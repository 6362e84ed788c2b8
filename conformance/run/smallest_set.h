#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace dmlcts {

// Of `count` things that together bring something back, a small part that does, as indices in
// order: the smallest that a search with at most `searches` questions finds. None of them alone is
// asked about, since the caller has done so. Empty when not even all of them bring it back. (Zeller
// and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002: ddmin.)
std::vector<size_t> smallestSet(
    size_t count, int searches,
    const std::function<bool(const std::vector<size_t>&)>& bringsItBack);

}  // namespace dmlcts
