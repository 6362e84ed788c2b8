#pragma once

#include <memory>
#include <string>

#include "gpu/d3d12/device/device.h"
#include "gpu/d3d12/platform/platform.h"
#include "gpu/directml/abi.h"
#include "reference/descriptor.h"
#include "reference/level.h"

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

// DirectML.dll, loaded for the life of the process.
class DirectMlLibrary {
 public:
  // Loads the file `path`. If it is empty, loads the DirectML.dll that Windows finds: beside the
  // program, then the system's. Throws std::runtime_error.
  explicit DirectMlLibrary(const std::string& path);

  dml::CreateDevice1 createDevice() const { return createDevice_; }
  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }  // "1.15.4"

 private:
  dml::CreateDevice1 createDevice_ = nullptr;
  std::string file_;
  std::string version_;
};

// A DirectML device on a Direct3D 12 device.
class DirectMlDevice {
 public:
  // Throws D3D12Error.
  DirectMlDevice(const DirectMlLibrary& library, Device& device);

  dml::Device* get() const { return dml_.Get(); }
  dml::CommandRecorder* recorder() const { return recorder_.Get(); }
  Device& d3d12() const { return device_; }

  // Returns the newest level that the device reports.
  Level maxLevel() const { return maxLevel_; }
  bool supports(DataType type) const;
  // Throws DeviceRemoved, naming `call` and the reason, if either device is gone. DirectML removes
  // its own device when it rejects a binding.
  void checkRemoved(const char* call) const;
  bool metacommandsHidden() const { return noMetacommands_.applied(); }

 private:
  Device& device_;
  NoMetacommands noMetacommands_;  // must precede dml_, whose creation asks for metacommands
  ComPtr<dml::Device> dml_;
  ComPtr<dml::CommandRecorder> recorder_;
  Level maxLevel_ = Level::L2_1;
};

}  // namespace dmlcts::gpu
