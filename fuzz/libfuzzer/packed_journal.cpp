// Packed journals: any text is one or a runtime_error that names the line; what was unpacked can be
// packed and unpacked again, to the same. Any text packs, or says where it cannot.

#include "reports/journal/packed_journal.h"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace {

std::string pack(const std::string& text) {
  std::istringstream in(text);
  return dmlcts::packJournal(in, "journal");
}

std::string unpack(const std::string& text) {
  std::istringstream in(text);
  return dmlcts::unpackJournal(in, "journal").lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string lines;
  try {
    lines = unpack(text);
  } catch (const std::runtime_error&) {
  }
  std::string packed;
  try {
    packed = pack(lines.empty() ? text : lines);
  } catch (const std::runtime_error&) {
    return 0;
  }
  lines = unpack(packed);
  if (unpack(pack(lines)) != lines) std::abort();
  return 0;
}
