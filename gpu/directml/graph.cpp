#include "gpu/directml/graph.h"

#include <algorithm>
#include <cstring>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr size_t kLeastRank = 4;  // every level has tensors of 4 dimensions
constexpr size_t kMostRank = 8;

}  // namespace

void Graph::add(dml::Operator* op) {
  nodes_.push_back(
      {dml::kNodeTypeOperator, &operators_.emplace_back(dml::OperatorNodeDesc{op, nullptr})});
}

void Graph::input(UINT node, UINT tensor) {
  const auto number = static_cast<UINT>(inputs_.size());
  inputs_.push_back({dml::kEdgeTypeInput,
                     &inputDescs_.emplace_back(dml::InputEdgeDesc{number, node, tensor, nullptr})});
}

void Graph::output(UINT node, UINT tensor) {
  const auto number = static_cast<UINT>(outputs_.size());
  outputs_.push_back({dml::kEdgeTypeOutput, &outputDescs_.emplace_back(dml::OutputEdgeDesc{
                                                node, tensor, number, nullptr})});
}

void Graph::edge(UINT fromNode, UINT fromOutput, UINT toNode, UINT toInput) {
  edges_.push_back(
      {dml::kEdgeTypeIntermediate, &edgeDescs_.emplace_back(dml::IntermediateEdgeDesc{
                                       fromNode, fromOutput, toNode, toInput, nullptr})});
}

std::shared_ptr<CompiledOperator> Graph::compile(const DirectMlDevice& device,
                                                 uint32_t executionFlags) const {
  ComPtr<dml::Device1> graphs;
  check(device.get()->QueryInterface(dml::kDevice1Id, &graphs),
        "IDMLDevice::QueryInterface for IDMLDevice1");
  dml::GraphDesc graph{};
  graph.inputCount = graph.inputEdgeCount = static_cast<UINT>(inputs_.size());
  graph.outputCount = graph.outputEdgeCount = static_cast<UINT>(outputs_.size());
  graph.nodeCount = static_cast<UINT>(nodes_.size());
  graph.intermediateEdgeCount = static_cast<UINT>(edges_.size());
  graph.nodes = nodes_.data();
  graph.inputEdges = inputs_.data();
  graph.outputEdges = outputs_.data();
  graph.intermediateEdges = edges_.data();
  auto compiled = std::make_shared<CompiledOperator>(device.d3d12());
  check(graphs->CompileGraph(&graph, executionFlags, dml::kCompiledOperatorId, &compiled->dml),
        "IDMLDevice1::CompileGraph");
  compiled->dml->GetBindingProperties(&compiled->properties);
  return compiled;
}

std::optional<NonzeroCoordinates> coordinatesOf(const TensorDesc& tuples,
                                                const BufferImage& image) {
  const size_t columns = tuples.sizes.back();
  if (tuples.type != DataType::UInt32 || tuples.strides || columns == 0 || columns > kMostRank) {
    return std::nullopt;
  }
  std::vector<uint32_t> held(image.size / sizeof(uint32_t));
  std::memcpy(held.data(), image.bytes.data() + image.offset, held.size() * sizeof(uint32_t));
  if (held.empty() || held.size() % columns != 0) return std::nullopt;
  const size_t rows = held.size() / columns;

  // The last tuple has the largest coordinates, which give the input's sizes.
  std::vector<uint32_t> sizes(held.end() - static_cast<ptrdiff_t>(columns), held.end());
  uint64_t elements = 1;
  for (uint32_t& size : sizes) {
    if (size >= rows) return std::nullopt;
    elements *= ++size;
    if (elements > rows) return std::nullopt;
  }
  if (elements != rows) return std::nullopt;
  for (size_t row = 0; row < rows; ++row) {
    size_t position = row;
    for (size_t axis = columns; axis-- > 0; position /= sizes[axis]) {
      if (held[row * columns + axis] != position % sizes[axis]) return std::nullopt;
    }
  }

  const auto packed = [&](DataType type, std::vector<uint32_t> meaning) {
    meaning.insert(meaning.begin(), std::max(columns, kLeastRank) - meaning.size(), 1);
    uint64_t bytes = info(type).bytes;
    for (uint32_t size : meaning) bytes *= size;
    return TensorDesc{type, std::move(meaning), std::nullopt, bytes};
  };
  return NonzeroCoordinates{
      packed(DataType::Float32, sizes), packed(DataType::UInt32, {1}),
      packed(DataType::UInt32, {static_cast<uint32_t>(rows), static_cast<uint32_t>(columns)})};
}

}  // namespace dmlcts::gpu
