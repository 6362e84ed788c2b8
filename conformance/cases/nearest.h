#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dmlcts {

// What a mistyped name was probably meant to be, as the end of an error's text: "; did you mean
// \"level\"?" with the name that takes the fewest edits (a character put in, left out or replaced,
// or two neighbours swapped; upper and lower case are the same). "" where it takes more than one
// for every three characters.
std::string didYouMean(std::string_view text, std::span<const std::string_view> names);

}  // namespace dmlcts
