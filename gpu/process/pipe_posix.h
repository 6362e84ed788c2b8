#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

namespace dmlcts::gpu {

// Writes a first part of `bytes`, as write() does. If `fd` is a pipe, the reader of many bytes
// copies them out of the caller's memory, so they must not change until the last one is written.
// After that nobody reads them.
ssize_t writeToPipe(int fd, std::span<const uint8_t> bytes);

}  // namespace dmlcts::gpu
