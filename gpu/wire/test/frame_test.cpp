#include "gpu/wire/frame.h"
#include "conformance/test/thrown.h"
#include "gpu/wire/protocol.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "gpu/wire/path.h"

namespace dmlcts::gpu {
namespace {

using testing::ElementsAre;
Bytes framed(const Bytes& payload) {
  Bytes frame;
  beginFrame(frame);
  frame.insert(frame.end(), payload.begin(), payload.end());
  endFrame(frame);
  return frame;
}

// Feeds at most `piece` bytes at a time until the frame is complete or the bytes run out. Returns
// the number of bytes taken.
size_t feed(FrameReader& reader, const Bytes& bytes, size_t piece) {
  size_t at = 0;
  while (!reader.complete() && at < bytes.size()) {
    const auto space = reader.space();
    const size_t count = std::min({space.size(), piece, bytes.size() - at});
    std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), count, space.begin());
    reader.commit(count);
    at += count;
  }
  return at;
}

TEST(Frame, IsTheLengthInLittleEndianThenThePayload) {
  EXPECT_THAT(framed({7, 8, 9}), ElementsAre(3, 0, 0, 0, 0, 0, 0, 0, 7, 8, 9));
}

RC_GTEST_PROP(FrameReader, PutsFramesTogetherFromAnyPieces, (const std::vector<Bytes>& payloads)) {
  Bytes stream;
  for (const Bytes& payload : payloads) {
    const Bytes frame = framed(payload);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  const auto piece = *rc::gen::inRange<size_t>(1, 20);
  FrameReader reader;
  for (const Bytes& payload : payloads) {
    const size_t taken = feed(reader, stream, piece);
    RC_ASSERT(taken == kFrameHeaderBytes + payload.size());
    RC_ASSERT(reader.complete());
    RC_ASSERT(std::ranges::equal(reader.payload(), payload));
    reader.next();
    stream.erase(stream.begin(), stream.begin() + static_cast<ptrdiff_t>(taken));
  }
  RC_ASSERT(stream.empty());
  RC_ASSERT(!reader.started());
}

TEST(FrameReader, AllocatesForWhatArrivedNotForWhatIsClaimed) {
  FrameReader reader;
  feed(reader, {0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0}, 8);
  feed(reader, Bytes(100), 100);
  EXPECT_LE(reader.memory(), 64u * 1024);
  feed(reader, Bytes(1'000'000), 4096);
  EXPECT_LE(reader.memory(), 4'000'000u);
  EXPECT_FALSE(reader.complete());
}

TEST(FrameReader, RefusesALengthAboveTheLimitAtOnceAndSaysHowItWasMeant) {
  for (const auto& [length, said] : std::vector<std::pair<Bytes, std::string>>{
           {{0xe9, 3, 0, 0, 0, 0, 0, 0},
            "frame: 1001 bytes, more than the 1000 that can be meant here"},
           {{0, 0, 0, 0, 0, 0, 3, 0xe8}, "must be little endian"},
           {{0xe8, 3, 0, 0, 0x82, 0x61, 'x', 'y'},
            "must have eight bytes, little endian, not four"},
           {{0, 0, 3, 0xe8, 0x82, 0x61, 'x', 'y'},
            "must have eight bytes, little endian, not four"},
           {{0xe9, 3, 0, 0, 0x10, 0, 0, 0}, "can be meant here"}}) {
    FrameReader limited;
    limited.limit(1000);
    EXPECT_THAT(thrown<ProtocolError>([&, &bytes = length] { feed(limited, bytes, 1); }),
                testing::EndsWith(said));
    EXPECT_EQ(limited.memory(), 0u);
  }
  FrameReader exact;
  exact.limit(1000);
  EXPECT_EQ(feed(exact, {0xe8, 0x03, 0, 0, 0, 0, 0, 0}, 1), 8u);
  FrameReader unlimited;
  EXPECT_THROW(feed(unlimited, {1, 0, 0, 0, 0x10, 0, 0, 0}, 8), ProtocolError);
}

TEST(FrameReader, GivesALargeBufferBack) {
  FrameReader reader;
  feed(reader, framed(Bytes(3'000'000)), 1 << 20);
  ASSERT_TRUE(reader.complete());
  reader.next();
  EXPECT_LE(reader.memory(), 1024u * 1024);
}

}  // namespace
}  // namespace dmlcts::gpu
