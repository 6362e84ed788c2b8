// Any text that parses as a case prints to a string that parses to the same case.

#include "conformance/cases/case_string.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  dmlcts::Case testCase;
  try {
    testCase = dmlcts::parseCase(text);
  } catch (const dmlcts::SyntaxError&) {
    return 0;
  }
  if (dmlcts::parseCase(dmlcts::caseString(testCase)) != testCase) std::abort();
  return 0;
}
