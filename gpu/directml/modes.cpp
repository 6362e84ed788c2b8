#include "gpu/directml/modes.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "gpu/d3d12/device/error.h"
#include "gpu/directml/compiled.h"
#include "gpu/directml/operators.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

namespace {

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

constexpr size_t kLeastRank = 4;  // every level has tensors of 4 dimensions
constexpr size_t kMostRank = 8;

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

// Returns a NONZERO_COORDINATES whose coordinates are these tuples, if one exists. Its FLOAT32
// input has one element per tuple, none zero; its outputs are packed. Empty if no input has such
// coordinates or the tuples are not packed UINT32.
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

constexpr size_t kOthers = 3;  // further operators that share the initializer
constexpr uint64_t kOtherBytes = DirectMlProgram::kOtherBytes;

uint32_t flagsOf(const Modes& modes) {
  uint32_t flags = dml::kExecutionFlagNone;
  if (modes.has(Mode::HalfPrecision)) flags |= dml::kExecutionFlagHalfPrecision;
  if (modes.has(Mode::NoMetacommands)) flags |= dml::kExecutionFlagNoMetacommands;
  if (modes.has(Mode::Volatile)) flags |= dml::kExecutionFlagVolatile;
  return flags;
}

}  // namespace

DirectMlModes::DirectMlModes(const DirectMlDevice& device, const ModeMutant* mutant)
    : device_(device),
      mutant_(mutant),
      ownBuffer_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"a mode's tensor"),
      upload_(device.d3d12(), D3D12_HEAP_TYPE_UPLOAD, L"a mode's tensor, upload"),
      otherBuffer_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"tensors of another operator"),
      reused_(device) {}

DirectMlModes::Taken DirectMlModes::take(const Request& request) {
  executionFlags_ = flagsOf(request.modes);
  owned_.reset();
  ones_.reset();
  if (request.modes.has(Mode::OwnedByDml)) {
    owned_ = {request.inputs.size() - 1, request.inputs.back().size};
  }
  const CreatedOperator created = createOperator(
      device_, request.descriptor, owned_ ? std::optional(owned_->input) : std::nullopt);
  if (FAILED(created.result)) return {created.result, nullptr};
  if (request.modes.has(Mode::Graph)) {
    compiled_ = compileGraph(request, created.op.Get());
  } else if (request.modes.has(Mode::NonzeroGraph)) {
    compiled_ = compileNonzeroGraph(request, created.op.Get());
  } else {
    compiled_ = compile(device_, created.op.Get(), executionFlags_);
  }
  initialise(request);
  auto op = std::make_shared<DirectMlProgram::Operator>(
      DirectMlProgram::Operator{request.descriptor, created.op, compiled_});
  if (owned_) op->elsewhere = owned_->input;
  if (ones_) {
    op->elsewhere = ones_->input;
    op->elsewhereBuffer = ownBuffer_.get();
    op->elsewhereBytes = ones_->bytes;
    op->further = true;
  }
  if (request.modes.has(Mode::Reset)) op->before = &other(0);
  if (ones_ || op->before) {
    otherBuffer_.reserve(2 * DirectMlProgram::kOtherRange);
    op->others = otherBuffer_.get();
  }
  op->late = request.modes.has(Mode::Volatile);
  // All mutants of DirectML's own modes but one lose every dispatch.
  op->lost = mutant_ && request.modes.has(mutant_->mode) && !takes("d3d12", mutant_->mode) &&
             mutant_->mode != Mode::OwnedByDml;
  return {created.result, std::move(op)};
}

// The graph's tensors are those of its only node, in the same order.
std::shared_ptr<CompiledOperator> DirectMlModes::compileGraph(const Request& request,
                                                              dml::Operator* op) const {
  Graph graph;
  graph.add(op);
  for (UINT i = 0; i < request.inputs.size(); ++i) graph.input(0, i);
  for (UINT i = 0; i < request.outputs.size(); ++i) graph.output(0, i);
  return graph.compile(device_, executionFlags_);
}

