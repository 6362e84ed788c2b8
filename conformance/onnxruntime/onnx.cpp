#include "conformance/onnxruntime/onnx.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/language/npy.h"
#include "reference/element.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Bytes = std::span<const uint8_t>;
using Tensors = std::span<const Bytes>;

constexpr int32_t kInt64 = 7;
constexpr uint64_t kOpset = 13;

std::vector<uint32_t> lastSizes(const TensorDesc& tensor, size_t count) {
  return {tensor.sizes.end() - static_cast<ptrdiff_t>(count), tensor.sizes.end()};
}

void append64(std::vector<uint8_t>& bytes, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<uint8_t>(value >> shift));
}

// Converts integers of any width to int64.
std::vector<uint8_t> widened(DataType type, const std::vector<uint8_t>& packed) {
  const uint32_t width = info(type).bytes;
  std::vector<uint8_t> wide;
  for (size_t at = 0; at < packed.size(); at += width) {
    uint64_t bits = loadBits(packed, at, width);
    if (type == DataType::Int32) {
      bits = static_cast<uint64_t>(int64_t{static_cast<int32_t>(static_cast<uint32_t>(bits))});
    }
    append64(wide, bits);
  }
  return wide;
}

template <class Gathering>
OnnxCase gatherNd(const Gathering& op, uint32_t batches, Tensors inputs, Tensors outputs) {
  const int32_t type = onnxType(op.input.type);
  const size_t rank = size_t{op.inputDimensionCount} + op.indicesDimensionCount - 1 -
                      op.indices.sizes.back() - batches;
  return {"GatherND",
          {},
          {{"input", type, lastSizes(op.input, op.inputDimensionCount),
            packedElements(op.input, inputs[0])},
           {"indices", kInt64, lastSizes(op.indices, op.indicesDimensionCount),
            widened(op.indices.type, packedElements(op.indices, inputs[1]))}},
          {"output", type, lastSizes(op.output, rank), packedElements(op.output, outputs[0])}};
}

OnnxCase translateGatherNd(const GatherNd& op, Tensors inputs, Tensors outputs) {
  return gatherNd(op, 0, inputs, outputs);
}

OnnxCase translateGatherNd1(const GatherNd1& op, Tensors inputs, Tensors outputs) {
  OnnxCase onnx = gatherNd(op, op.batchDimensionCount, inputs, outputs);
  if (op.batchDimensionCount > 0) onnx.attributes["batch_dims"] = op.batchDimensionCount;
  return onnx;
}

OnnxCase translateNonzero(const NonzeroCoordinates& op, Tensors inputs, Tensors outputs) {
  const uint32_t columns = op.coords.sizes.back();
  const auto packed = packedElements(op.coords, outputs[1]);
  const auto rows = static_cast<uint32_t>(
      std::min<uint64_t>(loadBits(outputs[0], 0, 4), packed.size() / 4 / columns));
  std::vector<uint8_t> coordinates;
  for (uint32_t column = 0; column < columns; ++column) {
    for (uint32_t row = 0; row < rows; ++row) {
      append64(coordinates, loadBits(packed, (uint64_t{row} * columns + column) * 4, 4));
    }
  }
  return {"NonZero",
          {},
          {{"input", onnxType(op.input.type), lastSizes(op.input, columns),
            packedElements(op.input, inputs[0])}},
          {"output", kInt64, {columns, rows}, std::move(coordinates)}};
}

bool hasNonZeroKernel(DataType type) {
  return type == DataType::Float32 || type == DataType::Int32 || type == DataType::UInt8;
}

// ONNX's equivalent of an operator.
template <class Operator>
struct OnnxEntry {
  // Null if ONNX has no such operator.
  OnnxCase (*translate)(const Operator& op, Tensors inputs, Tensors outputs);
  // True if ONNX Runtime's CPU provider supports inputs of that type; null if it supports all.
  bool (*hasKernel)(DataType type);
};

constexpr PerOperator<OnnxEntry> kOnnx{
    OnnxEntry<GatherNd>{translateGatherNd, nullptr},
    OnnxEntry<NonzeroCoordinates>{translateNonzero, hasNonZeroKernel},
    OnnxEntry<GatherNd1>{translateGatherNd1, nullptr},
};

// The wire format of protocol buffers, and the messages of onnx.proto used here.

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7) bytes += static_cast<char>(value % 128 | 128);
  return bytes + static_cast<char>(value);
}

std::string number(uint32_t field, uint64_t value) {
  return varint(uint64_t{field} * 8) + varint(value);
}

std::string text(uint32_t field, const std::string& content) {
  return varint(uint64_t{field} * 8 + 2) + varint(content.size()) + content;
}

// ValueInfoProto { name, type: TypeProto { tensor_type: { elem_type } } }
std::string value(const OnnxTensor& tensor) {
  return text(1, tensor.name) + text(2, text(1, number(1, static_cast<uint64_t>(tensor.type))));
}

// AttributeProto { name, i, type: INT }
std::string attribute(const std::string& name, uint64_t of) {
  return text(1, name) + number(3, of) + number(20, 2);
}

}  // namespace

int32_t onnxType(DataType type) {
  switch (type) {
    case DataType::Float32:
      return 1;
    case DataType::UInt8:
      return 2;
    case DataType::Int8:
      return 3;
    case DataType::UInt16:
      return 4;
    case DataType::Int16:
      return 5;
    case DataType::Int32:
      return 6;
    case DataType::Int64:
      return kInt64;
    case DataType::Float16:
      return 10;
    case DataType::Float64:
      return 11;
    case DataType::UInt32:
      return 12;
    case DataType::UInt64:
      return 13;
    default:
      return 0;
  }
}

std::string whyNotOnnx(const Descriptor& descriptor) {
  const bool known = visitEntry(
      kOnnx, descriptor, [](const auto& entry, const auto&) { return bool(entry.translate); });
  if (!known) return "ONNX has no such operator";
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (onnxType(slot.desc->type) == 0) {
      return std::string("ONNX has no ") + std::string(info(slot.desc->type).dmlName);
    }
  }
  return "";
}

bool onnxRuntimeHasKernel(const Descriptor& descriptor) {
  return visitEntry(kOnnx, descriptor, [](const auto& entry, const auto& op) {
    return entry.translate && (!entry.hasKernel || entry.hasKernel(op.input.type));
  });
}

OnnxCase onnxCase(const Descriptor& descriptor, Tensors inputs, Tensors outputs) {
  if (const std::string why = whyNotOnnx(descriptor); !why.empty()) {
    throw std::invalid_argument(why);
  }
  return visitEntry(kOnnx, descriptor, [&](const auto& entry, const auto& op) {
    return entry.translate(op, inputs, outputs);
  });
}

std::string onnxModel(const OnnxCase& onnx) {
  std::string node, graphInputs;
  for (const OnnxTensor& input : onnx.inputs) {
    node += text(1, input.name);
    graphInputs += text(11, value(input));
  }
  node += text(2, onnx.output.name) + text(4, onnx.opType);
  for (const auto& [name, of] : onnx.attributes) node += text(5, attribute(name, of));
  const std::string graph =
      text(1, node) + text(2, onnx.opType) + graphInputs + text(12, value(onnx.output));
  return number(1, 8) + text(7, graph) + text(8, number(2, kOpset));
}

}  // namespace dmlcts
