#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "reference/evaluate.h"

// evaluate() for tensors larger than memory: inputs are functions of the element index, outputs
// come in parts.

namespace dmlcts {

// Fills `bits` with an input's elements from row-major index `first` on. Called from several
// threads.
using InputElements = std::function<void(uint64_t first, std::span<uint64_t> bits)>;

// Calls work(0) to work(count - 1) in any order, possibly in parallel.
using ForEach = std::function<void(uint64_t count, const std::function<void(uint64_t)>& work)>;
void oneByOne(uint64_t count, const std::function<void(uint64_t)>& work);

class OutputStream {
 public:
  virtual ~OutputStream() = default;

  // Returns evaluate()'s result for bytes [first, first + count) of output number `output`. Both
  // must be multiples of 8, except a `count` that reaches the tensor's end. Thread-safe.
  virtual ReferenceOutput part(size_t output, uint64_t first, uint64_t count) const = 0;
};

// Returns a stream for a descriptor that evaluate() accepts. The descriptor, and anything that the
// inputs (in slot order) refer to, must outlive it. Throws std::invalid_argument as evaluate()
// does. Operators without a stream of their own are evaluated as a whole: small tensors only.
std::unique_ptr<OutputStream> stream(const Descriptor& descriptor,
                                     std::vector<InputElements> inputs,
                                     const ForEach& forEach = oneByOne);

// True if the operator has a stream of its own.
bool streams(const Descriptor& descriptor);

}  // namespace dmlcts
