#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// Cases in ONNX's terms: dimension counts drop leading ones, indices are int64, coordinates are in
// columns, and there is no layout, only elements in ascending index.

namespace dmlcts {

struct OnnxTensor {
  std::string name;
  int32_t type = 0;  // TensorProto.DataType
  std::vector<uint32_t> sizes;
  std::vector<uint8_t> bytes;  // packed, little-endian
};

// A node and its tensors. An output holds what is expected.
struct OnnxCase {
  std::string opType;
  std::map<std::string, uint32_t> attributes;
  std::vector<OnnxTensor> inputs;
  OnnxTensor output;
};

// TensorProto.DataType
int32_t onnxType(DataType type);

// Why ONNX has no such node, or "". What the tensors hold in memory is no part of it.
std::string whyNotOnnx(const Descriptor& descriptor);

// Whether ONNX Runtime's CPU provider computes it.
bool onnxRuntimeHasKernel(const Descriptor& descriptor);

// `inputs` and `outputs`: the bytes of each tensor, in slot order. Throws std::invalid_argument
// with whyNotOnnx().
OnnxCase onnxCase(const Descriptor& descriptor, std::span<const std::span<const uint8_t>> inputs,
                  std::span<const std::span<const uint8_t>> outputs);

// A ModelProto of the node alone, with free dimensions; and a TensorProto.
std::string onnxModel(const OnnxCase& onnx);
std::string onnxTensor(const OnnxTensor& tensor);

}  // namespace dmlcts
