#include "conformance/run/judging/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "conformance/facts/operators.h"
#include "conformance/run/judging/wrong_element.h"
#include "reference/address_runs.h"
#include "reference/counted.h"
#include "reference/element.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

bool isFull(const Comparison& comparison) {
  return comparison.differences.size() >= kMostDifferences;
}

std::string digits(uint64_t bits, uint32_t bytes) {
  return fmt::format("{:0{}x}", bits, 2 * bytes);
}

// Returns the coordinate of a row-major element index.
std::vector<uint32_t> coordinateOf(std::span<const uint32_t> sizes, uint64_t element) {
  std::vector<uint32_t> coordinate(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0;) {
    coordinate[axis] = static_cast<uint32_t>(element % sizes[axis]);
    element /= sizes[axis];
  }
  return coordinate;
}

// Bytes that hold the poison by chance in 1 of 2^32 cases.
constexpr uint64_t kCertainBytes = 4;

// Adds the defined elements that differ in a part of an output tensor.
void compareElements(const TensorSlot& slot, const BufferPart& part,
                     const ReferenceOutput& expected, const Meaning& meaning,
                     Comparison& comparison) {
  struct Wrong {
    uint64_t element;
    uint64_t at;  // in bytes
    uint64_t want;
    uint64_t have;
    bool isPoison;
  };
  const uint32_t width = info(slot.desc->type).bytes;
  const Placement::Range range = part.place.tensorIn(part.at, part.sent.size());
  const uint64_t inPart = part.place.offset + range.first - part.at;  // tensor begin
  std::vector<Wrong> first;
  uint64_t wrong = 0;
  uint64_t poison = 0;
  const AddressRuns elements(*slot.desc);
  elements.within(range.first / width, (range.first + range.count) / width,
                  [&](const AddressRun& run) {
                    for (uint64_t i = 0; i < run.count; ++i) {
                      const uint64_t at = (run.address + i * run.stride) * width;
                      const uint64_t here = at - range.first;
                      if (expected.status[here] != ByteStatus::Defined) continue;
                      const uint64_t want = loadBits(expected.bytes, here, width);
                      const uint64_t have = loadBits(part.actual, inPart + here, width);
                      if (want == have) continue;
                      const bool isPoison = have == loadBits(part.sent, inPart + here, width);
                      ++wrong;
                      poison += isPoison ? 1 : 0;
                      if (first.size() == kMostDifferences) continue;
                      first.push_back({run.element + i * run.step, at, want, have, isPoison});
                    }
                  });
  const bool certain =
      width >= kCertainBytes || (poison == wrong && wrong * width >= kCertainBytes);
  comparison.wrongElements += wrong;
  const auto noteOf = [&](bool isUnwritten, uint64_t element) {
    const std::string means = meaning ? meaning(element, !isUnwritten) : "";
    if (!isUnwritten) return means;
    return "not written" + (means.empty() ? "" : "; " + means);
  };
  for (const Wrong& each : first) {
    if (isFull(comparison)) break;
    comparison.differences.push_back({std::string(slot.name),
                                      coordinateOf(slot.desc->sizes, each.element), each.at,
                                      digits(each.want, width), digits(each.have, width),
                                      noteOf(each.isPoison && certain, each.element)});
  }
}

// Describes a byte's position in a guarded buffer.
std::string placeOf(const TensorSlot& slot, const Placement& place, uint64_t at) {
  if (!slot.isOutput) return fmt::format("(an input) at byte {} of its buffer", at);
  if (at < place.offset) return counted(place.offset - at, "byte") + " in front of the tensor";
  const uint64_t within = at - place.offset;
  if (within >= place.size) return counted(within - place.size, "byte") + " behind the tensor";
  return fmt::format("byte {}, which belongs to no element", within);
}

// Adds the bytes that changed among `count` bytes of a part.
void compareBytes(const TensorSlot& slot, const BufferPart& part, uint64_t first, uint64_t count,
                  uint64_t& changed, Comparison& comparison) {
  if (std::ranges::equal(part.actual.subspan(first, count), part.sent.subspan(first, count))) {
    return;
  }
  for (uint64_t i = first; i < first + count; ++i) {
    if (part.actual[i] == part.sent[i]) continue;
    ++changed;
    if (isFull(comparison)) continue;
    comparison.differences.push_back({.tensor = std::string(slot.name),
                                      .expected = digits(part.sent[i], 1),
                                      .actual = digits(part.actual[i], 1),
                                      .note = placeOf(slot, part.place, part.at + i)});
  }
}

BufferPart wholeOf(const gpu::BufferImage& sent, std::span<const uint8_t> actual) {
  return {{sent.bytes.size(), sent.offset, sent.size}, 0, sent.bytes, actual};
}

void requireSize(const TensorSlot& slot, size_t sent, size_t received) {
  if (sent == received) return;
  throw std::runtime_error(fmt::format("the worker returned {} for {}, which has {}",
                                       counted(received, "byte"), slot.name, grouped(sent)));
}

}  // namespace

