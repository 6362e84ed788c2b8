#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace dmlcts {

// Finds a small subset of `count` items that reproduces an effect, as ascending indices, with at
// most `searches` calls. Does not test single items, because the caller has done so. Returns an
// empty set if not even all items reproduce it. Uses ddmin (Zeller and Hildebrandt, "Simplifying
// and Isolating Failure-Inducing Input", 2002).
std::vector<size_t> smallestSet(
    size_t count, int searches,
    const std::function<bool(const std::vector<size_t>&)>& bringsItBack);

}  // namespace dmlcts
