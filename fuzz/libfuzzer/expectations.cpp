// Expectation files: any text is one or a runtime_error.

#include "conformance/run/expectations.h"

#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    dmlcts::Expectations::parse(text, "expectations", {}, "2026-01-31");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
