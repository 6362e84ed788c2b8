#pragma once

#include <string>

namespace dmlcts {

// Explains queries: grammar, keys, values and examples, from the tables of the parser. Lines that
// begin with a space are to be printed as they are.
std::string queryHelp();

}  // namespace dmlcts
