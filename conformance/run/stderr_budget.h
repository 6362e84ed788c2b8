#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "gpu/wire/utf8.h"

namespace dmlcts {

// Limits the worker stderr kept in a journal to the last 16 KiB per line and 8 MiB per run, so that
// a failing, verbose target does not fill the disk.
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
