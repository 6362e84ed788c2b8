#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/language/case.h"
#include "reference/stream.h"

// Streams the inputs of inputs.h: bytes are computed on demand, for tensors too large for the
// harness's memory.

namespace dmlcts {

// Cases whose tensors together exceed this are never held in memory.
inline constexpr uint64_t kMostHeldBytes = uint64_t{256} << 20;

// Returns the size of all tensors together, in bytes.
uint64_t tensorBytes(const Case& testCase);

// Returns why an executable case cannot be executed in parts, or nothing. Cases of at most
// kMostHeldBytes always can.
std::optional<std::string> streamProblem(const Case& testCase);

// One input tensor of a case. Reads are safe from several threads.
class StreamedInput {
 public:
  virtual ~StreamedInput() = default;

  // Reads the bits of elements from index `first` (row-major), as an operator would. If elements
  // share an address, the one written last wins.
  virtual void elements(uint64_t first, std::span<uint64_t> bits) const = 0;

  // Reads the tensor's memory from `first`, a multiple of 8. Equals the bytes of makeInputs().
  virtual void bytes(uint64_t first, std::span<uint8_t> bytes) const = 0;
};

// Returns the case's inputs in slot order. The case must outlive them. Throws std::invalid_argument
// with inputProblem()'s or streamProblem()'s text if there is one.
std::vector<std::unique_ptr<StreamedInput>> streamInputs(const Case& testCase);

}  // namespace dmlcts
