#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/directml/compiled.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// A DirectML graph under construction. Numbers its inputs and outputs in the order of addition.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void add(dml::Operator* op);
  void input(UINT node, UINT tensor);
  void output(UINT node, UINT tensor);
  void edge(UINT fromNode, UINT fromOutput, UINT toNode, UINT toInput);

  // Throws D3D12Error.
  std::shared_ptr<CompiledOperator> compile(const DirectMlDevice& device,
                                            uint32_t executionFlags) const;

 private:
  // Deques, because the lists point into them.
  std::deque<dml::OperatorNodeDesc> operators_;
  std::deque<dml::InputEdgeDesc> inputDescs_;
  std::deque<dml::OutputEdgeDesc> outputDescs_;
  std::deque<dml::IntermediateEdgeDesc> edgeDescs_;
  std::vector<dml::NodeDesc> nodes_;
  std::vector<dml::EdgeDesc> inputs_;
  std::vector<dml::EdgeDesc> outputs_;
  std::vector<dml::EdgeDesc> edges_;
};

// Returns a NONZERO_COORDINATES whose coordinates are these tuples, if one exists. Its FLOAT32
// input has one element per tuple, none zero; its outputs are packed. Empty if no input has such
// coordinates or the tuples are not packed UINT32.
std::optional<NonzeroCoordinates> coordinatesOf(const TensorDesc& tuples, const BufferImage& image);

}  // namespace dmlcts::gpu
