#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// The documented status of one byte of an output's TotalTensorSizeInBytes.
enum class ByteStatus : uint8_t {
  Untouched = 0,  // in no element: a gap or the tail (rule tensor.untouched)
  Defined = 1,    // must hold the expected byte
  Undefined = 2,  // in an element whose value the documentation leaves open: not compared
};

// The status of every byte of an output tensor. Stored per element, because elements are aligned to
// their width and their bytes share a status.
class ByteStatuses {
 public:
  ByteStatuses() = default;

  // Starts with all bytes Untouched. `width` is the bytes per element: 1, 2, 4 or 8.
  ByteStatuses(uint64_t bytes, uint32_t width)
      : bytes_(bytes),
        shift_(static_cast<uint32_t>(std::countr_zero(width))),
        elements_((bytes + width - 1) / width, ByteStatus::Untouched) {}

  uint64_t size() const { return bytes_; }
  ByteStatus operator[](uint64_t byte) const { return elements_[byte >> shift_]; }

  // One per element-sized piece of memory, in address order.
  std::span<ByteStatus> elements() { return elements_; }
  std::span<const ByteStatus> elements() const { return elements_; }

  // Calls `visit(status, first, count)` for runs of bytes with equal status, in ascending order.
  template <class Visit>
  void forEachRun(const Visit& visit) const {
    for (uint64_t i = 0; i < elements_.size();) {
      uint64_t end = i + 1;
      while (end < elements_.size() && elements_[end] == elements_[i]) ++end;
      const uint64_t first = i << shift_;
      visit(elements_[i], first, std::min(end << shift_, bytes_) - first);
      i = end;
    }
  }

  bool operator==(const ByteStatuses&) const = default;

 private:
  uint64_t bytes_ = 0;
  uint32_t shift_ = 0;
  std::vector<ByteStatus> elements_;
};

struct ReferenceOutput {
  std::vector<uint8_t> bytes;  // totalBytes long; meaningful where status is Defined, else 0
  ByteStatuses status;         // totalBytes long
};

// Throws std::invalid_argument, naming the rule, if check() at the newest level finds one broken.
// Guards the operators, which index without bounds checks.
void requireValid(const Descriptor& descriptor);

// Returns the outputs in slot order. `inputs` holds the bytes of each input in slot order, at least
// TotalTensorSizeInBytes long. The result does not depend on the level: a descriptor valid at any
// level is valid at the newest.
//
// Throws std::invalid_argument if check() finds a broken rule (named) or the number or length of
// the inputs is wrong. Allocates a few times the outputs' totalBytes; callers set the limit.
std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs);

}  // namespace dmlcts
