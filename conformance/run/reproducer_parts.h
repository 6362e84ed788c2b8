#pragma once

#include <string>

#include "reference/descriptor.h"
#include "reference/level.h"

// Parts shared by the programs of reproducer.h and program_reproducer.h.

namespace dmlcts {

// Wraps `text` at 100 characters, starting each line with `prefix`.
std::string wrapped(const std::string& text, const std::string& prefix);

// Defines kOperator and everything it points to, including k<TENSOR>Buffer. Throws
// std::invalid_argument if DirectML's structures cannot express it.
std::string descriptorText(const Descriptor& descriptor);

// Returns "DML_FEATURE_LEVEL_4_0" and the like.
std::string levelConstant(Level level);

// A comment: what the program does, what its exit status means and how it is compiled.
std::string useText(const std::string& what, std::string_view shows = "fault");

}  // namespace dmlcts
