#pragma once

#include <cstdint>
#include <memory>
#include <span>

// The streams of a worker's frames.

namespace dmlcts::gpu {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Waits for bytes and reads between 1 and into.size() of them. Returns 0 at the end. Throws
  // std::runtime_error if the stream is broken.
  virtual size_t read(std::span<uint8_t> into) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Writes all bytes, without buffering. False if nobody reads any more.
  virtual bool write(std::span<const uint8_t> bytes) = 0;
};

// Opens the null device in place of each standard stream that is closed, so that no file that is
// opened later gets its number. Reading stdin and writing stdout still fail, as on a closed stream.
// To be called first in every program.
void holdStandardStreams();

struct StandardStreams {
  std::unique_ptr<ByteSource> in;
  std::unique_ptr<ByteSink> out;
};

// Takes over this process's stdin and stdout for binary frames. From then on, prints to stdout go
// to stderr and stdin is empty, because drivers print. Throws std::runtime_error if the process
// lacks these streams.
StandardStreams takeStandardStreams();

// POSIX only. Writes a first part of `bytes`, as write() does. The reader of many bytes copies them
// out of the caller's memory: they must not change until the last one is written, but may then.
int64_t writeToPipe(int fd, std::span<const uint8_t> bytes);

// Ends a worker's process so that the harness notices at once.

// Makes an unhandled Windows exception, such as a driver's fault, end the process with its code and
// a line on stderr. Prevents dialogs and waiting debuggers (Wine's). Does nothing elsewhere, where
// signals end the process.
void installCrashHandler();

// Flushes the output and ends the process with this status. On Windows does not unload libraries,
// which would crash some drivers (llvmpipe under Wine).
[[noreturn]] void leave(int status);

}  // namespace dmlcts::gpu
