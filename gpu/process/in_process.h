#pragma once

#include <thread>

#include "gpu/process/peer.h"

namespace dmlcts::gpu {

// Serves on a thread of this process, with streams in memory. Cannot be killed: a thread that hangs
// is left running. Its stderr is this process's.
class InProcess final : public Peer {
 public:
  explicit InProcess(const std::function<int(StandardStreams streams)>& serve);
  ~InProcess() override;

  Transfer transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                    std::chrono::milliseconds wait) override;
  size_t unreadInput() const override;
  void closeInput() override;
  bool exited() const override;
  Ending end(std::chrono::milliseconds grace) override;
  std::string takeStderr() override { return {}; }
  int64_t id() const override { return -1; }

 private:
  struct Pipes;
  class Source;
  class Sink;
  std::shared_ptr<Pipes> pipes_;  // shared with the thread, which may outlive this
  std::thread thread_;
};

}  // namespace dmlcts::gpu
