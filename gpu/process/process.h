#pragma once

#include "gpu/process/peer.h"

namespace dmlcts::gpu {

// A child process with its three standard streams. Implemented per platform.
class Process final : public Peer {
 public:
  // Throws std::runtime_error, naming the command, if it cannot be started.
  //
  // The process and everything that it starts end with this object, and with this process however
  // that ends. On Windows a job ensures this; keeper.h lists Linux's exceptions.
  explicit Process(const WorkerCommand& command);

  // Kills it if it is still running.
  ~Process() override;

  Transfer transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                    std::chrono::milliseconds wait) override;
  size_t unreadInput() const override;
  void closeInput() override;
  bool exited() const override;
  Ending end(std::chrono::milliseconds grace) override;
  std::string takeStderr() override;
  int64_t id() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dmlcts::gpu
