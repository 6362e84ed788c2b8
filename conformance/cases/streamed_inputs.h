#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/cases/case.h"
#include "reference/stream.h"

// The inputs of inputs.h, made where they are needed and never held: for tensors that no memory of
// the harness has room for.

namespace dmlcts {

// Tensors with more bytes than this, all of a case's together, are never held.
inline constexpr uint64_t kMostHeldBytes = uint64_t{256} << 20;

// All tensors together.
uint64_t tensorBytes(const Case& testCase);

// Why a case that can be executed cannot be in parts, or nothing. Cases of at most kMostHeldBytes
// always can.
std::optional<std::string> streamProblem(const Case& testCase);

// One input tensor of a case. Reads are safe from several threads.
class StreamedInput {
 public:
  virtual ~StreamedInput() = default;

  // The bits of elements from index `first` (row-major) on, as an operator reads them: where
  // elements share an address, those of the one that was written last.
  virtual void elements(uint64_t first, std::span<uint64_t> bits) const = 0;

  // Bytes of the tensor's memory from `first`, a multiple of 8, on: what makeInputs() has there.
  virtual void bytes(uint64_t first, std::span<uint8_t> bytes) const = 0;
};

// In slot order. The case outlives them. Throws std::invalid_argument with inputProblem()'s or
// streamProblem()'s text when there is one.
std::vector<std::unique_ptr<StreamedInput>> streamInputs(const Case& testCase);

}  // namespace dmlcts
