#include "conformance/poison.h"

#include <algorithm>
#include <cstring>

namespace dmlcts {
namespace {

// Fills with bytes that look like nothing in particular (SplitMix64, Steele et al. 2014).
void fillPattern(std::vector<uint8_t>& bytes, size_t begin, size_t end, uint64_t seed) {
  uint64_t state = seed;
  while (begin < end) {
    uint64_t word = (state += 0x9E3779B97F4A7C15u);
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    word ^= word >> 31;
    const size_t count = std::min<size_t>(8, end - begin);
    std::memcpy(bytes.data() + begin, &word, count);
    begin += count;
  }
}

gpu::BufferImage guarded(uint64_t size, uint64_t seed) {
  gpu::BufferImage image;
  image.offset = kGuardBytes;
  image.size = size;
  image.bytes.resize(kGuardBytes + size + kGuardBytes);
  fillPattern(image.bytes, 0, kGuardBytes, seed);
  fillPattern(image.bytes, kGuardBytes + size, image.bytes.size(), seed ^ 0xA5A5A5A5A5A5A5A5u);
  return image;
}

}  // namespace

gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t seed) {
  gpu::BufferImage image = guarded(bytes.size(), seed);
  std::ranges::copy(bytes, image.bytes.begin() + kGuardBytes);
  return image;
}

gpu::BufferImage poisonedOutput(const ExpectedOutput& expected, uint64_t seed) {
  gpu::BufferImage image = guarded(expected.bytes.size(), seed);
  fillPattern(image.bytes, kGuardBytes, kGuardBytes + image.size, seed ^ 0x5A5A5A5A5A5A5A5Au);
  for (size_t i = 0; i < expected.bytes.size(); ++i) {
    if (expected.status[i] == ByteStatus::Defined) {
      image.bytes[kGuardBytes + i] = static_cast<uint8_t>(~expected.bytes[i]);
    }
  }
  return image;
}

}  // namespace dmlcts
