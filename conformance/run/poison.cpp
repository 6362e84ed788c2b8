#include "conformance/run/poison.h"

#include <algorithm>
#include <cstring>

#include "conformance/cases/hash.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

// Fills with pseudo-random bytes (SplitMix64).
void fillPattern(std::vector<uint8_t>& bytes, size_t begin, size_t end, uint64_t seed) {
  uint64_t state = seed;
  while (begin < end) {
    const uint64_t word = mix64(state += 0x9E3779B97F4A7C15u);
    const size_t count = std::min<size_t>(8, end - begin);
    std::memcpy(bytes.data() + begin, &word, count);
    begin += count;
  }
}

gpu::BufferImage guarded(uint64_t size, uint64_t offset, uint64_t seed) {
  gpu::BufferImage image;
  image.offset = offset;
  image.size = size;
  image.bytes.resize(offset + size + kGuardBytes);
  fillPattern(image.bytes, 0, offset, seed);
  fillPattern(image.bytes, offset + size, image.bytes.size(), seed ^ 0xA5A5A5A5A5A5A5A5u);
  return image;
}

}  // namespace

uint64_t bindingOffset(const Case& testCase, size_t slot) {
  if (testCase.offsets[slot]) return *testCase.offsets[slot];
  const Descriptor& descriptor = testCase.descriptor;
  uint64_t state = mix64(testCase.seed + 1);
  for (const TensorSlot& each : tensors(descriptor)) {
    state = mix64(state + each.desc->totalBytes);
    for (uint32_t size : each.desc->sizes) state = mix64(state + size);
  }
  constexpr uint64_t kStep = kMinimumBufferTensorAlignment;
  constexpr uint64_t kChoices = 16;
  // An odd multiple of what is guaranteed, so that it just meets it.
  if (const uint64_t guaranteed = tensors(descriptor)[slot].desc->baseOffsetAlignment;
      guaranteed >= kStep) {
    return guaranteed * (1 + 2 * (mix64(state + slot) % (guaranteed > 256 ? 1 : 4)));
  }
  return kStep * (1 + mix64(state + slot) % kChoices);
}

gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t offset, uint64_t seed) {
  gpu::BufferImage image = guarded(bytes.size(), offset, seed);
  std::ranges::copy(bytes, image.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return image;
}

gpu::BufferImage poisonedOutput(DataType type, const ReferenceOutput& expected, uint64_t offset,
                                uint64_t seed) {
  gpu::BufferImage image = guarded(expected.bytes.size(), offset, seed);
  fillPattern(image.bytes, offset, offset + image.size, seed ^ 0x5A5A5A5A5A5A5A5Au);
  uint8_t* const bytes = image.bytes.data() + offset;
  for (size_t i = 0; i < expected.bytes.size(); ++i) {
    if (expected.status[i] != ByteStatus::Defined) continue;
    constexpr uint8_t kInsteadOfZero = 0x5D;
    const uint8_t mask = bytes[i] == 0 ? kInsteadOfZero : bytes[i];
    bytes[i] = static_cast<uint8_t>(expected.bytes[i] ^ mask);
  }
  if (!info(type).isFloat) return image;
  const uint32_t width = info(type).bytes;
  const FloatFormat format = floatFormat(type);
  for (uint64_t at = 0; at + width <= expected.bytes.size(); at += width) {
    if (expected.status[at] != ByteStatus::Defined) continue;
    if (!format.isNan(loadBits(image.bytes, offset + at, width))) continue;
    // Either of these bits makes it a number; with one of them the byte is not the expected one.
    uint8_t& top = bytes[at + width - 1];
    const auto number = static_cast<uint8_t>(top ^ 0x40);
    top = number != expected.bytes[at + width - 1] ? number : static_cast<uint8_t>(top ^ 0x20);
  }
  return image;
}

}  // namespace dmlcts
