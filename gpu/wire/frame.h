#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

// A frame: the payload's length in bytes (u64, little endian), then the payload, one message.

namespace dmlcts::gpu {

inline constexpr size_t kFrameHeaderBytes = 8;
inline constexpr uint64_t kMaxFrameBytes = uint64_t{1} << 36;  // of a payload

// Starts a frame in an empty buffer; append the payload to it.
void beginFrame(std::vector<uint8_t>& frame);

// Writes the length. Throws ProtocolError if the payload exceeds kMaxFrameBytes.
void endFrame(std::vector<uint8_t>& frame);

// Assembles one frame from the pieces that arrive. Memory grows with the received bytes, not with
// the claimed length. Refuses a claim above the limit at once.
//
//   while (!reader.complete()) reader.commit(read(fd, reader.space()));
//   use(reader.payload()); reader.next();
class FrameReader {
 public:
  // Refuses payloads longer than `maxPayload` bytes from now on.
  void limit(uint64_t maxPayload) { maxPayload_ = maxPayload; }

  // Returns space for the next bytes, which never reaches past the frame. Empty once it is
  // complete.
  std::span<uint8_t> space();

  // Records `count` bytes put into space(). Throws ProtocolError if the length exceeds the limit.
  void commit(size_t count);

  bool complete() const { return headerFilled_ == kFrameHeaderBytes && filled_ == length_; }
  bool started() const { return headerFilled_ > 0; }

  // Returns the bytes of the length that have arrived; the length itself once it is complete.
  std::span<const uint8_t> header() const { return {header_.data(), headerFilled_}; }

  std::span<const uint8_t> payload() const { return {payload_.get(), filled_}; }

  // Discards the frame and begins another.
  void next();

  size_t memory() const { return capacity_; }  // in bytes

 private:
  uint64_t maxPayload_ = kMaxFrameBytes;
  std::array<uint8_t, kFrameHeaderBytes> header_{};
  size_t headerFilled_ = 0;
  uint64_t length_ = 0;
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t, Free> payload_;  // never filled with zeros, as a vector would be
  size_t capacity_ = 0;
  size_t filled_ = 0;
};

}  // namespace dmlcts::gpu
