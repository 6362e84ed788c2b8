#include "conformance/mutants/tamper.h"

#include <algorithm>

#include "conformance/language/operator_syntax.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

void mapElements(const TensorDesc& tensor, std::vector<uint8_t>& bytes, uint64_t base,
                 const MapElement& map) {
  const uint32_t width = info(tensor.type).bytes;
  const auto strides = elementStrides(tensor).value();
  const uint64_t count = elementCount(tensor.sizes).value();
  const std::vector<uint8_t> before = bytes;
  uint64_t index = 0;
  ElementWalk walk(tensor.sizes, strides);
  do {
    const uint64_t at = base + walk.offset() * width;
    storeBits(bytes, at, width, map(index++, count, loadBits(before, at, width)));
  } while (walk.next());
}

// Returns the byte position of a row's column in the coordinates tensor's buffer.
uint64_t rowAddress(const Passage& passage, uint64_t row, uint64_t column) {
  const TensorDesc& coords = nonzero(passage.descriptor)->coords;
  const auto strides = elementStrides(coords).value();
  return passage.outputs[1].offset +
         4 * (row * strides[strides.size() - 2] + column * strides.back());
}

}  // namespace

const TensorDesc& inputTensor(const Passage& passage) {
  return *tensors(passage.descriptor).front().desc;
}

uint64_t GatherParts::tuples() const { return elementCount(indices.sizes).value() / tupleSize(); }

uint64_t GatherParts::blockElements() const {
  return elementCount(output.sizes).value() / tuples();
}

const NonzeroCoordinates* nonzero(const Descriptor& descriptor) {
  return std::get_if<NonzeroCoordinates>(&descriptor);
}

std::optional<GatherParts> gather(const Descriptor& descriptor) {
  return std::visit(
      [](const auto& op) -> std::optional<GatherParts> {
        if constexpr (requires { op.indices; }) {
          GatherParts parts{
              op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
          if constexpr (requires { op.batchDimensionCount; }) {
            parts.batchDimensionCount = op.batchDimensionCount;
          }
          return parts;
        }
        return std::nullopt;
      },
      descriptor);
}

TensorDesc* tensorNamed(Passage& passage, std::string_view slotName) {
  const auto slots = tensors(passage.descriptor);
  const auto found = std::ranges::find(slots, slotName, &TensorSlot::name);
  if (found == slots.end()) return nullptr;
  return mutableTensors(passage.descriptor)[static_cast<size_t>(found - slots.begin())];
}

std::vector<uint64_t> readElements(const Passage& passage, size_t input) {
  const TensorDesc& tensor = *tensors(passage.descriptor)[input].desc;
  const auto strides = elementStrides(tensor).value();
  const uint32_t width = info(tensor.type).bytes;
  std::vector<uint64_t> elements;
  ElementWalk walk(tensor.sizes, strides);
  do {
    elements.push_back(loadBits(passage.inputs[input], walk.offset() * width, width));
  } while (walk.next());
  return elements;
}

void replaceElements(Passage& passage, size_t input, const std::vector<uint64_t>& elements) {
  TensorDesc& tensor = *mutableTensors(passage.descriptor)[input];
  const uint32_t width = info(tensor.type).bytes;
  tensor.strides.reset();
  tensor.totalBytes = minimumTotalBytes(tensor).value();
  passage.inputs[input].assign(tensor.totalBytes, 0);
  for (size_t i = 0; i < elements.size(); ++i) {
    storeBits(passage.inputs[input], i * width, width, elements[i]);
  }
}

void mapInput(Passage& passage, const MapElement& map) {
  mapElements(inputTensor(passage), passage.inputs[0], 0, map);
}

void mapOutput(Passage& passage, const MapElement& map) {
  if (const auto op = gather(passage.descriptor)) {
    gpu::BufferImage& image = passage.outputs[0];
    mapElements(op->output, image.bytes, image.offset, map);
  }
}

uint32_t readCount(const Passage& passage) {
  const gpu::BufferImage& image = passage.outputs[0];
  return static_cast<uint32_t>(loadBits(image.bytes, image.offset, 4));
}

void writeCount(Passage& passage, uint32_t count) {
  gpu::BufferImage& image = passage.outputs[0];
  storeBits(image.bytes, image.offset, 4, count);
}

Rows readRows(const Passage& passage) {
  const uint32_t columns = nonzero(passage.descriptor)->coords.sizes.back();
  Rows rows(readCount(passage), std::vector<uint32_t>(columns));
  for (size_t row = 0; row < rows.size(); ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      rows[row][column] = static_cast<uint32_t>(
          loadBits(passage.outputs[1].bytes, rowAddress(passage, row, column), 4));
    }
  }
  return rows;
}

void writeRows(Passage& passage, const Rows& rows) {
  const std::vector<uint32_t>& sizes = nonzero(passage.descriptor)->coords.sizes;
  const size_t room = std::min<size_t>(rows.size(), sizes[sizes.size() - 2]);
  for (size_t row = 0; row < room; ++row) {
    for (uint32_t column = 0; column < sizes.back(); ++column) {
      storeBits(passage.outputs[1].bytes, rowAddress(passage, row, column), 4, rows[row][column]);
    }
  }
}

void mapIndices(Passage& passage, const MapIndex& map) {
  const auto op = gather(passage.descriptor);
  if (!op) return;
  const uint32_t width = info(op->indices.type).bytes;
  const uint32_t tupleSize = op->tupleSize();
  const size_t firstAxis = op->firstIndexedAxis();
  mapElements(op->indices, passage.inputs[1], 0, [&](uint64_t index, uint64_t, uint64_t bits) {
    const int64_t value = width == 4 && info(op->indices.type).isSigned
                              ? static_cast<int32_t>(static_cast<uint32_t>(bits))
                              : static_cast<int64_t>(bits);
    const size_t axis = index % tupleSize;
    return static_cast<uint64_t>(map(value, axis, op->input.sizes[firstAxis + axis]));
  });
}

void forgetStrides(Passage& passage, std::string_view slotName) {
  const auto slots = tensors(passage.descriptor);
  const auto slot = std::ranges::find(slots, slotName, &TensorSlot::name);
  if (slot == slots.end()) return;
  TensorDesc& tensor = *tensorNamed(passage, slotName);
  tensor.strides.reset();
  if (slot->isOutput) return;  // packed never needs more
  const uint64_t needed = minimumTotalBytes(tensor).value();
  tensor.totalBytes = std::max(tensor.totalBytes, needed);
  std::vector<uint8_t>& bytes = passage.inputs[static_cast<size_t>(slot - slots.begin())];
  if (bytes.size() < needed) bytes.resize(needed, 0);
}

}  // namespace dmlcts
