#pragma once

#include <utility>

namespace dmlcts::gpu {

// Owns one reference to a COM object. Small on purpose: WRL's is not to be had on every platform
// that we build for.
template <class T>
class ComPtr {
 public:
  ComPtr() = default;
  ComPtr(const ComPtr& other) : object_(other.object_) {
    if (object_) object_->AddRef();
  }
  ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ComPtr& operator=(ComPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ComPtr() {
    if (object_) object_->Release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  // For functions that hand out a reference; lets go of what was held.
  T** put() {
    if (object_) std::exchange(object_, nullptr)->Release();
    return &object_;
  }
  void** putVoid() { return reinterpret_cast<void**>(put()); }

 private:
  T* object_ = nullptr;
};

}  // namespace dmlcts::gpu
