// Example database files: any text is an example or a runtime_error that names the file.

#include <cstdlib>
#include <stdexcept>

#include "fuzz/database.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    dmlcts::parseExample(text, "file");
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("file:")) std::abort();
  }
  return 0;
}
