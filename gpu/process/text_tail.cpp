#include "gpu/process/text_tail.h"

#include "gpu/wire/utf8.h"

namespace dmlcts::gpu {

void TextTail::append(std::string_view text) {
  if (text.size() > capacity_) {
    dropped_ += text_.size() + text.size() - capacity_;
    text_.clear();
    text = text.substr(text.size() - capacity_);
  }
  if (text_.size() + text.size() > 2 * capacity_) {
    const size_t surplus = text_.size() + text.size() - capacity_;
    dropped_ += surplus;
    text_.erase(0, surplus);
  }
  text_.append(text);
}

std::string TextTail::take() {
  if (text_.size() > capacity_) {
    dropped_ += text_.size() - capacity_;
    text_.erase(0, text_.size() - capacity_);
  }
  std::string result;
  if (dropped_ > 0) result = "[" + std::to_string(dropped_) + " earlier bytes dropped]\n";
  result += plainText(text_);
  text_.clear();
  dropped_ = 0;
  return result;
}

}  // namespace dmlcts::gpu