// Builds the same graph, but one input comes from a NONZERO_COORDINATES node, whose count is the
// graph's last output.
std::shared_ptr<CompiledOperator> DirectMlModes::compileNonzeroGraph(const Request& request,
                                                                     dml::Operator* op) {
  const std::string modes = "mode " + std::string(modeInfo(Mode::NonzeroGraph).name) + ": ";
  const auto input = visitEntry(kDirectMl, request.descriptor,
                                [](const auto& entry, const auto&) { return entry.coordinates; });
  if (!input) throw std::invalid_argument(modes + "the operator has no indices");
  if (owned_) throw std::invalid_argument(modes + "its indices cannot be OWNED_BY_DML");
  const auto nonzero =
      coordinatesOf(*tensors(request.descriptor)[*input].desc, request.inputs[*input]);
  if (!nonzero) {
    throw std::invalid_argument(modes +
                                "its indices are not the coordinates of every element of a "
                                "tensor in order, packed UINT32");
  }
  const CreatedOperator created = createOperator(device_, *nonzero);
  check(created.result, "IDMLDevice::CreateOperator of NONZERO_COORDINATES");
  ones_ = {*input, nonzero->input.totalBytes};
  const std::vector<float> ones(ones_->bytes / sizeof(float), 1);
  stageOwn({reinterpret_cast<const uint8_t*>(ones.data()), ones_->bytes});
  copyToOwn(false);

  Graph graph;
  graph.add(op);
  graph.add(created.op.Get());
  for (UINT i = 0; i < request.inputs.size(); ++i) {
    if (i == *input) {
      graph.input(1, 0);
      graph.edge(1, 1, 0, i);
    } else {
      graph.input(0, i);
    }
  }
  for (UINT i = 0; i < request.outputs.size(); ++i) graph.output(0, i);
  graph.output(1, 0);
  return graph.compile(device_, executionFlags_);
}

void DirectMlModes::initialise(const Request& request) {
  std::vector<dml::BufferBinding> inputs;
  if (owned_) {
    const BufferImage& image = request.inputs[owned_->input];
    stageOwn(std::span(image.bytes).subspan(image.offset, image.size));
    copyToOwn(isWrong(request, Mode::OwnedByDml));
    inputs.resize(request.inputs.size(), {nullptr, 0, 0});
    inputs[owned_->input] = {ownBuffer_.get(), 0, owned_->bytes};
  }
  std::vector<CompiledOperator*> operators;
  if (request.modes.has(Mode::BatchInit)) {
    for (size_t i = 0; i < kOthers; ++i) operators.push_back(&other(i));
  }
  operators.push_back(compiled_.get());
  if (request.modes.has(Mode::Reset)) {
    CompiledOperator* const before[] = {&other(0)};
    reused_.run(before);
    reused_.run(operators, inputs);
  } else {
    Initialization(device_).run(operators, inputs);
  }
  // Overwrites the input: DirectML has its own copy.
  if (owned_) copyToOwn(true);
}

// Returns an ELEMENT_WISE_IDENTITY of one element.
CompiledOperator& DirectMlModes::other(size_t index) {
  while (others_.size() <= index) {
    static constexpr UINT kOne = 1;
    const dml::BufferTensorDesc element{
        static_cast<uint32_t>(DataType::Float32), 0, 1, &kOne, nullptr, kOtherBytes, 0};
    const dml::TensorDesc tensor{dml::kTensorTypeBuffer, &element};
    const dml::ElementWiseIdentityDesc identity{&tensor, &tensor, nullptr};
    const dml::OperatorDesc desc{dml::kOperatorElementWiseIdentity, &identity};
    ComPtr<dml::Operator> op;
    check(device_.get()->CreateOperator(&desc, dml::kOperatorId, &op),
          "IDMLDevice::CreateOperator of ELEMENT_WISE_IDENTITY");
    others_.push_back(compile(device_, op.Get()));
  }
  return *others_[index];
}

void DirectMlModes::stageOwn(std::span<const uint8_t> bytes) {
  upload_.reserve(2 * bytes.size());
  std::ranges::copy(bytes, upload_.data());
  std::memset(upload_.data() + bytes.size(), 0, bytes.size());
  ownBuffer_.reserve(bytes.size());
}

void DirectMlModes::copyToOwn(bool zeros) {
  const uint64_t bytes = (owned_ ? owned_ : ones_)->bytes;
  Recorder recorder(device_.d3d12(), L"a mode's tensor");
  ID3D12GraphicsCommandList* list = recorder.begin();
  ownBuffer_.enter(list, D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(ownBuffer_.get(), 0, upload_.get(), zeros ? bytes : 0, bytes);
  ownBuffer_.enter(list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  device_.d3d12().wait(recorder.submit());
}

}  // namespace dmlcts::gpu
