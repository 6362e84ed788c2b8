#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/process/handle_windows.h"

namespace dmlcts::gpu {

// Anonymous pipes have no overlapped transfers, so a pipe here is a named one that nobody else can
// open: the harness's end is overlapped, the worker's is as any program expects it.
struct Pipe {
  Handle ours;
  Handle theirs;
};

// A pipe that the harness writes to, or reads from; the worker's end can be inherited. Throws
// std::runtime_error.
Pipe makePipe(bool weWrite);

// The harness's end of a pipe, with at most one piece on its way.
class Channel {
 public:
  static constexpr size_t kPieceBytes = 64 * 1024;

  Channel() = default;
  ~Channel() { close(); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void take(Handle pipe);

  bool open() const { return pipe_.open(); }
  bool pending() const { return pending_; }
  bool broken() const { return broken_; }
  HANDLE event() const { return event_.get(); }

  // What has arrived and was not taken yet.
  std::span<const uint8_t> arrived() const {
    return std::span(piece_).subspan(begin_, end_ - begin_);
  }
  void drop(size_t bytes) { begin_ += bytes; }

  // Asks for the next piece unless one is here or on its way.
  void startRead();

  // Hands over a piece unless one is on its way; the bytes taken.
  size_t startWrite(std::span<const uint8_t> bytes);

  // Notices what ended since.
  void settle();

  void close();

 private:
  template <class Call>
  void start(const Call& call);
  void finish();

  Handle pipe_;
  Handle event_;
  OVERLAPPED overlapped_{};
  std::vector<uint8_t> piece_;
  size_t begin_ = 0;  // in piece_, of what was read
  size_t end_ = 0;
  bool pending_ = false;
  bool broken_ = false;
};

}  // namespace dmlcts::gpu
