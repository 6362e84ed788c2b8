#include "gpu/wire/path.h"

#include "gpu/wire/clean_text.h"

namespace dmlcts::gpu {
namespace {

constexpr size_t kMaxNameBytes = 64;  // a name may come from hostile bytes

}  // namespace

std::string Path::text() const {
  std::string text(root_);
  for (const Step& step : steps_) {
    if (step.member.empty()) {
      text += '[' + std::to_string(step.index) + ']';
    } else {
      text += '.' + cleanText(step.member, kMaxNameBytes);
    }
  }
  return text;
}

void Path::fail(const std::string& fault) const { throw ProtocolError(text() + ": " + fault); }

void Path::fail(std::string_view member, const std::string& fault) const {
  throw ProtocolError(text() + '.' + cleanText(member, kMaxNameBytes) + ": " + fault);
}

}  // namespace dmlcts::gpu
