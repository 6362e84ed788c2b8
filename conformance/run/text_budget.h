#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "gpu/wire/utf8.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Limits the text of workers in a journal: a target that says much must fill neither the disk nor
// memory. A text keeps its first KiB; what it has beyond, up to 16 KiB, and all stderr take from
// the 8 MiB of a run.
class TextBudget {
 public:
  void fit(JournalEntry& entry) {
    keepBegin(entry.message);
    for (std::string& attempt : entry.attempts) keepBegin(attempt);
    keepEnd(entry.workerStderr);
  }
  void fit(JournalWorkerFailure& workerFailure) {
    keepBegin(workerFailure.message);
    keepEnd(workerFailure.workerStderr);
  }

 private:
  static constexpr size_t kAlwaysKept = 1024;
  static constexpr size_t kMostOfAText = 16 * 1024;

  void keepBegin(std::string& text) {
    if (text.size() <= kAlwaysKept) return;
    size_t end = kAlwaysKept + std::min(text.size() - kAlwaysKept, most());
    if (end < text.size()) {
      while (end > 0 && continuesCodePoint(text[end])) --end;
      text = text.substr(0, end) + "… " + std::to_string(text.size() - end) + " bytes not kept";
    }
    left_ -= std::min(left_, end - std::min(end, kAlwaysKept));
  }

  void keepEnd(std::string& text) {
    if (text.size() > most()) {
      size_t cut = text.size() - most();
      while (cut < text.size() && continuesCodePoint(text[cut])) ++cut;
      text = std::to_string(cut) + " bytes not kept …" + text.substr(cut);
    }
    left_ -= std::min(left_, text.size());
  }

  size_t most() const { return std::min(kMostOfAText, left_); }

  size_t left_ = 8 * 1024 * 1024;
};

}  // namespace dmlcts
