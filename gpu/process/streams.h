#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

// Where a worker's frames come from and go to.

namespace dmlcts::gpu {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Waits for bytes and puts at least one, at most into.size(), there. 0 means the end. Throws
  // std::runtime_error when the stream is broken.
  virtual size_t read(std::span<uint8_t> into) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Hands over all bytes, buffers nothing. False when nobody reads any more.
  virtual bool write(std::span<const uint8_t> bytes) = 0;
};

struct StandardStreams {
  std::unique_ptr<ByteSource> in;
  std::unique_ptr<ByteSink> out;
};

// Takes stdin and stdout of this process for frames, in binary. From then on what anything in the
// process prints to stdout goes to stderr, and its stdin is empty: drivers print. Throws
// std::runtime_error when the process has no such streams.
StandardStreams takeStandardStreams();

}  // namespace dmlcts::gpu
