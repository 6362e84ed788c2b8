#include "gpu/shaders/test/checked_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dmlcts::gpu::test {
namespace {

constexpr uint64_t kSeveral = ~uint64_t{0};  // writers

uint32_t roundedUp(uint64_t bytes, uint32_t to) {
  return static_cast<uint32_t>((bytes + to - 1) / to * to);
}

}  // namespace

CheckedMemory::CheckedMemory(std::span<uint8_t> bytes, bool isWritten)
    : bytes_(bytes),
      writers_((bytes.size() + 3) / 4),
      isWritten_((bytes.size() + 3) / 4, isWritten) {}

void CheckedMemory::beginStage() { std::ranges::fill(writers_, 0); }

uint32_t CheckedMemory::load(uint64_t at, uint64_t thread) {
  // A texel may reach past the tensor's end, into its guard band.
  if (at + 4 > bytes_.size()) throw Misbehaviour("what lies behind the memory");
  if (!isWritten_[at / 4]) return kNothing;
  if (writers_[at / 4] != 0 && writers_[at / 4] != thread) {
    throw Misbehaviour("memory that another thread of the stage writes");
  }
  uint32_t value = 0;
  std::memcpy(&value, &bytes_[at], 4);
  return value;
}

void CheckedMemory::store(uint64_t at, uint64_t thread, uint32_t value) {
  if (at + 4 > bytes_.size()) throw Misbehaviour("what lies behind the memory");
  if (writers_[at / 4] != 0 && writers_[at / 4] != thread) {
    throw Misbehaviour("a dword that two threads store");
  }
  writers_[at / 4] = thread;
  isWritten_[at / 4] = true;
  std::memcpy(&bytes_[at], &value, 4);
}

uint32_t CheckedMemory::change(uint64_t at, uint32_t (*how)(uint32_t, uint32_t), uint32_t value) {
  if (at + 4 > bytes_.size()) throw Misbehaviour("what lies behind the memory");
  if (writers_[at / 4] != 0 && writers_[at / 4] != kSeveral) {
    throw Misbehaviour("a dword that one thread stores and another changes");
  }
  writers_[at / 4] = kSeveral;
  uint32_t old = 0;
  std::memcpy(&old, &bytes_[at], 4);
  value = how(old, value);
  std::memcpy(&bytes_[at], &value, 4);
  return old;
}

uint64_t CheckedView::placeOf(uint32_t address, bool isLoad) const {
  const uint32_t inside = address - base;
  if (address % 4 != 0) throw Misbehaviour(fmt::format("address {}, no multiple of 4", address));
  if (inside >= roundedUp(bytes, 4)) {
    if (isLoad) return kNowhere;
    throw Misbehaviour(
        fmt::format("address {} of a view of {} bytes from {}", address, bytes, base));
  }
  return offset + inside;
}

uint64_t CheckedView::placeOfTexel(uint32_t texel, bool isLoad) const {
  const uint32_t inside = texel - base;
  if (inside >= roundedUp(bytes, 16) / 16) {
    if (isLoad) return kNowhere;
    throw Misbehaviour(fmt::format("texel {} of a view of {} bytes from {}", texel, bytes, base));
  }
  return offset + uint64_t{inside} * 16;
}

uint32_t CheckedView::load(uint64_t place, uint64_t thread) const {
  return place == kNowhere ? kNothing : memory->load(place, thread);
}

void GroupArray::resize(uint32_t elementBytes, uint32_t elements) {
  elementDwords_ = elementBytes / 4;
  dwords_.resize(size_t{elementDwords_} * elements);
}

GroupArray::Dword& GroupArray::at(uint32_t element, uint32_t byte) {
  const size_t at = size_t{element} * elementDwords_ + byte / 4;
  if (byte % 4 != 0 || byte / 4 >= elementDwords_ || at >= dwords_.size()) {
    throw Misbehaviour(fmt::format("element {} of {} in group memory", element, elements()));
  }
  return dwords_[at];
}

uint32_t GroupArray::load(uint32_t element, uint32_t byte, By by) {
  if (element >= elements()) return kNothing;
  Dword& dword = at(element, byte);
  if (dword.contested || (dword.writtenIn == by.phase && dword.writer != by.thread)) {
    throw Misbehaviour("group memory that another thread may be writing");
  }
  dword.reader = dword.readIn == by.phase && dword.reader != by.thread ? ~0u : by.thread;
  dword.readIn = by.phase;
  return dword.writtenIn == 0 ? kNothing : dword.value;
}

void GroupArray::store(uint32_t element, uint32_t byte, By by, uint32_t value) {
  Dword& dword = at(element, byte);
  if (dword.readIn == by.phase && dword.reader != by.thread) {
    throw Misbehaviour("group memory that another thread may be reading");
  }
  dword.contested = dword.writtenIn == by.phase && (dword.contested || dword.writer != by.thread);
  dword.value = value;
  dword.writer = by.thread;
  dword.writtenIn = by.phase;
}

uint32_t GroupArray::change(uint32_t element, uint32_t byte, By by,
                            uint32_t (*how)(uint32_t, uint32_t), uint32_t value) {
  Dword& dword = at(element, byte);
  if ((dword.readIn == by.phase && dword.reader != by.thread) ||
      (dword.writtenIn == by.phase && dword.writer != ~0u && dword.writer != by.thread)) {
    throw Misbehaviour("group memory that another thread may be reading or writing");
  }
  const uint32_t old = dword.writtenIn == 0 ? kNothing : dword.value;
  dword.value = how(old, value);
  dword.contested = false;
  // A thread that stored it earlier in this phase remains the only allowed one.
  if (dword.writtenIn != by.phase) dword.writer = ~0u;
  dword.writtenIn = by.phase;
  return old;
}

}  // namespace dmlcts::gpu::test
