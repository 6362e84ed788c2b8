#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

// Memory that detects errors which devices tolerate.

namespace dmlcts::gpu::test {

// A kernel's forbidden behaviour.
struct Misbehaviour : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The value of unwritten memory, or of memory outside a view. FXC loads before the condition, so
// loading it is allowed, but using it is not.
inline constexpr uint32_t kNothing = 0xDEADBEEF;
inline constexpr uint64_t kNowhere = ~uint64_t{0};

// A tensor or the temporaries. Each dword records its last writer.
class CheckedMemory {
 public:
  explicit CheckedMemory(std::span<uint8_t> bytes, bool isWritten);

  uint32_t load(uint64_t at, uint64_t thread);
  void store(uint64_t at, uint64_t thread, uint32_t value);
  // Returns the old value. Other threads may change it in the same stage too.
  uint32_t change(uint64_t at, uint32_t (*how)(uint32_t, uint32_t), uint32_t value);
  void beginStage();

 private:
  std::span<uint8_t> bytes_;
  std::vector<uint64_t> writers_;  // in this stage; 0: nobody
  std::vector<bool> isWritten_;
};

// A register's view: bytes [offset, offset + bytes) of a memory appear at `base` of the view, in
// bytes or texels.
struct CheckedView {
  CheckedMemory* memory = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t base = 0;

  // Return the byte in the memory; kNowhere for a load outside the view.
  uint64_t placeOf(uint32_t address, bool isLoad = false) const;
  uint64_t placeOfTexel(uint32_t texel, bool isLoad = false) const;
  uint32_t load(uint64_t place, uint64_t thread) const;
};

// An array of a group's shared memory. Barriers separate phases.
class GroupArray {
 public:
  struct By {
    uint32_t thread;  // in the group
    uint32_t phase;
  };

  void resize(uint32_t elementBytes, uint32_t elements);

  uint32_t load(uint32_t element, uint32_t byte, By by);
  void store(uint32_t element, uint32_t byte, By by, uint32_t value);
  // Returns the old value. Until the next barrier other threads may also change it, but not read or
  // store it.
  uint32_t change(uint32_t element, uint32_t byte, By by, uint32_t (*how)(uint32_t, uint32_t),
                  uint32_t value);

 private:
  struct Dword {
    uint32_t value = 0;
    uint32_t writer = 0;
    uint32_t writtenIn = 0;
    uint32_t reader = 0;  // ~0u for several
    uint32_t readIn = 0;
    bool contested = false;
  };

  size_t elements() const { return dwords_.size() / elementDwords_; }
  Dword& at(uint32_t element, uint32_t byte);

  uint32_t elementDwords_ = 1;
  std::vector<Dword> dwords_;
};

}  // namespace dmlcts::gpu::test
