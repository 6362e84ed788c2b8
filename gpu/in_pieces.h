#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// One request whose buffers are too large for a message, or for a host's memory: they are filled
// and read in pieces.

namespace dmlcts::gpu {

// A BufferImage without its bytes.
struct BufferExtent {
  uint64_t bytes = 0;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  bool operator==(const BufferExtent&) const = default;
};

// A Request without them; to be executed in the ordinary mode.
struct LargeRequest {
  uint64_t id = 0;
  Level level = Level::L6_4;
  Descriptor descriptor;
  std::vector<BufferExtent> inputs;  // in slot order
  std::vector<BufferExtent> outputs;
};

// How a step ended, with the meaning that an Answer's members of these names have.
struct Step {
  Status status = Status::Failed;
  int32_t hresult = 0;
  std::string message;
};

// Buffers are numbered as tensors() lists them: inputs, then outputs. What a step throws says that
// the target is beyond use, as in Target.
class InPieces {
 public:
  virtual ~InPieces() = default;

  // Makes the buffers of a request, whatever lies in them, and forgets those of the one before.
  // Created: they are there. Anything else as Target::run would answer; NotSupported, with the
  // number of bytes, where the device has no room for them.
  virtual Step open(const LargeRequest& request) = 0;

  // Writes, or reads, bytes [at, at + bytes.size()) of a buffer of the open request, all inside
  // it. Created.
  virtual Step put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) = 0;
  virtual Step get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) = 0;

  // Executes the open request once. Executed, or as Target::run would answer.
  virtual Step execute() = 0;

  // Gives the buffers' memory back.
  virtual void close() = 0;
};

// Any target's requests, its buffers held in the worker's memory.
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
