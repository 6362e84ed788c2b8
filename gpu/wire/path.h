#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The place of an item in a message, to report faults.

namespace dmlcts::gpu {

// Content that violates the protocol. what() names the place and the fault:
// "run.requests[3].inputs[0].offset: 8 is not a multiple of 16".
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Path {
 public:
  // Names must outlive their use in the path.
  explicit Path(std::string_view root) : root_(root) {}

  void rename(std::string_view root) { root_ = root; }
  void enter(std::string_view member) { steps_.push_back({member, 0}); }
  void enter(size_t index) { steps_.push_back({{}, index}); }
  void leave() { steps_.pop_back(); }

  // Throw a ProtocolError about this place or its member.
  [[noreturn]] void fail(const std::string& fault) const;
  [[noreturn]] void fail(std::string_view member, const std::string& fault) const;

 private:
  struct Step {
    std::string_view member;  // empty: an index
    size_t index;
  };

  std::string text() const;

  std::string_view root_;
  std::vector<Step> steps_;
};

// Text from outside (drivers, other processes) may have any encoding; reports are UTF-8.

// True if it is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool isCleanText(std::string_view text);

// Returns `text` with '?' for each byte outside valid UTF-8, cut to `maxBytes` at a character
// boundary.
std::string cleanText(std::string_view text, size_t maxBytes);

}  // namespace dmlcts::gpu
