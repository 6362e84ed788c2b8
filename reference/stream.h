#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "reference/evaluate.h"

// evaluate() for tensors that no memory holds: inputs are functions of an element's index, outputs
// are asked for in parts.

namespace dmlcts {

// Gives the bits of an input's elements from index `first` (row-major) on. Called from several
// threads.
using InputElements = std::function<void(uint64_t first, std::span<uint64_t> bits)>;

// Calls work(0) to work(count - 1), in any order, maybe side by side.
using ForEach = std::function<void(uint64_t count, const std::function<void(uint64_t)>& work)>;
void oneByOne(uint64_t count, const std::function<void(uint64_t)>& work);

class OutputStream {
 public:
  virtual ~OutputStream() = default;

  // What evaluate() would return for bytes [first, first + count) of output number `output`. Both
  // are multiples of 8, but for a `count` that ends with the tensor. May be called from several
  // threads.
  virtual ReferenceOutput part(size_t output, uint64_t first, uint64_t count) const = 0;
};

// Of a descriptor that evaluate() takes, and that outlives the stream, as must what the inputs (in
// slot order) call. Throws std::invalid_argument as evaluate() does. An operator whose entry has no
// stream is evaluated as a whole at once: for small tensors only.
std::unique_ptr<OutputStream> stream(const Descriptor& descriptor,
                                     std::vector<InputElements> inputs,
                                     const ForEach& forEach = oneByOne);

// Whether the operator has a stream of its own.
bool streams(const Descriptor& descriptor);

}  // namespace dmlcts
