#include "gpu/d3d12/batch.h"

#include <algorithm>
#include <cstring>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kAlignment = 256;
// The limits of a batch. A single request may exceed them.
constexpr uint64_t kMostBytes = uint64_t{16} << 20;
constexpr uint64_t kMostPasses = 8192;

uint64_t aligned(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

Batch::Batch(Device& device, Pipelines& pipelines, const PlanLimits& limits, bool alwaysWindows)
    : upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"upload"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"read-back"),
      inputsReadBack_(device, D3D12_HEAP_TYPE_READBACK, L"inputs' read-back"),
      inputs_(device, D3D12_HEAP_TYPE_DEFAULT, L"constants and inputs"),
      outputs_(device, D3D12_HEAP_TYPE_DEFAULT, L"outputs"),
      temporaries_(device, D3D12_HEAP_TYPE_DEFAULT, L"temporaries"),
      states_(device, D3D12_HEAP_TYPE_DEFAULT, L"states"),
      bound_(device, pipelines, limits, alwaysWindows) {}

void Batch::clear() {
  if (inputsReadBack_.bytes() > kKeptUpload) inputsReadBack_.release();
  placements_.clear();
  plans_.clear();
  constantBytes_ = inputBytes_ = outputBytes_ = temporaryBytes_ = stateBytes_ = 0;
  passCount_ = 0;
}

bool Batch::hasRoomFor(const Request& request, const Plan& plan) const {
  if (!empty() && (plan.readsTemporaries || placements_.back().plan->readsTemporaries)) {
    return false;
  }
  uint64_t inputs = inputBytes_;
  uint64_t outputs = outputBytes_;
  for (const BufferImage& image : request.inputs) inputs += aligned(image.bytes.size());
  for (const BufferImage& image : request.outputs) outputs += aligned(image.bytes.size());
  return inputs <= kMostBytes && outputs <= kMostBytes &&
         temporaryBytes_ + plan.temporaryBytes <= kMostBytes &&
         stateBytes_ + plan.stateBytes <= kMostBytes &&
         passCount_ + plan.passes.size() <= kMostPasses;
}

void Batch::add(const Request& request, const Plan& plan) {
  Placement placement{};
  placement.request = &request;
  placement.plan = &plan;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    placement.inputs[i] = inputBytes_;
    inputBytes_ += aligned(request.inputs[i].bytes.size());
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    placement.outputs[i] = outputBytes_;
    placement.outputEnd = outputBytes_ + request.outputs[i].bytes.size();
    outputBytes_ = aligned(placement.outputEnd);
  }
  placement.temporary = temporaryBytes_;
  temporaryBytes_ += aligned(plan.temporaryBytes);
  placement.state = stateBytes_;
  stateBytes_ += plan.stateBytes;
  passCount_ += plan.passes.size();
  placements_.push_back(placement);
}

BoundPlans::Placed Batch::placed(const Placement& placement) const {
  const Request& request = *placement.request;
  BoundPlans::Placed placed{placement.plan};
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    placed.inputs[i] = {&inputs_, placement.inputs[i] + request.inputs[i].offset};
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    placed.outputs[i] = {&outputs_, placement.outputs[i] + request.outputs[i].offset};
  }
  placed.temporary = {&temporaries_, placement.temporary};
  placed.state = {&states_, placement.state};
  return placed;
}

void Batch::writeUpload() {
  // The inputs' arena starts with the constants; the images follow.
  for (const Placement& placement : placements_) plans_.push_back({placement.plan});
  constantBytes_ = BoundPlans::constantBytes(plans_);
  for (Placement& placement : placements_) {
    for (uint64_t& at : placement.inputs) at += constantBytes_;
  }
  inputBytes_ += constantBytes_;

  bool renewed =
      inputs_.reserve(std::max(inputBytes_, BoundPlans::constantCapacity(constantBytes_)));
  renewed = outputs_.reserve(outputBytes_) || renewed;
  renewed = temporaries_.reserve(std::max(temporaryBytes_, kAlignment)) || renewed;
  renewed = states_.reserve(std::max(stateBytes_, kAlignment)) || renewed;
  if (renewed) bound_.forget();
  upload_.reserve(inputBytes_ + outputBytes_ + stateBytes_);
  std::memset(upload_.data() + inputBytes_ + outputBytes_, 0, stateBytes_);
  readBack_.reserve(outputBytes_);

  std::ranges::transform(placements_, plans_.begin(),
                         [this](const Placement& placement) { return placed(placement); });
  bound_.bind(plans_, {&inputs_,
                       upload_.data(),
                       {&inputs_, &inputs_, &inputs_, &outputs_, &outputs_, &outputs_,
                        &temporaries_, &temporaries_, &states_}});
  for (const Placement& placement : placements_) {
    const Request& request = *placement.request;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      const std::vector<uint8_t>& bytes = request.inputs[i].bytes;
      std::memcpy(upload_.data() + placement.inputs[i], bytes.data(), bytes.size());
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
      const std::vector<uint8_t>& bytes = request.outputs[i].bytes;
      std::memcpy(upload_.data() + inputBytes_ + placement.outputs[i], bytes.data(), bytes.size());
    }
  }
}

