#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/process/handle_windows.h"

namespace dmlcts::gpu {

// A named pipe that nobody else can open, because anonymous pipes lack overlapped transfers. The
// harness's end is overlapped; the worker's is an ordinary one.
struct Pipe {
  Handle ours;
  Handle theirs;
};

// Creates a pipe that the harness writes (`weWrite`) or reads. The worker's end can be inherited.
// Throws std::runtime_error.
Pipe makePipe(bool weWrite);

// The harness's end of a pipe, with at most one piece in transit.
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

  // Returns the bytes that arrived and are not dropped yet.
  std::span<const uint8_t> arrived() const {
    return std::span(piece_).subspan(begin_, end_ - begin_);
  }
  void drop(size_t bytes) { begin_ += bytes; }

  // Requests the next piece, unless one is here or in transit.
  void startRead();

  // Starts writing a piece, unless one is in transit. Returns the bytes taken.
  size_t startWrite(std::span<const uint8_t> bytes);

  // Finishes transfers that have completed.
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
  size_t begin_ = 0;  // unread part of piece_: start
  size_t end_ = 0;
  bool pending_ = false;
  bool broken_ = false;
};

}  // namespace dmlcts::gpu
