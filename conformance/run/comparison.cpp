#include "conformance/run/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/operators.h"
#include "conformance/run/meaning.h"
#include "reference/address_runs.h"
#include "reference/counted.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr size_t kMostDifferences = 8;

class Differences {
 public:
  explicit Differences(Comparison& comparison) : comparison_(comparison) {}

  bool full() const { return comparison_.differences.size() >= kMostDifferences; }

  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    if (!full()) {
      comparison_.differences.push_back(fmt::format(text, std::forward<Args>(args)...));
    }
  }

 private:
  Comparison& comparison_;
};

// Returns the coordinate of a row-major element index.
std::string coordinateText(std::span<const uint32_t> sizes, uint64_t element) {
  std::vector<uint64_t> coordinate(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0;) {
    coordinate[axis] = element % sizes[axis];
    element /= sizes[axis];
  }
  return fmt::format("[{}]", fmt::join(coordinate, ","));
}

// Bytes that hold the poison by chance in 1 of 2^32 cases.
constexpr uint64_t kCertainBytes = 4;

// Counts the defined elements that differ in a part of an output tensor.
uint64_t countWrongElements(const TensorSlot& slot, const BufferPart& part,
                            const ReferenceOutput& expected, const Meaning& meaning,
                            Differences& differences) {
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
  for (const Wrong& each : first) {
    if (differences.full()) break;
    std::string remark;
    if (each.isPoison && certain) {
      remark = "not written";
    } else if (meaning) {
      remark = meaning(each.element);
    }
    if (!remark.empty()) remark = fmt::format(" ({})", remark);
    differences.add("{}{} at byte {}: expected 0x{:0{}x}, actual 0x{:0{}x}{}", slot.name,
                    coordinateText(slot.desc->sizes, each.element), each.at, each.want, 2 * width,
                    each.have, 2 * width, remark);
  }
  return wrong;
}

// Describes a byte's position in a guarded buffer.
std::string placeOf(const Placement& place, uint64_t at) {
  if (at < place.offset) return counted(place.offset - at, "byte") + " in front of the tensor";
  const uint64_t within = at - place.offset;
  if (within >= place.size) return counted(within - place.size, "byte") + " behind the tensor";
  return fmt::format("byte {}, which belongs to no element", within);
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
  Differences differences(comparison);
  const auto requireUntouched = [&](uint64_t first, uint64_t count, uint64_t& touched) {
    if (std::ranges::equal(part.actual.subspan(first, count), part.sent.subspan(first, count))) {
      return;
    }
    for (uint64_t i = first; i < first + count; ++i) {
      if (part.actual[i] == part.sent[i]) continue;
      ++touched;
      differences.add("{} {}: held 0x{:02x}, now 0x{:02x}", slot.name,
                      placeOf(part.place, part.at + i), part.sent[i], part.actual[i]);
    }
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
      for (uint64_t i = begin + first; i < begin + first + count; ++i)
        comparison.pastCountBytes += part.actual[i] == part.sent[i] ? 0 : 1;
    } else if (status == ByteStatus::Defined && !elementsDiffer) {
      elementsDiffer = !std::ranges::equal(part.actual.subspan(begin + first, count),
                                           std::span(expected.bytes).subspan(first, count));
    }
  });
  requireUntouched(end, part.sent.size() - end, comparison.guardBytes);
  if (elementsDiffer) {
    comparison.wrongElements += countWrongElements(slot, part, expected, meaning, differences);
  }
}

void compareInput(const TensorSlot& slot, const BufferPart& part, Comparison& comparison) {
  if (std::ranges::equal(part.actual, part.sent)) return;
  Differences differences(comparison);
  for (uint64_t i = 0; i < part.actual.size(); ++i) {
    if (part.actual[i] == part.sent[i]) continue;
    ++comparison.inputBytes;
    differences.add("{} (an input) at byte {} of its buffer: held 0x{:02x}, now 0x{:02x}",
                    slot.name, part.at + i, part.sent[i], part.actual[i]);
  }
}

void add(Comparison& comparison, Comparison&& other) {
  comparison.wrongElements += other.wrongElements;
  comparison.paddingBytes += other.paddingBytes;
  comparison.pastCountBytes += other.pastCountBytes;
  comparison.guardBytes += other.guardBytes;
  comparison.inputBytes += other.inputBytes;
  for (std::string& line : other.differences) {
    if (comparison.differences.size() == kMostDifferences) break;
    comparison.differences.push_back(std::move(line));
  }
}

Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Answer& answer) {
  Comparison comparison;
  if (answer.outputs.size() != request.outputs.size() ||
      answer.inputs.size() != request.inputs.size()) {
    throw std::runtime_error(fmt::format("the worker returned outputs: {}, inputs: {}",
                                         answer.outputs.size(), answer.inputs.size()));
  }
  size_t input = 0;
  size_t output = 0;
  const auto slots = tensors(request.descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorSlot& slot = slots[i];
    if (slot.isOutput) {
      requireSize(slot, request.outputs[output].bytes.size(), answer.outputs[output].size());
      const BufferPart whole = wholeOf(request.outputs[output], answer.outputs[output]);
      const auto meaning = [&](uint64_t element) {
        const gpu::BufferImage& first = request.inputs[0];
        return meaningOf(request.descriptor,
                         {.input = std::span(first.bytes).subspan(first.offset, first.size),
                          .expected = expected[output],
                          .actual = whole.actual.subspan(whole.place.offset, whole.place.size),
                          .slot = i,
                          .element = element});
      };
      compareOutput(slot, whole, expected[output], comparison, meaning);
      ++output;
    } else {
      requireSize(slot, request.inputs[input].bytes.size(), answer.inputs[input].size());
      compareInput(slot, wholeOf(request.inputs[input], answer.inputs[input]), comparison);
      ++input;
    }
  }
  return comparison;
}

bool anyDefined(const ReferenceOutput& output) {
  return std::ranges::find(output.status.elements(), ByteStatus::Defined) !=
         output.status.elements().end();
}

std::string vacuousInput(const Descriptor& descriptor, std::span<const uint8_t> input) {
  return std::string(visitEntry(kCaseTable, descriptor, [&](const auto& entry, const auto& op) {
    return entry.vacuous(op, input);
  }));
}

std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected) {
  if (std::ranges::none_of(expected, anyDefined)) return std::string(kNothingDefined);
  const gpu::BufferImage& image = request.inputs[0];
  return vacuousInput(request.descriptor, std::span(image.bytes).subspan(image.offset, image.size));
}

}  // namespace dmlcts
