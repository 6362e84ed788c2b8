#pragma once

#include <stdexcept>

namespace dmlcts {

// A file from the user cannot be read or is malformed; the command exits with status 2. The text
// names the file and, if there is one, the line.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dmlcts
