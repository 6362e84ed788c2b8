#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// One request whose buffers exceed a message or the host's memory: they are filled and read in
// pieces.

namespace dmlcts::gpu {

// A BufferImage without its bytes.
struct BufferExtent {
  uint64_t bytes = 0;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  bool operator==(const BufferExtent&) const = default;
};

// A Request without bytes, always executed in the ordinary mode.
struct LargeRequest {
  uint64_t id = 0;
  Level level = Level::L6_4;
  Descriptor descriptor;
  std::vector<BufferExtent> inputs;  // in slot order
  std::vector<BufferExtent> outputs;
};

// The result of a step; members have the same meaning as in Answer.
struct Step {
  Status status = Status::Failed;
  int32_t hresult = 0;
  std::string message;
};

// Buffers are numbered as in tensors(): inputs, then outputs. An exception means that the target is
// unusable, as in Target.
class InPieces {
 public:
  virtual ~InPieces() = default;

  // Creates a request's buffers, with arbitrary content, and frees those of the previous one.
  // Returns Created, or else as Target::run would answer. NotSupported, with the number of bytes,
  // if the device lacks memory.
  virtual Step open(const LargeRequest& request) = 0;

  // Writes or reads bytes [at, at + bytes.size()), within a buffer of the open request. Returns
  // Created.
  virtual Step put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) = 0;
  virtual Step get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) = 0;

  // Executes the open request once. Returns Executed, or else as Target::run would answer.
  virtual Step execute() = 0;

  // Frees the buffers.
  virtual void close() = 0;
};

// Implements pieces for any target; keeps the buffers in the worker's memory.
class HeldInPieces : public InPieces {
 public:
  explicit HeldInPieces(Target& target) : target_(target) {}

  Step open(const LargeRequest& request) override;
  Step put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) override;
  Step get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) override;
  Step execute() override;
  void close() override;

 private:
  std::vector<uint8_t>& bytesOf(size_t buffer);

  Target& target_;
  Request request_;
};

}  // namespace dmlcts::gpu
