// A batch's calls, and the requests' answers from the program's.

#include "gpu/d3d12/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace dmlcts::gpu {
namespace {

using Bytes = std::vector<uint8_t>;

// An image of so many bytes, whose tensor begins at byte 16.
BufferImage image(size_t bytes, uint8_t content) { return {Bytes(bytes, content), 16, bytes - 16}; }

Request request(uint64_t id) {
  const auto content = static_cast<uint8_t>(id);
  Request request;
  request.id = id;
  request.inputs = {image(100, content), image(256, content)};
  request.outputs = {image(257, content)};
  return request;
}

// Makes the Puts and Gets, in memory.
Answer executed(const Program& program) {
  std::array<Bytes, 2> buffers;
  Answer answer;
  answer.status = Status::Executed;
  for (const Call& each : program.calls) {
    if (const auto* buffer = std::get_if<call::Buffer>(&each)) {
      buffers.at(buffer->buffer).resize(buffer->bytes);
    }
    if (const auto* put = std::get_if<call::Put>(&each)) {
      Bytes& to = buffers.at(put->to.buffer);
      EXPECT_LE(put->bytes().size(), put->room);
      EXPECT_LE(put->to.offset + put->room, to.size());
      std::fill_n(to.begin() + static_cast<ptrdiff_t>(put->to.offset), put->room, uint8_t{0xEE});
      std::ranges::copy(put->bytes(), to.begin() + static_cast<ptrdiff_t>(put->to.offset));
    }
    if (const auto* get = std::get_if<call::Get>(&each)) {
      const auto from =
          buffers.at(get->from.buffer).begin() + static_cast<ptrdiff_t>(get->from.offset);
      answer.outputs.emplace_back(from, from + static_cast<ptrdiff_t>(get->bytes));
    }
  }
  return answer;
}

TEST(Batch, GivesEachRequestItsOwnBytes) {
  const std::vector<Request> requests{request(7), request(8), request(9)};
  Batch batch;
  for (size_t i = 0; i < requests.size(); ++i) batch.add(requests[i], {}, 2 - i);
  std::vector<Answer> answers(3);
  batch.answer(executed(batch.program()), answers);
  for (size_t i = 0; i < requests.size(); ++i) {
    const Answer& answer = answers[2 - i];
    EXPECT_EQ(answer.id, requests[i].id);
    EXPECT_EQ(answer.status, Status::Executed);
    ASSERT_EQ(answer.inputs.size(), 2u);
    ASSERT_EQ(answer.outputs.size(), 1u);
    EXPECT_EQ(answer.inputs[0], requests[i].inputs[0].bytes);
    EXPECT_EQ(answer.inputs[1], requests[i].inputs[1].bytes);
    EXPECT_EQ(answer.outputs[0], requests[i].outputs[0].bytes);
  }
}

TEST(Batch, BindsTheTensorsOfAllRequestsInOrder) {
  const std::vector<Request> requests{request(1), request(2)};
  Batch batch;
  for (const Request& each : requests) batch.add(each, {}, 0);
  const Program program = batch.program();
  for (const Call& each : program.calls) {
    const auto* bind = std::get_if<call::Bind>(&each);
    if (!bind) continue;
    const std::vector<Place> inputs{{0, 16}, {0, 256 + 16}, {0, 512 + 16}, {0, 768 + 16}};
    const std::vector<Place> outputs{{1, 16}, {1, 512 + 16}};
    EXPECT_EQ(bind->inputs, inputs);
    EXPECT_EQ(bind->outputs, outputs);
  }
}

TEST(Batch, FailsAllItsRequests) {
  const std::vector<Request> requests{request(7), request(8)};
  Batch batch;
  for (size_t i = 0; i < requests.size(); ++i) batch.add(requests[i], {}, i);
  std::vector<Answer> answers(2);
  batch.answer({{}, 3, Status::DeviceRemoved, -1, "gone"}, answers);
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(answers[i].id, requests[i].id);
    EXPECT_EQ(answers[i].status, Status::DeviceRemoved);
    EXPECT_EQ(answers[i].message, "gone");
    EXPECT_TRUE(answers[i].outputs.empty());
  }
}

TEST(Batch, HasLimits) {
  Request large = request(1);
  large.inputs[0] = image(9 << 20, 1);
  const Plan plain;
  Plan reader;
  reader.readsTemporaries = true;
  Plan needy;
  needy.temporaryBytes = 17 << 20;
  Batch batch;
  EXPECT_TRUE(batch.hasRoomFor(large, reader));
  batch.add(large, plain, 0);
  EXPECT_TRUE(batch.hasRoomFor(request(2), plain));
  EXPECT_FALSE(batch.hasRoomFor(request(2), reader));
  EXPECT_FALSE(batch.hasRoomFor(request(2), needy));
  EXPECT_FALSE(batch.hasRoomFor(large, plain));
  batch.clear();
  EXPECT_TRUE(batch.hasRoomFor(large, needy));
  batch.add(large, reader, 0);
  EXPECT_FALSE(batch.hasRoomFor(request(2), plain));
}

}  // namespace
}  // namespace dmlcts::gpu
