#include "gpu/d3d12/bound_plan.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kConstantsAlignment = 256;
constexpr uint64_t kViewAlignment = 256;
constexpr uint64_t kMostDescriptors = 1000000;

uint64_t constantBytes(const Pass& pass) {
  const uint64_t bytes = pass.constants.size() * sizeof(uint32_t);
  return (bytes + kConstantsAlignment - 1) / kConstantsAlignment * kConstantsAlignment;
}

bool readsTemporary(const Pass& pass) {
  return std::ranges::any_of(pass.bindings, [](const Binding& binding) {
    return binding.memory.kind == Memory::Kind::Temporary && binding.where < Register::OutTexels;
  });
}

}  // namespace

BoundPlan::BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                     BufferPool& memory)
    : device_(device),
      pipelines_(pipelines),
      viewLimit_(std::min(limits.maxViewBytes, limits.maxViewTexels * 4)),
      memory_(memory),
      nothingRead_(memory.take(D3D12_HEAP_TYPE_DEFAULT, kViewAlignment)),
      nothingWritten_(memory.take(D3D12_HEAP_TYPE_DEFAULT, kViewAlignment)) {}

void BoundPlan::bind(const Plan& plan, const Regions& regions) {
  plan_ = &plan;
  uint64_t bytes = 0;
  for (const Pass& pass : plan.passes) bytes += constantBytes(pass);
  zerosAt_ = bytes + kConstantsViewBytes;
  constants_ = memory_.take(D3D12_HEAP_TYPE_UPLOAD, zerosAt_ + plan.stateBytes);
  std::memset(constants_->data() + zerosAt_, 0, plan.stateBytes);
  if (plan.stateBytes != 0) state_ = memory_.take(D3D12_HEAP_TYPE_DEFAULT, plan.stateBytes);
  const uint64_t descriptors = plan.passes.size() * Pipelines::kTableSize;
  if (descriptors > kMostDescriptors) {
    throw std::length_error("more passes than a descriptor heap can serve");
  }
  if (!heap_ || heap_->capacity() < descriptors) {
    const uint64_t capacity = std::max(descriptors, uint64_t{16} * Pipelines::kTableSize);
    heap_ = std::make_unique<DescriptorHeap>(device_, static_cast<uint32_t>(capacity), true,
                                             L"views of a plan");
  }
  uint64_t constantsAt = 0;
  uint32_t table = 0;
  for (const Pass& pass : plan.passes) {
    bindPass(regions, pass, table, constantsAt);
    constantsAt += constantBytes(pass);
    table += Pipelines::kTableSize;
  }
}

void BoundPlan::bindPass(const Regions& regions, const Pass& pass, uint32_t table,
                         uint64_t constantsAt) {
  writeConstantsView(device_, heap_->cpu(table), constants_->get(), constantsAt);
  auto* constants = reinterpret_cast<uint32_t*>(constants_->data() + constantsAt);
  std::memcpy(constants, pass.constants.data(), pass.constants.size() * sizeof(uint32_t));
  for (uint32_t i = 0; i < kRegisters; ++i) {
    const auto where = static_cast<Register>(i);
    const Buffer& nothing = where < Register::OutTexels ? *nothingRead_ : *nothingWritten_;
    writeView(device_, heap_->cpu(table + 1 + i), where, nothing.get(), 0, kViewAlignment);
  }
  for (const Binding& binding : pass.bindings) {
    const auto slot = binding.memory.slot;
    const Region state{state_.get(), 0};
    const Region& region = binding.memory.kind == Memory::Kind::Temporary ? regions.temporary
                           : binding.memory.kind == Memory::Kind::State   ? state
                           : binding.memory.kind == Memory::Kind::Input   ? regions.inputs[slot]
                                                                          : regions.outputs[slot];
    uint64_t base = region.at + binding.offset;
    // Views the whole buffer, so that no view's bound hides a write beside the tensor.
    uint64_t first = 0;
    uint64_t end = region.buffer->bytes();
    if (end > viewLimit_) {
      first = base / kViewAlignment * kViewAlignment;
      end = std::min(end, (base + binding.bytes + 15) / 16 * 16);
    }
    writeView(device_, heap_->cpu(table + 1 + static_cast<uint32_t>(binding.where)), binding.where,
              region.buffer->get(), first, end - first);
    base -= first;
    constants[binding.baseAt] = static_cast<uint32_t>(isTyped(binding.where) ? base / 16 : base);
  }
}

void BoundPlan::record(ID3D12GraphicsCommandList* list, const Enter& enter) {
  const auto toState = [&](D3D12_RESOURCE_STATES state) {
    if (state_) state_->enter(list, state);
  };
  toState(D3D12_RESOURCE_STATE_COPY_DEST);
  if (state_) {
    list->CopyBufferRegion(state_->get(), 0, constants_->get(), zerosAt_, plan_->stateBytes);
  }
  toState(D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  ID3D12DescriptorHeap* heap = heap_->get();
  list->SetDescriptorHeaps(1, &heap);
  list->SetComputeRootSignature(pipelines_.rootSignature());
  uint32_t stage = 0;
  for (size_t i = 0; i < plan_->passes.size(); ++i) {
    const Pass& pass = plan_->passes[i];
    if (i > 0 && pass.stage != stage) recordBarrier(list);
    if (i == 0 || pass.stage != stage) enter(readsTemporary(pass));
    stage = pass.stage;
    list->SetPipelineState(pipelines_.get(pass.shader));
    list->SetComputeRootDescriptorTable(
        Pipelines::kTable, heap_->gpu(static_cast<uint32_t>(i) * Pipelines::kTableSize));
    list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, 0, 0);
    list->Dispatch(pass.groupsX, pass.groupsY, 1);
  }
  recordBarrier(list);
  enter(false);
  toState(D3D12_RESOURCE_STATE_COMMON);
}

}  // namespace dmlcts::gpu
