#include "gpu/d3d12/test/oracle_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "conformance/inputs/inputs.h"
#include "reference/evaluate.h"

namespace dmlcts::gpu::test {

namespace {

constexpr uint64_t kGuard = 64;

Fill fillOf(Density density) {
  switch (density) {
    case Density::None:
      return fill(FillKind::MinusZero);
    case Density::FirstOnly:
      return fill(FillKind::First);
    case Density::LastOnly:
      return fill(FillKind::Last);
    case Density::OneTile:
      return fill(FillKind::Runs, 4096);
    case Density::Half:
      return fill(FillKind::Mixed);
    case Density::All:
      return fill(FillKind::All);
  }
  return {};
}

// Returns a buffer full of seeded bytes.
BufferImage imageOf(const TensorDesc& tensor, std::mt19937_64& random) {
  BufferImage image;
  image.offset = kGuard;
  image.size = tensor.totalBytes;
  image.bytes.resize(kGuard + tensor.totalBytes + kGuard);
  for (uint8_t& byte : image.bytes) byte = static_cast<uint8_t>(random() >> 11);
  return image;
}

std::vector<ReferenceOutput> expectedOf(const Request& request) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const BufferImage& image : request.inputs) {
    const auto first = image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset);
    inputs.emplace_back(first, first + static_cast<std::ptrdiff_t>(image.size));
  }
  return evaluate(request.descriptor, inputs);
}

}  // namespace

Request requestOf(const Descriptor& descriptor, const Filling& filling) {
  Case testCase;
  testCase.descriptor = descriptor;
  testCase.fill = fillOf(filling.density);
  const std::vector<TensorSlot> slots = tensors(descriptor);
  const bool negative = !slots[1].isOutput && info(slots[1].desc->type).isSigned;
  testCase.index.kind = negative ? IndexKind::Negative : IndexKind::Random;
  testCase.seed = filling.seed;
  std::mt19937_64 random(filling.seed);
  Request request;
  request.id = filling.seed;
  request.descriptor = descriptor;
  const std::vector<std::vector<uint8_t>> inputs = makeInputs(testCase);
  for (const TensorSlot& slot : slots) {
    BufferImage image = imageOf(*slot.desc, random);
    if (!slot.isOutput) {
      std::ranges::copy(inputs[request.inputs.size()], image.bytes.begin() + kGuard);
    }
    (slot.isOutput ? request.outputs : request.inputs).push_back(std::move(image));
  }
  const std::vector<ReferenceOutput> expected = expectedOf(request);
  for (size_t i = 0; i < expected.size(); ++i) {
    uint8_t* bytes = request.outputs[i].bytes.data() + request.outputs[i].offset;
    for (size_t j = 0; j < expected[i].bytes.size(); ++j) {
      if (expected[i].status[j] == ByteStatus::Defined) {
        bytes[j] = static_cast<uint8_t>(~expected[i].bytes[j]);
      }
    }
  }
  return request;
}

std::string difference(const Request& request, const Answer& answer) {
  if (answer.status != Status::Executed) {
    return fmt::format("status {}, {}", static_cast<int>(answer.status), answer.message);
  }
  if (answer.inputs.size() != request.inputs.size()) return "the answer has not all inputs";
  for (size_t i = 0; i < answer.inputs.size(); ++i) {
    if (answer.inputs[i] != request.inputs[i].bytes) return fmt::format("input {} changed", i);
  }
  const std::vector<ReferenceOutput> expected = expectedOf(request);
  for (size_t i = 0; i < expected.size(); ++i) {
    const BufferImage& before = request.outputs[i];
    const std::vector<uint8_t>& after = answer.outputs[i];
    if (after.size() != before.bytes.size()) return "the answer's buffer has another length";
    for (size_t j = 0; j < after.size(); ++j) {
      const bool inside = j >= before.offset && j < before.offset + before.size;
      const size_t at = j - before.offset;
      const bool defined = inside && expected[i].status[at] == ByteStatus::Defined;
      const uint8_t wanted = defined ? expected[i].bytes[at] : before.bytes[j];
      // Our kernels must not write undefined elements either: rows past the count.
      if (after[j] != wanted) {
        return fmt::format("output {} byte {} ({}): {:#04x}, should be {:#04x}", i,
                           static_cast<int64_t>(j) - static_cast<int64_t>(before.offset),
                           !inside   ? "guard"
                           : defined ? "defined"
                                     : "not to be written",
                           after[j], wanted);
      }
    }
  }
  return {};
}

std::string differences(Target& target, const std::vector<Request>& requests) {
  const std::vector<Answer> answers = target.run(requests);
  std::string text;
  for (size_t i = 0; i < requests.size(); ++i) {
    const std::string wrong = difference(requests[i], answers[i]);
    if (!wrong.empty()) text += fmt::format("request {}: {}\n", i, wrong);
  }
  return text;
}

}  // namespace dmlcts::gpu::test
