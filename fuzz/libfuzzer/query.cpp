// Queries: any text is a query or a SyntaxError, and matching terminates.

#include "conformance/cases/query.h"

#include "conformance/cases/case_string.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const dmlcts::Case kCase = dmlcts::parseCase(
      "gather_nd level=3.0 input=f32:3x4x5 indices=i64:1x2x3 output=1x1x2 index=negative seed=1");
  try {
    dmlcts::Query(std::string_view(reinterpret_cast<const char*>(data), size)).matches(kCase);
  } catch (const dmlcts::SyntaxError&) {
  }
  return 0;
}
