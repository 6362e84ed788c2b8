// Packed journals: any text is one or a runtime_error that names the line; what was unpacked can be
// packed and unpacked again, to the same. Any text packs, or says where it cannot.

#include "reports/packed_journal.h"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace {

using Convert = std::string (*)(std::istream&, const std::string&);

std::string converted(Convert convert, const std::string& text) {
  std::istringstream in(text);
  return convert(in, "journal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string lines;
  try {
    lines = converted(dmlcts::unpackJournal, text);
  } catch (const std::runtime_error&) {
  }
  std::string packed;
  try {
    packed = converted(dmlcts::packJournal, lines.empty() ? text : lines);
  } catch (const std::runtime_error&) {
    return 0;
  }
  lines = converted(dmlcts::unpackJournal, packed);
  if (converted(dmlcts::unpackJournal, converted(dmlcts::packJournal, lines)) != lines)
    std::abort();
  return 0;
}
