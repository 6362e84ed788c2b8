#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "gpu/wire/utf8.h"

namespace dmlcts {

// Limits worker stderr in a journal: the last 16 KiB per line, 8 MiB per run. A target that fails
// and prints a lot must not fill the disk.
class StderrBudget {
 public:
  // Returns the end of `text`, cut to fit.
  std::string keep(std::string text) {
    const size_t most = std::min<size_t>(kMostOfALine, left_);
    if (text.size() > most) {
      size_t cut = text.size() - most;
      while (cut < text.size() && continuesCodePoint(text[cut])) ++cut;
      text = std::to_string(cut) + " bytes not kept …" + text.substr(cut);
    }
    left_ -= std::min(left_, text.size());
    return text;
  }

 private:
  static constexpr size_t kMostOfALine = 16 * 1024;
  size_t left_ = 8 * 1024 * 1024;
};

}  // namespace dmlcts
