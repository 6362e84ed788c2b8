#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

#include "gpu/process/streams.h"

namespace dmlcts::gpu {
namespace {

TEST(WriteToPipe, LendsNoMemoryOnceAllIsWritten) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int capacity = ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  ASSERT_GT(capacity, 0);
  std::vector<uint8_t> sent(size_t{16} << 20, 1);
  std::vector<uint8_t> received(sent.size());
  std::promise<void> overwritten;
  std::thread reader([&] {
    const auto readTo = [&](size_t end) {
      for (size_t at = static_cast<size_t>(std::ranges::count(received, 1)); at < end;) {
        const ssize_t count = ::read(ends[0], &received[at], end - at);
        ASSERT_GT(count, 0);
        at += static_cast<size_t>(count);
      }
    };
    readTo(sent.size() - static_cast<size_t>(capacity) / 2);
    overwritten.get_future().wait();
    readTo(sent.size());
  });
  for (size_t done = 0; done < sent.size();) {
    const int64_t count = writeToPipe(ends[1], std::span(sent).subspan(done));
    ASSERT_GT(count, 0);
    done += static_cast<size_t>(count);
  }
  std::ranges::fill(sent, uint8_t{2});
  overwritten.set_value();
  reader.join();
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(received, 1)), received.size());
}

}  // namespace
}  // namespace dmlcts::gpu
