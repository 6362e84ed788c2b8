#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// What an operator document says about one byte of an output tensor's TotalTensorSizeInBytes.
enum class ByteStatus : uint8_t {
  Untouched = 0,  // no element's: gap between strided elements, or tail (rule tensor.untouched)
  Defined = 1,    // must hold the expected byte
  Undefined = 2,  // an element whose value the document leaves open: never compared
};

// The status of every byte of an output tensor. Kept once per element, whose bytes share it: an
// element lies at a multiple of its width.
class ByteStatuses {
 public:
  ByteStatuses() = default;

  // All untouched. `width` is the bytes of an element: 1, 2, 4 or 8.
  ByteStatuses(uint64_t bytes, uint32_t width)
      : bytes_(bytes),
        shift_(static_cast<uint32_t>(std::countr_zero(width))),
        elements_((bytes + width - 1) / width, ByteStatus::Untouched) {}

  uint64_t size() const { return bytes_; }
  ByteStatus operator[](uint64_t byte) const { return elements_[byte >> shift_]; }

  // One per element-sized piece of the tensor's memory, in the order of addresses.
  std::span<ByteStatus> elements() { return elements_; }
  std::span<const ByteStatus> elements() const { return elements_; }

  // Calls `visit(status, first, count)` for all bytes in ascending order, with as many at once as
  // have the same status.
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

// Throws std::invalid_argument, naming the rule, when check() at the newest level finds one broken:
// the operators index without looking, and would write outside the output.
void requireValid(const Descriptor& descriptor);

// The outputs, in slot order, of a descriptor that check() finds valid at the newest level (what is
// valid at another is valid there, too), given the bytes of its inputs in slot order (each at least
// TotalTensorSizeInBytes long). The result does not depend on the level. Throws
// std::invalid_argument, naming the rule, when check() finds one broken, and when the number or
// length of the inputs is wrong. Allocates a few times the outputs' totalBytes: what is too much is
// for the caller to say.
std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs);

}  // namespace dmlcts
