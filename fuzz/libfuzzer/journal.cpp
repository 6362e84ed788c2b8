// Journals: any text is a journal or a runtime_error that names the line. A journal that was read
// can be written and read again.

#include "reports/journal/journal.h"

#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  dmlcts::Journal journal;
  try {
    journal = dmlcts::parseJournal(in, "journal");
  } catch (const std::runtime_error&) {
    return 0;
  }
  std::string text;
  for (const auto& header : journal.headers) text += dmlcts::toJsonLine(header) + "\n";
  for (const auto& entry : journal.entries) text += dmlcts::toJsonLine(entry) + "\n";
  for (const auto& workerFailure : journal.workerFailures)
    text += dmlcts::toJsonLine(workerFailure) + "\n";
  for (const auto& workerFailure : journal.workerFailures)
    text += dmlcts::toJsonLine(workerFailure) + "\n";
  if (text.empty()) return 0;
  std::istringstream again(text);
  if (dmlcts::parseJournal(again, "again").entries.size() != journal.entries.size()) std::abort();
  return 0;
}
