#include "conformance/run/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/operators.h"
#include "reference/checker.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr size_t kMostDifferences = 8;

class Differences {
 public:
  explicit Differences(Comparison& comparison) : comparison_(comparison) {}

  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    if (comparison_.differences.size() < kMostDifferences) {
      comparison_.differences.push_back(fmt::format(text, std::forward<Args>(args)...));
    }
  }

 private:
  Comparison& comparison_;
};

std::string coordinateText(std::span<const uint32_t> coordinate) {
  return fmt::format("[{}]", fmt::join(coordinate, ","));
}

// The elements of one output tensor that are defined and differ.
uint64_t countWrongElements(const TensorSlot& slot, const gpu::BufferImage& sent,
                            const ReferenceOutput& expected, const std::vector<uint8_t>& actual,
                            Differences& differences) {
  const uint32_t width = info(slot.desc->type).bytes;
  const auto strides = elementStrides(*slot.desc).value();
  uint64_t wrong = 0;
  ElementWalk walk(slot.desc->sizes, strides);
  do {
    const uint64_t at = walk.offset() * width;
    if (expected.status[at] != ByteStatus::Defined) continue;
    const uint64_t want = loadBits(expected.bytes, at, width);
    const uint64_t have = loadBits(actual, sent.offset + at, width);
    if (want == have) continue;
    ++wrong;
    const bool unwritten = have == loadBits(sent.bytes, sent.offset + at, width);
    differences.add("{}{} at byte {}: expected 0x{:0{}x}, actual 0x{:0{}x}{}", slot.name,
                    coordinateText(walk.coordinate()), at, want, 2 * width, have, 2 * width,
                    unwritten ? " (not written)" : "");
  } while (walk.next());
  return wrong;
}

// Where in a guarded buffer a byte lies, as text.
std::string placeOf(const gpu::BufferImage& image, uint64_t at) {
  if (at < image.offset) return fmt::format("{} bytes in front of the tensor", image.offset - at);
  const uint64_t within = at - image.offset;
  if (within >= image.size) return fmt::format("{} bytes behind the tensor", within - image.size);
  return fmt::format("byte {}, which belongs to no element", within);
}

void compareOutput(const TensorSlot& slot, const gpu::BufferImage& sent,
                   const ReferenceOutput& expected, const std::vector<uint8_t>& actual,
                   Comparison& comparison) {
  Differences differences(comparison);
  bool elementsDiffer = false;
  for (uint64_t at = 0; at < actual.size(); ++at) {
    const bool inTensor = at >= sent.offset && at < sent.offset + sent.size;
    const ByteStatus status = inTensor ? expected.status[at - sent.offset] : ByteStatus::Untouched;
    if (status == ByteStatus::Defined) {
      elementsDiffer = elementsDiffer || actual[at] != expected.bytes[at - sent.offset];
    } else if (status == ByteStatus::Untouched && actual[at] != sent.bytes[at]) {
      ++(inTensor ? comparison.paddingBytes : comparison.guardBytes);
      differences.add("{} {}: held 0x{:02x}, now 0x{:02x}", slot.name, placeOf(sent, at),
                      sent.bytes[at], actual[at]);
    }
  }
  if (elementsDiffer) {
    comparison.wrongElements += countWrongElements(slot, sent, expected, actual, differences);
  }
}

void compareInput(const TensorSlot& slot, const gpu::BufferImage& sent,
                  const std::vector<uint8_t>& actual, Comparison& comparison) {
  if (actual == sent.bytes) return;
  Differences differences(comparison);
  for (uint64_t at = 0; at < actual.size(); ++at) {
    if (actual[at] == sent.bytes[at]) continue;
    ++comparison.inputBytes;
    differences.add("{} (an input) at byte {} of its buffer: held 0x{:02x}, now 0x{:02x}",
                    slot.name, at, sent.bytes[at], actual[at]);
  }
}

void requireSize(const TensorSlot& slot, size_t sent, size_t received) {
  if (sent == received) return;
  throw std::runtime_error(
      fmt::format("the worker returned {} bytes for {}, which has {}", received, slot.name, sent));
}

}  // namespace

Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Answer& answer) {
  Comparison comparison;
  if (answer.outputs.size() != request.outputs.size() ||
      answer.inputs.size() != request.inputs.size()) {
    throw std::runtime_error(fmt::format("the worker returned {} outputs and {} inputs",
                                         answer.outputs.size(), answer.inputs.size()));
  }
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    if (slot.isOutput) {
      requireSize(slot, request.outputs[output].bytes.size(), answer.outputs[output].size());
      compareOutput(slot, request.outputs[output], expected[output], answer.outputs[output],
                    comparison);
      ++output;
    } else {
      requireSize(slot, request.inputs[input].bytes.size(), answer.inputs[input].size());
      compareInput(slot, request.inputs[input], answer.inputs[input], comparison);
      ++input;
    }
  }
  return comparison;
}

std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected) {
  const bool anyDefined = std::ranges::any_of(expected, [](const ReferenceOutput& output) {
    const auto elements = output.status.elements();
    return std::ranges::find(elements, ByteStatus::Defined) != elements.end();
  });
  if (!anyDefined) return "no byte of the outputs is defined";

  const gpu::BufferImage& image = request.inputs[0];
  const auto input = std::span(image.bytes).subspan(image.offset, image.size);
  return std::string(
      visitEntry(kCaseTable, request.descriptor,
                 [&](const auto& entry, const auto& op) { return entry.vacuous(op, input); }));
}

}  // namespace dmlcts
