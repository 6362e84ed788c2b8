#include <algorithm>
#include <cstring>

#include "gpu/shaders/test/machine.h"

namespace dmlcts::gpu::test {
namespace {

// The value of unwritten memory. FXC loads before the condition, so loading it is allowed, but
// using it is not.
constexpr uint32_t kUnwritten = 0xDEADBEEF;
constexpr uint64_t kSeveral = ~uint64_t{0};  // writers

}  // namespace

CheckedMemory::CheckedMemory(std::span<uint8_t> bytes, bool isWritten)
    : bytes_(bytes),
      writers_((bytes.size() + 3) / 4),
      isWritten_((bytes.size() + 3) / 4, isWritten) {}

void CheckedMemory::beginStage() { std::ranges::fill(writers_, 0); }

uint32_t CheckedMemory::load(uint64_t at, uint64_t thread) {
  // A texel may reach past the tensor's end, into its guard band.
  if (at + 4 > bytes_.size()) throw Misbehaviour("what lies behind the memory");
  if (!isWritten_[at / 4]) return kUnwritten;
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

}  // namespace dmlcts::gpu::test
