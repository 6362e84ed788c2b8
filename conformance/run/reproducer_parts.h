#pragma once

#include <string>

#include "reference/descriptor.h"
#include "reference/level.h"

// What the programs of reproducer.h and program_reproducer.h are written with.

namespace dmlcts {

// `text` in lines of at most 100 characters, each beginning with `prefix`.
std::string wrapped(const std::string& text, const std::string& prefix);

// Definitions of kOperator and of what it points at, k<TENSOR>Buffer among it. Throws
// std::invalid_argument for what DirectML's structures cannot express.
std::string descriptorText(const Descriptor& descriptor);

// DML_FEATURE_LEVEL_4_0
std::string levelConstant(Level level);

// A comment: what the program does, what its exit status means and how it is compiled.
std::string useText(const std::string& what);

}  // namespace dmlcts
