#pragma once

namespace dmlcts::gpu {

// Tells RenderDoc, where this process was started by it, that what happens while this exists is to
// be captured: without a swap chain nothing else tells it. Not nested.
class FrameCapture {
 public:
  FrameCapture();
  ~FrameCapture();
  FrameCapture(const FrameCapture&) = delete;
  FrameCapture& operator=(const FrameCapture&) = delete;
};

}  // namespace dmlcts::gpu
