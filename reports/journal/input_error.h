#pragma once

#include <stdexcept>

namespace dmlcts {

// A file that the user gave cannot be read or is not what it should be: which the user must mend,
// so the command exits with status 2. The text names the file, and the line where there is one.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dmlcts
