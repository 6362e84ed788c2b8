#include "conformance/run/judging/poison.h"

#include <cstring>

#include "conformance/language/hash.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

// Fills `out` with bytes from `first` on of an endless pseudo-random pattern (SplitMix64).
void fillPattern(std::span<uint8_t> out, uint64_t first, uint64_t seed) {
  const auto wordAt = [&](size_t done) {
    return mix64(seed + ((first + done) / 8 + 1) * 0x9E3779B97F4A7C15u);
  };
  const auto fillPartly = [&](size_t done, size_t count) {  // within a word of the pattern
    const uint64_t word = wordAt(done);
    std::memcpy(out.data() + done, reinterpret_cast<const uint8_t*>(&word) + (first + done) % 8,
                count);
  };
  size_t done = std::min<size_t>((8 - first % 8) % 8, out.size());
  if (done > 0) fillPartly(0, done);
  for (; done + sizeof(uint64_t) <= out.size(); done += sizeof(uint64_t)) {
    const uint64_t word = wordAt(done);
    std::memcpy(out.data() + done, &word, sizeof word);
  }
  if (done < out.size()) fillPartly(done, out.size() - done);
}

gpu::BufferImage guarded(const Placement& place, uint64_t seed) {
  gpu::BufferImage image;
  image.offset = place.offset;
  image.size = place.size;
  image.bytes.resize(place.bytes);
  fillGuards(place, 0, image.bytes, seed);
  return image;
}

}  // namespace

Placement guardedAt(uint64_t offset, uint64_t size) {
  return {offset + size + kGuardBytes, offset, size};
}

void fillGuards(const Placement& place, uint64_t at, std::span<uint8_t> part, uint64_t seed) {
  const uint64_t end = at + part.size();
  const uint64_t behind = place.offset + place.size;
  if (at < place.offset) {
    fillPattern(part.first(std::min(end, place.offset) - at), at, seed);
  }
  if (end > behind) {
    const uint64_t first = std::max(at, behind);
    fillPattern(part.subspan(first - at), first - behind, seed ^ 0xA5A5A5A5A5A5A5A5u);
  }
}

void fillPoison(DataType type, const ReferenceOutput& expected, const Placement& place, uint64_t at,
                std::span<uint8_t> part, uint64_t seed) {
  const Placement::Range range = place.tensorIn(at, part.size());
  if (range.count == 0) return;
  const auto bytes = part.subspan(place.offset + range.first - at, range.count);
  fillPattern(bytes, range.first, seed ^ 0x5A5A5A5A5A5A5A5Au);
  const bool isFloat = info(type).isFloat;
  const uint32_t width = info(type).bytes;
  const FloatFormat format = isFloat ? floatFormat(type) : FloatFormat{};
  expected.status.forEachRun([&](ByteStatus status, uint64_t first, uint64_t count) {
    if (status != ByteStatus::Defined) return;
    const uint64_t end = first + count;
    for (uint64_t i = first; i < end; ++i) {
      constexpr uint8_t kInsteadOfZero = 0x5D;
      const uint8_t mask = bytes[i] == 0 ? kInsteadOfZero : bytes[i];
      bytes[i] = static_cast<uint8_t>(expected.bytes[i] ^ mask);
    }
    if (!isFloat) return;
    for (uint64_t i = first; i + width <= end; i += width) {
      if (!format.isNan(loadBits(bytes, i, width))) continue;
      // Flipping either bit gives a number; at least one of them gives a byte other than the
      // expected one.
      uint8_t& top = bytes[i + width - 1];
      const auto number = static_cast<uint8_t>(top ^ 0x40);
      top = number != expected.bytes[i + width - 1] ? number : static_cast<uint8_t>(top ^ 0x20);
    }
  });
}

gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t offset, uint64_t seed) {
  gpu::BufferImage image = guarded(guardedAt(offset, bytes.size()), seed);
  std::ranges::copy(bytes, image.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return image;
}

gpu::BufferImage poisonedOutput(DataType type, const ReferenceOutput& expected, uint64_t offset,
                                uint64_t seed) {
  const Placement place = guardedAt(offset, expected.bytes.size());
  gpu::BufferImage image = guarded(place, seed);
  fillPoison(type, expected, place, 0, image.bytes, seed);
  return image;
}

}  // namespace dmlcts
