#include "reports/journal/judgement.h"

#include <fmt/format.h>

namespace dmlcts {

std::string Difference::text() const {
  if (tensor.empty()) return note;
  if (element.empty())
    return fmt::format("{} {}: held 0x{}, now 0x{}", tensor, note, expected, actual);
  return fmt::format("{}[{}] at byte {}: expected 0x{}, actual 0x{}{}", tensor,
                     fmt::join(element, ","), byte, expected, actual,
                     note.empty() ? "" : " (" + note + ")");
}

}  // namespace dmlcts
