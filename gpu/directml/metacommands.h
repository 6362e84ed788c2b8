#pragma once

#include <memory>

#include "gpu/d3d12/platform.h"

namespace dmlcts::gpu {

// DirectML asks a device for its metacommands and takes no refusal. Where a D3D12 runtime does not
// implement the question (E_NOTIMPL: vkd3d), this presents the device as having none, by a method
// table for this one object; elsewhere it does nothing. Must outlive DirectML's use of the device,
// and be outlived by the device.
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
