#pragma once

#include <memory>

#include "gpu/d3d12/platform.h"

namespace dmlcts::gpu {

// Hides the metacommands of a device whose runtime does not implement their enumeration (E_NOTIMPL:
// vkd3d), which DirectML does not tolerate. Replaces the method table of this one object; elsewhere
// does nothing. Must outlive DirectML's use of the device; the device must outlive it.
class NoMetacommands {
 public:
  explicit NoMetacommands(ID3D12Device* device);
  ~NoMetacommands();
  NoMetacommands(const NoMetacommands&) = delete;
  NoMetacommands& operator=(const NoMetacommands&) = delete;

  bool applied() const { return table_ != nullptr; }

 private:
  ID3D12Device* device_;
  void** original_ = nullptr;
  std::unique_ptr<void*[]> table_;
};

}  // namespace dmlcts::gpu
