#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dmlcts {

// Suggests the intended name for a mistyped one, as the end of an error message: "; did you mean
// \"level\"?". Picks the name with the fewest edits (insertion, deletion, replacement, swap of
// neighbours), ignoring case. Returns "" if it takes more than one edit per three characters.
std::string didYouMean(std::string_view text, std::span<const std::string_view> names);

}  // namespace dmlcts
