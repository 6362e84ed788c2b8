#include "conformance/inputs/inputs.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "conformance/inputs/index_fill.h"
#include "conformance/inputs/problems.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/inputs/value_fill.h"
#include "conformance/language/element_text.h"
#include "conformance/language/hash.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Calls `visit(element, byte offset)` for every element in ascending order.
template <class Visit>
void forEachElement(const TensorDesc& tensor, const Visit& visit) {
  const uint32_t width = info(tensor.type).bytes;
  const uint64_t count = elementCount(tensor.sizes).value();
  if (!tensor.strides) {
    for (uint64_t element = 0; element < count; ++element) visit(element, element * width);
    return;
  }
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  uint64_t element = 0;
  do {
    visit(element++, walk.offset() * width);
  } while (walk.next());
}

// Calls `write(first, bits)`, then `visit(first, bits)`, block by block in ascending order, until
// `visit` returns false.
template <class Write, class Visit>
void inBlocks(uint64_t count, const Write& write, const Visit& visit) {
  std::array<uint64_t, 1024> block;
  for (uint64_t first = 0; first < count; first += block.size()) {
    const auto bits = std::span(block).first(std::min<uint64_t>(block.size(), count - first));
    write(first, bits);
    if (!visit(first, bits)) return;
  }
}

// Stores the elements that `write` provides, in ascending order.
template <class Write>
void storeElements(std::vector<uint8_t>& bytes, const TensorDesc& tensor, const Write& write) {
  const uint32_t width = info(tensor.type).bytes;
  const uint64_t count = elementCount(tensor.sizes).value();
  if (!tensor.strides) {
    inBlocks(count, write, [&](uint64_t first, std::span<const uint64_t> bits) {
      for (uint64_t each : bits) storeBits(bytes, first++ * width, width, each);
      return true;
    });
    return;
  }
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  inBlocks(count, write, [&](uint64_t, std::span<const uint64_t> bits) {
    for (uint64_t each : bits) {
      storeBits(bytes, walk.offset() * width, width, each);
      walk.next();
    }
    return true;
  });
}

// Returns the tensor's bytes with gaps and tail filled. Elements are written afterwards.
template <class Gap>
std::vector<uint8_t> bytesWithGaps(const TensorDesc& tensor, const Gap& gap) {
  std::vector<uint8_t> bytes(tensor.totalBytes);
  const uint64_t elements = elementCount(tensor.sizes).value() * info(tensor.type).bytes;
  const uint64_t firstGap = tensor.strides ? 0 : elements / 8;
  for (uint64_t word = firstGap; word * 8 < bytes.size(); ++word) {
    const auto width = static_cast<uint32_t>(std::min<uint64_t>(8, bytes.size() - word * 8));
    storeBits(bytes, word * 8, width, gap(word));
  }
  return bytes;
}

std::vector<uint8_t> valueBytes(const TensorDesc& tensor, const Fill& fill, uint64_t seed) {
  const ValueFill values(fill, tensor.type, elementCount(tensor.sizes).value(), seed);
  auto bytes = bytesWithGaps(tensor, [&](uint64_t word) { return values.gap(word); });
  storeElements(bytes, tensor,
                [&](uint64_t first, std::span<uint64_t> bits) { values.write(first, 1, bits); });
  return bytes;
}

constexpr uint64_t kIndexGaps = 18;  // a stream

// Makes a gap read as an index far out of range.
uint64_t indexGap(const Stream& gaps, uint64_t word) { return gaps[word] | 0x4040404040404040u; }

std::vector<uint8_t> indexBytes(const TensorDesc& tensor, std::vector<uint32_t> dimensions,
                                const IndexFill& fill, uint64_t seed) {
  const IndexElements indices(fill, tensor.type, std::move(dimensions), seed);
  const Stream gaps(seed, kIndexGaps);
  auto bytes = bytesWithGaps(tensor, [&](uint64_t word) { return indexGap(gaps, word); });
  if (!elementsOverlap(tensor).value_or(true)) {
    storeElements(bytes, tensor, [&](uint64_t first, std::span<uint64_t> bits) {
      indices.write(first, 1, UINT32_MAX, bits);
    });
    return bytes;
  }
  // Coordinates that share an address must be in range for each of their dimensions.
  const uint32_t width = info(tensor.type).bytes;
  std::vector<uint32_t> bounds(tensor.totalBytes / width, UINT32_MAX);
  forEachElement(tensor, [&](uint64_t element, uint64_t offset) {
    bounds[offset / width] = std::min(bounds[offset / width], indices.dimension(element));
  });
  forEachElement(tensor, [&](uint64_t element, uint64_t offset) {
    storeBits(bytes, offset, width, indices.bits(element, bounds[offset / width]));
  });
  return bytes;
}

}  // namespace

std::vector<uint32_t> indexedDimensions(const Descriptor& descriptor) {
  return withGather(descriptor, [](const Gather& op) {
    const auto first = op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputRank - op.batchRank);
    return std::vector<uint32_t>(first, first + static_cast<ptrdiff_t>(op.tupleSize()));
  });
}

std::vector<std::vector<uint8_t>> makeInputs(const Case& testCase) {
  if (const auto problem = inputProblem(testCase)) throw std::invalid_argument(*problem);
  if (const NpyFill* npy = unreadFill(testCase)) {
    throw std::invalid_argument(npy->file + " was not read");
  }
  const auto slots = tensors(testCase.descriptor);
  const auto indices = indicesSlot(testCase.descriptor);
  std::vector<std::vector<uint8_t>> inputs;
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    const TensorDesc& tensor = *slots[slot].desc;
    if (slots[slot].isOutput) continue;
    inputs.push_back(slot == indices ? indexBytes(tensor, indexedDimensions(testCase.descriptor),
                                                  testCase.index, testCase.seed)
                                     : valueBytes(tensor, testCase.fill, testCase.seed));
  }
  return inputs;
}

