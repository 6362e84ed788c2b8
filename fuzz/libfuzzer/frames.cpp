// Frames of the worker protocol: any bytes are a message or a ProtocolError, in either direction.

#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> payload(data, size);
  try {
    dmlcts::gpu::decodeOrder(payload);
  } catch (const dmlcts::gpu::ProtocolError&) {
  }
  try {
    dmlcts::gpu::decodeReply(payload);
  } catch (const dmlcts::gpu::ProtocolError&) {
  }
  return 0;
}
