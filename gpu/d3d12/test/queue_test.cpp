#include "gpu/d3d12/device/queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "gpu/d3d12/device/device.h"

namespace dmlcts::gpu {
namespace {

using Clock = std::chrono::steady_clock;

// With one fence for all signals, libvkd3d 1.2 loses one in some ten thousand. It sets the fence
// back when its waiting thread is later than the submitting one.
TEST(Queue, LosesNoSignalOfListsInARow) {
  Device device({}, false);
  Recorder recorder(device, L"lists in a row");
  recorder.begin();
  const platform::Event event;
  std::mt19937 random(1);
  uint64_t last = recorder.submit();
  device.wait(last);
  for (int lists = 0; lists < 20'000;) {
    for (auto left = random() % 6 + 1; left > 0; --left, ++lists) {
      last = recorder.resubmit();
      const auto next = Clock::now() + std::chrono::microseconds(random() % 200);
      while (Clock::now() < next) {
      }
    }
    if (device.queue().passed(last)) continue;
    device.queue().setEvent(last, event);
    ASSERT_TRUE(event.wait(60'000)) << "list " << last << " does not end";
  }
}

}  // namespace
}  // namespace dmlcts::gpu
