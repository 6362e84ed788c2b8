#pragma once

namespace dmlcts::gpu {

// Marks its lifetime as a frame for RenderDoc, if that started this process: without a swap chain
// RenderDoc sees no frames. Do not nest.
class FrameCapture {
 public:
  FrameCapture();
  ~FrameCapture();
  FrameCapture(const FrameCapture&) = delete;
  FrameCapture& operator=(const FrameCapture&) = delete;
};

}  // namespace dmlcts::gpu
