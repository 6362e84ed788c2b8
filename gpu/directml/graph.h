#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/directml/compiled.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// A graph of DirectML, as nodes and edges are added. Its own inputs and outputs are numbered in the
// order in which they are.
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
  // Stay where they are: the lists point at them.
  std::deque<dml::OperatorNodeDesc> operators_;
  std::deque<dml::InputEdgeDesc> inputDescs_;
  std::deque<dml::OutputEdgeDesc> outputDescs_;
  std::deque<dml::IntermediateEdgeDesc> edgeDescs_;
  std::vector<dml::NodeDesc> nodes_;
  std::vector<dml::EdgeDesc> inputs_;
  std::vector<dml::EdgeDesc> outputs_;
  std::vector<dml::EdgeDesc> edges_;
};

// NONZERO_COORDINATES of an input with an element for each of these tuples, which are its
// coordinates, in order, where none of its elements is zero: FLOAT32, and its outputs are packed.
// Nothing where no input has such coordinates, or the tuples are not packed UINT32.
std::optional<NonzeroCoordinates> coordinatesOf(const TensorDesc& tuples, const BufferImage& image);

}  // namespace dmlcts::gpu
