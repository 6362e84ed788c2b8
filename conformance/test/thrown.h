#pragma once

#include <string>

namespace dmlcts {

// Returns the text of the Error that `call` throws; `otherwise` if it throws none.
template <class Error, class Call>
std::string thrown(const Call& call, const std::string& otherwise = "") {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return otherwise;
}

}  // namespace dmlcts