void Batch::transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES inputs,
                       D3D12_RESOURCE_STATES outputs, D3D12_RESOURCE_STATES temporaries,
                       D3D12_RESOURCE_STATES states) {
  std::array<D3D12_RESOURCE_BARRIER, 4> barriers;
  UINT count = 0;
  if (inputs_.transition(inputs, barriers[count])) ++count;
  if (outputs_.transition(outputs, barriers[count])) ++count;
  if (temporaries_.transition(temporaries, barriers[count])) ++count;
  if (states_.transition(states, barriers[count])) ++count;
  if (count > 0) list->ResourceBarrier(count, barriers.data());
}

void Batch::releaseUpload(uint64_t most) {
  if (upload_.bytes() > most) upload_.release();
}

void Batch::recordUpload(ID3D12GraphicsCommandList* list) {
  transition(list, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_DEST,
             D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(inputs_.get(), 0, upload_.get(), 0, inputBytes_);
  list->CopyBufferRegion(outputs_.get(), 0, upload_.get(), inputBytes_, outputBytes_);
  const uint64_t zeros = inputBytes_ + outputBytes_;
  if (stateBytes_ > 0) list->CopyBufferRegion(states_.get(), 0, upload_.get(), zeros, stateBytes_);
}

std::vector<Shader> Batch::stageShaders() const {
  std::vector<Shader> shaders;
  uint32_t stage = 0;
  for (const Pass& pass : placements_.front().plan->passes) {  // ordered by stage
    if (shaders.empty() || pass.stage != stage) shaders.push_back(pass.shader);
    stage = pass.stage;
  }
  return shaders;
}

// A stage has the passes of all requests. Temporaries that are read as inputs need another state.
// Such a stage has only their readers in this batch, since their writers ran in earlier stages.
void Batch::recordDispatches(ID3D12GraphicsCommandList* list, Timestamps* timestamps,
                             uint32_t pair) {
  const auto enter = [&](bool readsTemporaries) {
    transition(list, kShaderReadable, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
               readsTemporaries ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  bound_.record(list, enter, timestamps, pair);
}

void Batch::recordReadBack(ID3D12GraphicsCommandList* list) {
  if (placements_.empty()) return;
  transition(list, kShaderReadable, D3D12_RESOURCE_STATE_COPY_SOURCE,
             D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  const uint64_t from = placements_.front().outputs[0];
  const uint64_t bytes = placements_.back().outputEnd - from;
  list->CopyBufferRegion(readBack_.get(), from, outputs_.get(), from, bytes);
}

void Batch::recordInputsReadBack(ID3D12GraphicsCommandList* list) {
  const uint64_t bytes = inputBytes_ - constantBytes_;
  if (bytes == 0) return;
  inputsReadBack_.reserve(bytes);
  transition(list, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_COPY_SOURCE,
             D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  list->CopyBufferRegion(inputsReadBack_.get(), 0, inputs_.get(), constantBytes_, bytes);
}

std::vector<std::vector<uint8_t>> Batch::copies(const Buffer& readBack, uint64_t base,
                                                std::span<const uint64_t> places,
                                                std::span<const BufferImage> images) {
  std::vector<std::vector<uint8_t>> result;
  result.reserve(images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    const uint8_t* first = readBack.data() + (places[i] - base);
    result.emplace_back(first, first + images[i].bytes.size());
  }
  return result;
}

std::vector<std::vector<uint8_t>> Batch::outputs(size_t index) const {
  const Placement& placement = placements_[index];
  return copies(readBack_, 0, placement.outputs, placement.request->outputs);
}

std::vector<std::vector<uint8_t>> Batch::inputs(size_t index) const {
  const Placement& placement = placements_[index];
  return copies(inputsReadBack_, constantBytes_, placement.inputs, placement.request->inputs);
}

}  // namespace dmlcts::gpu
