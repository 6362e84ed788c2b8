#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reference/descriptor.h"

// Cases as ONNX nodes: leading 1s are dropped, indices are int64, coordinates are in columns, and
// tensors have no layout, only row-major elements.

namespace dmlcts {

struct OnnxTensor {
  std::string name;
  int32_t type = 0;  // TensorProto.DataType
  std::vector<uint32_t> sizes;
  std::vector<uint8_t> bytes;  // packed, little-endian
};

// A node and its tensors. The output holds the expected elements.
struct OnnxCase {
  std::string opType;
  std::map<std::string, uint32_t> attributes;
  std::vector<OnnxTensor> inputs;
  OnnxTensor output;
};

// Returns TensorProto.DataType.
int32_t onnxType(DataType type);

// Returns why ONNX has no such node, or "". Ignores memory layout.
std::string whyNotOnnx(const Descriptor& descriptor);

// True if ONNX Runtime's CPU provider computes it.
bool onnxRuntimeHasKernel(const Descriptor& descriptor);

// `inputs` and `outputs` are the bytes of each tensor, in slot order. Throws std::invalid_argument
// with the text of whyNotOnnx().
OnnxCase onnxCase(const Descriptor& descriptor, std::span<const std::span<const uint8_t>> inputs,
                  std::span<const std::span<const uint8_t>> outputs);

// Returns a serialized ModelProto of the node with free dimensions.
std::string onnxModel(const OnnxCase& onnx);

}  // namespace dmlcts
