#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/program.h"
#include "gpu/wire/path.h"

namespace dmlcts::gpu {

// Keeps what the messages of a program have created so far, for the reader. Transfers and tensors
// must lie in its buffers, and each call needs those before it: a driver would not survive the
// rest.
class ProgramState {
 public:
  // Adds a message. Throws ProtocolError at the path of its first call that is out of place.
  void add(const Program& program);

 private:
  void add(const Path&, const auto&) const {}  // needs nothing
  void add(const Path& path, const call::Create& create);
  void add(const Path& path, const call::Buffer& buffer);
  void add(const Path& path, const call::Put& put) const;
  void add(const Path& path, const call::Get& get) const;
  void add(const Path& path, const call::Bind& bind);
  void add(const Path& path, const call::Execute& execute) const;
  void checkInside(const Path& path, const Place& place, uint64_t bytes) const;

  std::optional<Descriptor> descriptor_;
  std::array<std::optional<uint64_t>, kMostBuffers> buffers_;  // bytes
  bool bound_ = false;
};

}  // namespace dmlcts::gpu
