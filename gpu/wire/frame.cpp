#include "gpu/wire/frame.h"

#include <algorithm>
#include <new>
#include <string>

#include "gpu/wire/path.h"

namespace dmlcts::gpu {
namespace {

constexpr size_t kFirstPiece = 64 * 1024;
constexpr size_t kGrowth = 16;  // rarely, because that copies; only what arrives takes pages
constexpr size_t kKeptMemory = 1024 * 1024;  // larger buffers are freed after their frame

// Returns what a length that is too large may have been meant as: "" or "; …".
std::string hintOf(const std::array<uint8_t, kFrameHeaderBytes>& header, uint64_t most) {
  const auto read = [&](size_t bytes, bool bigEndian) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; ++i) {
      number |= uint64_t{header[i]} << 8 * (bigEndian ? bytes - 1 - i : i);
    }
    return number;
  };
  const auto isPossible = [&](uint64_t number) { return number > 0 && number <= most; };
  if (isPossible(read(8, true))) return "; the length must be little endian";
  const bool messageFollows = header[4] >= 0x80 && header[4] <= 0xbf;  // CBOR's arrays and maps
  if (messageFollows && (isPossible(read(4, false)) || isPossible(read(4, true)))) {
    return "; the length must have eight bytes, little endian, not four";
  }
  return "";
}

}  // namespace

void beginFrame(std::vector<uint8_t>& frame) { frame.resize(kFrameHeaderBytes); }

void endFrame(std::vector<uint8_t>& frame) {
  const uint64_t length = frame.size() - kFrameHeaderBytes;
  if (length > kMaxFrameBytes) {
    throw ProtocolError("frame: " + std::to_string(length) + " bytes, more than " +
                        std::to_string(kMaxFrameBytes) + "; send less in one message");
  }
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) frame[i] = static_cast<uint8_t>(length >> 8 * i);
}

std::span<uint8_t> FrameReader::space() {
  if (headerFilled_ < kFrameHeaderBytes) {
    return std::span(header_).subspan(headerFilled_);
  }
  const auto wanted = std::min<uint64_t>(length_, std::max(kFirstPiece, kGrowth * filled_));
  if (filled_ == std::min<uint64_t>(capacity_, length_) && filled_ < length_) {
    auto* const grown = static_cast<uint8_t*>(std::realloc(payload_.get(), wanted));
    if (!grown) throw std::bad_alloc();
    static_cast<void>(payload_.release());
    payload_.reset(grown);
    capacity_ = wanted;
  }
  return {payload_.get() + filled_,
          static_cast<size_t>(std::min<uint64_t>(capacity_, length_) - filled_)};
}

void FrameReader::commit(size_t count) {
  if (headerFilled_ == kFrameHeaderBytes) {
    filled_ += count;
    return;
  }
  headerFilled_ += count;
  if (headerFilled_ < kFrameHeaderBytes) return;
  length_ = 0;
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) length_ |= uint64_t{header_[i]} << 8 * i;
  if (length_ > maxPayload_) {
    throw ProtocolError("frame: " + std::to_string(length_) + " bytes, more than the " +
                        std::to_string(maxPayload_) + " that can be meant here" +
                        hintOf(header_, maxPayload_));
  }
}

void FrameReader::next() {
  headerFilled_ = 0;
  length_ = 0;
  filled_ = 0;
  if (capacity_ <= kKeptMemory) return;
  payload_.reset();
  capacity_ = 0;
}

}  // namespace dmlcts::gpu