InputContent inputContent(const Case& testCase, size_t slot) {
  const TensorDesc& tensor = *tensors(testCase.descriptor)[slot].desc;
  if (slot != indicesSlot(testCase.descriptor)) {
    const auto values = std::make_shared<ValueFill>(
        testCase.fill, tensor.type, elementCount(tensor.sizes).value(), testCase.seed);
    return {[values](uint64_t first, uint64_t step, std::span<uint64_t> bits) {
              values->write(first, step, bits);
            },
            [values](uint64_t word) { return values->gap(word); }};
  }
  const std::vector<uint32_t> dimensions = indexedDimensions(testCase.descriptor);
  const auto indices =
      std::make_shared<IndexElements>(testCase.index, tensor.type, dimensions, testCase.seed);
  const bool shared = tensor.strides && tensor.strides->back() == 0;
  const uint64_t most = shared ? std::ranges::min(dimensions) : UINT32_MAX;
  return {
      [indices, most](uint64_t first, uint64_t step, std::span<uint64_t> bits) {
        indices->write(first, step, most, bits);
      },
      [gaps = Stream(testCase.seed, kIndexGaps)](uint64_t word) { return indexGap(gaps, word); }};
}

bool indicesInRange(const Case& testCase, const std::vector<std::vector<uint8_t>>& inputs) {
  const auto slot = indicesSlot(testCase.descriptor);
  if (!slot) return true;
  const TensorDesc& indices = *tensors(testCase.descriptor)[*slot].desc;
  const uint32_t width = info(indices.type).bytes;
  const bool isSigned = info(indices.type).isSigned;
  const auto dimensions = indexedDimensions(testCase.descriptor);
  const uint32_t unused = 64 - 8 * width;
  bool all = true;
  forEachElement(indices, [&](uint64_t element, uint64_t offset) {
    const uint64_t bits = loadBits(inputs[*slot], offset, width);
    const uint64_t size = dimensions[element % dimensions.size()];
    const auto index = static_cast<int64_t>(bits << unused) >> unused;
    const bool fromEnd = isSigned && index < 0;
    all = all && (fromEnd ? index >= -static_cast<int64_t>(size) : bits < size);
  });
  return all;
}

bool asksOutOfRange(const Case& testCase) {
  const IndexKind kind = testCase.index.kind;
  const bool isAny = kind == IndexKind::Wild || kind == IndexKind::Values || kind == IndexKind::Npy;
  return isAny && testCase.expect == Expect::Execute && !unreadFill(testCase) &&
         tensorBytes(testCase) <= kMostHeldBytes && !indicesInRange(testCase, makeInputs(testCase));
}

void visitInputElements(const Case& testCase, size_t slot,
                        const std::function<bool(std::span<const uint64_t>)>& visit) {
  if (unreadFill(testCase)) return;
  const TensorDesc& tensor = *tensors(testCase.descriptor)[slot].desc;
  const uint64_t count = elementCount(tensor.sizes).value();
  // The bytes decide which of the sharing elements survives.
  if (elementsOverlap(tensor).value_or(true)) {
    const std::vector<uint8_t> bytes = makeInputs(testCase)[slot];
    const uint32_t width = info(tensor.type).bytes;
    const std::vector<uint64_t> strides = elementStrides(tensor).value();
    ElementWalk walk(tensor.sizes, strides);
    const auto load = [&](uint64_t, std::span<uint64_t> bits) {
      for (uint64_t& each : bits) {
        each = loadBits(bytes, walk.offset() * width, width);
        walk.next();
      }
    };
    inBlocks(count, load, [&](uint64_t, std::span<const uint64_t> bits) { return visit(bits); });
    return;
  }
  const InputContent content = inputContent(testCase, slot);
  const auto write = [&](uint64_t first, std::span<uint64_t> bits) {
    content.elements(first, 1, bits);
    for (uint64_t& each : bits) each &= elementMask(tensor.type);
  };
  inBlocks(count, write, [&](uint64_t, std::span<const uint64_t> bits) { return visit(bits); });
}

std::vector<uint64_t> inputElements(const Case& testCase, size_t slot) {
  if (const auto problem = inputProblem(testCase)) throw std::invalid_argument(*problem);
  std::vector<uint64_t> elements;
  visitInputElements(testCase, slot, [&](std::span<const uint64_t> bits) {
    elements.insert(elements.end(), bits.begin(), bits.end());
    return true;
  });
  return elements;
}

uint64_t bindingOffset(const Case& testCase, size_t slot) {
  if (testCase.offsets[slot]) return *testCase.offsets[slot];
  const Descriptor& descriptor = testCase.descriptor;
  uint64_t state = mix64(testCase.seed + 1);
  for (const TensorSlot& each : tensors(descriptor)) {
    state = mix64(state + each.desc->totalBytes);
    for (uint32_t size : each.desc->sizes) state = mix64(state + size);
  }
  constexpr uint64_t kStep = kMinimumBufferTensorAlignment;
  constexpr uint64_t kChoices = 16;
  // An odd multiple of the guaranteed alignment just meets it.
  if (const uint64_t guaranteed = tensors(descriptor)[slot].desc->baseOffsetAlignment;
      guaranteed >= kStep) {
    return guaranteed * (1 + 2 * (mix64(state + slot) % (guaranteed > 256 ? 1 : 4)));
  }
  return kStep * (1 + mix64(state + slot) % kChoices);
}

}  // namespace dmlcts