void compareOutput(const TensorSlot& slot, const BufferPart& part, const ReferenceOutput& expected,
                   Comparison& comparison, const Meaning& meaning) {
  const auto requireUntouched = [&](uint64_t first, uint64_t count, uint64_t& touched) {
    compareBytes(slot, part, first, count, touched, comparison);
  };
  const Placement::Range range = part.place.tensorIn(part.at, part.sent.size());
  if (range.count == 0) {
    requireUntouched(0, part.sent.size(), comparison.guardBytes);
    return;
  }
  if (expected.status.size() != range.count) {
    throw std::logic_error(fmt::format("{} bytes of {} are expected, of {} that are there",
                                       expected.status.size(), slot.name, range.count));
  }
  const uint64_t begin = part.place.offset + range.first - part.at;
  const uint64_t end = begin + range.count;
  bool elementsDiffer = false;
  requireUntouched(0, begin, comparison.guardBytes);
  expected.status.forEachRun([&](ByteStatus status, uint64_t first, uint64_t count) {
    if (status == ByteStatus::Untouched) {
      requireUntouched(begin + first, count, comparison.paddingBytes);
    } else if (status == ByteStatus::Undefined && slot.name == "coords") {
      const auto sent = part.sent.subspan(begin + first, count);
      const auto actual = part.actual.subspan(begin + first, count);
      if (std::ranges::equal(actual, sent)) return;  // quick, and nearly always so
      comparison.pastCountBytes +=
          std::inner_product(actual.begin(), actual.end(), sent.begin(), uint64_t{0}, std::plus<>(),
                             std::not_equal_to<>());
    } else if (status == ByteStatus::Defined && !elementsDiffer) {
      elementsDiffer = !std::ranges::equal(part.actual.subspan(begin + first, count),
                                           std::span(expected.bytes).subspan(first, count));
    }
  });
  requireUntouched(end, part.sent.size() - end, comparison.guardBytes);
  if (elementsDiffer) compareElements(slot, part, expected, meaning, comparison);
}

void compareInput(const TensorSlot& slot, const BufferPart& part, Comparison& comparison) {
  compareBytes(slot, part, 0, part.sent.size(), comparison.inputBytes, comparison);
}

void add(Comparison& comparison, Comparison&& other) {
  comparison.wrongElements += other.wrongElements;
  comparison.paddingBytes += other.paddingBytes;
  comparison.pastCountBytes += other.pastCountBytes;
  comparison.guardBytes += other.guardBytes;
  comparison.inputBytes += other.inputBytes;
  for (Difference& each : other.differences) {
    if (!isFull(comparison)) comparison.differences.push_back(std::move(each));
  }
}

Comparison compareOutputs(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                          std::span<const std::vector<uint8_t>> outputs) {
  Comparison comparison;
  const auto slots = tensors(request.descriptor);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const size_t slot = request.inputs.size() + i;
    requireSize(slots[slot], request.outputs[i].bytes.size(), outputs[i].size());
    const BufferPart whole = wholeOf(request.outputs[i], outputs[i]);
    const auto meaning = [&](uint64_t element, bool isWritten) {
      const gpu::BufferImage& first = request.inputs[0];
      return meaningOf(request.descriptor,
                       {.input = std::span(first.bytes).subspan(first.offset, first.size),
                        .expected = expected[i],
                        .actual = whole.actual.subspan(whole.place.offset, whole.place.size),
                        .slot = slot,
                        .element = element,
                        .isWritten = isWritten});
    };
    compareOutput(slots[slot], whole, expected[i], comparison, meaning);
  }
  return comparison;
}

Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Execution& execution) {
  if (execution.outputs.size() != request.outputs.size() ||
      execution.inputs.size() != request.inputs.size()) {
    throw std::runtime_error(fmt::format("the worker returned outputs: {}, inputs: {}",
                                         execution.outputs.size(), execution.inputs.size()));
  }
  Comparison comparison;
  const auto slots = tensors(request.descriptor);
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    requireSize(slots[i], request.inputs[i].bytes.size(), execution.inputs[i].size());
    compareInput(slots[i], wholeOf(request.inputs[i], execution.inputs[i]), comparison);
  }
  add(comparison, compareOutputs(request, expected, execution.outputs));
  return comparison;
}

bool anyDefined(const ReferenceOutput& output) {
  return std::ranges::find(output.status.elements(), ByteStatus::Defined) !=
         output.status.elements().end();
}

std::string vacuousInput(const Descriptor& descriptor, std::span<const uint8_t> input) {
  return std::string(visitEntry(kFactsTable, descriptor, [&](const auto& entry, const auto& op) {
    return entry.vacuous(op, input);
  }));
}

std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected) {
  if (std::ranges::none_of(expected, anyDefined)) return std::string(kNothingDefined);
  const gpu::BufferImage& image = request.inputs[0];
  return vacuousInput(request.descriptor, std::span(image.bytes).subspan(image.offset, image.size));
}

}  // namespace dmlcts
