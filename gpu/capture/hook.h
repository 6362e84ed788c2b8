#pragma once

#include <windows.h>

#include <array>
#include <atomic>
#include <mutex>

namespace dmlcts::gpu {

// Replaces one method in the method tables of COM objects. The objects stay the application's own,
// with their identity, private data and newer interfaces. Thread-safe.
template <class Method>
class Hook {
 public:
  constexpr Hook(size_t slot, Method replacement) : slot_(slot), replacement_(replacement) {}

  // Replaces the method for all objects with this one's table. False if that is impossible.
  bool install(void* object) {
    void** table = *static_cast<void***>(object);
    const std::scoped_lock lock(mutex_);
    const size_t count = count_;
    for (size_t i = 0; i < count; ++i) {
      if (tables_[i].table == table) return true;
    }
    if (count == tables_.size()) return false;
    DWORD protection = 0;
    void** method = table + slot_;
    if (!VirtualProtect(method, sizeof *method, PAGE_READWRITE, &protection)) return false;
    tables_[count] = {table, reinterpret_cast<Method>(*method)};
    count_ = count + 1;  // other threads may call the replacement from now on
    std::atomic_ref(*method).store(reinterpret_cast<void*>(replacement_));
    VirtualProtect(method, sizeof *method, protection, &protection);
    return true;
  }

  // Returns the method that was replaced, for an object that install() was given or its like.
  Method original(void* object) const {
    void** table = *static_cast<void***>(object);
    size_t i = count_ - 1;
    while (i > 0 && tables_[i].table != table) --i;
    return tables_[i].method;
  }

 private:
  struct Table {
    void** table;
    Method method;
  };

  size_t slot_;
  Method replacement_;
  std::mutex mutex_;
  std::array<Table, 16> tables_{};  // Microsoft's library has one, its debug layer another
  std::atomic<size_t> count_ = 0;
};

}  // namespace dmlcts::gpu
