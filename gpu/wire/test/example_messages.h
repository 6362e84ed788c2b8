#pragma once

#include <numeric>

#include "gpu/wire/protocol.h"

// Small well-formed requests for the worker's tests, and a target for them.

namespace dmlcts::gpu {

inline BufferImage exampleImage(uint64_t size) {
  BufferImage image;
  image.bytes.resize(size + 32);
  std::iota(image.bytes.begin(), image.bytes.end(), uint8_t{0});
  image.offset = 16;
  image.size = size;
  return image;
}

// GATHER_ND of `count` rows of four floats.
inline Request exampleRequest(uint64_t id, uint32_t count = 2) {
  const uint64_t bytes = uint64_t{count} * 16;
  GatherNd op;
  op.input = {DataType::Float32, {1, 1, count, 4}, std::nullopt, bytes};
  op.indices = {DataType::UInt32, {1, 1, count, 1}, {{count, count, 1, 1}}, uint64_t{count} * 4};
  op.output = {DataType::Float32, {1, 1, count, 4}, std::nullopt, bytes};
  op.inputDimensionCount = 2;
  op.indicesDimensionCount = 2;
  Request request;
  request.id = id;
  request.level = Level::L4_0;
  request.descriptor = op;
  request.inputs = {exampleImage(bytes), exampleImage(uint64_t{count} * 4)};
  request.outputs = {exampleImage(bytes)};
  return request;
}

// One call of every kind that messages have.
inline Program exampleProgram() {
  const Request request = exampleRequest(1);
  return {{call::Create{request.level, request.descriptor}, call::Buffer{3, 96},
           call::Bind{.inputs = {{3, 32}, {3, 64}}, .outputs = {{3, 0}}},
           call::Put{{3, 16}, Bytes(64, 9)}, call::Execute{}, call::Wait{},
           call::Get{{3, 32}, 16}}};
}

// The answer of a target that touches nothing.
inline Answer untouched(const Request& request) {
  Answer answer;
  answer.id = request.id;
  answer.status = request.execute ? Status::Executed : Status::Created;
  for (const BufferImage& image : request.outputs) answer.outputs.push_back(image.bytes);
  for (const BufferImage& image : request.inputs) answer.inputs.push_back(image.bytes);
  return answer;
}

// Touches nothing, and has made-up times.
class UntouchedTarget : public Target {
 public:
  Identity identity() override {
    Identity identity;
    identity.target = "untouched";
    return identity;
  }

  std::vector<Answer> run(std::span<const Request> requests) override {
    std::vector<Answer> answers;
    for (const Request& request : requests) answers.push_back(untouched(request));
    return answers;
  }

  Timing time(const Request& request, uint32_t repetitions, uint64_t) override {
    const std::vector<double> times(repetitions, 12.5);
    return {Status::Executed, "", times, untouched(request).outputs, {{"pass", 2.5}}};
  }

  CopyTiming timeCopy(uint64_t, uint32_t repetitions) override {
    const std::vector<double> kernel(repetitions, 2000);
    const std::vector<double> region(repetitions, 3000);
    return {Status::Executed, "", kernel, region, {}};
  }

  double bareSeconds(std::span<const Request> requests) override {
    return 0.25 * static_cast<double>(requests.size());
  }
};

}  // namespace dmlcts::gpu
