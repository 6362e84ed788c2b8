#include "gpu/d3d12/ways/bound_plan.h"

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

WayMemory::Use useOf(const Pass& pass) {
  const bool reads = std::ranges::any_of(pass.bindings, [](const Binding& binding) {
    return binding.memory.kind == Memory::Kind::Temporary && binding.where < Register::OutTexels;
  });
  return reads ? WayMemory::Use::ExecuteReadingTemporary : WayMemory::Use::Execute;
}

}  // namespace

BoundPlan::BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits)
    : device_(device),
      pipelines_(pipelines),
      viewLimit_(std::min(limits.maxViewBytes, limits.maxViewTexels * 4)),
      constants_(device, D3D12_HEAP_TYPE_UPLOAD, L"constants"),
      nothing_(device, D3D12_HEAP_TYPE_DEFAULT, L"nothing") {
  nothing_.reserve(kViewAlignment);
}

void BoundPlan::bind(std::span<const uint64_t> offsets, const Plan& plan, WayMemory& memory) {
  plan_ = &plan;
  memory_ = &memory;
  uint64_t bytes = 0;
  for (const Pass& pass : plan.passes) bytes += constantBytes(pass);
  constants_.reserve(bytes + kConstantsViewBytes);
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
    bindPass(offsets, pass, table, constantsAt);
    constantsAt += constantBytes(pass);
    table += Pipelines::kTableSize;
  }
}

void BoundPlan::bindPass(std::span<const uint64_t> offsets, const Pass& pass, uint32_t table,
                         uint64_t constantsAt) {
  writeConstantsView(device_, heap_->cpu(table), constants_.get(), constantsAt);
  auto* constants = reinterpret_cast<uint32_t*>(constants_.data() + constantsAt);
  std::memcpy(constants, pass.constants.data(), pass.constants.size() * sizeof(uint32_t));
  for (uint32_t i = 0; i < kRegisters; ++i) {
    writeView(device_, heap_->cpu(table + 1 + i), static_cast<Register>(i), nothing_.get(), 0,
              kViewAlignment);
  }
  for (const Binding& binding : pass.bindings) {
    const auto slot = binding.memory.slot;
    const bool isInput = binding.memory.kind == Memory::Kind::Input;
    const WayMemory::Region& region = binding.memory.kind == Memory::Kind::Temporary
                                          ? memory_->temporary()
                                      : isInput ? memory_->input(slot)
                                                : memory_->output(slot);
    uint64_t base = region.at + binding.offset;
    if (binding.memory.kind != Memory::Kind::Temporary) {
      base += offsets[isInput ? slot : memory_->inputs() + slot];
    }
    // The whole buffer, so that no bound of the view hides what is written beside the tensor.
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

void BoundPlan::record(ID3D12GraphicsCommandList* list, size_t passes) {
  ID3D12DescriptorHeap* heap = heap_->get();
  list->SetDescriptorHeaps(1, &heap);
  list->SetComputeRootSignature(pipelines_.rootSignature());
  uint32_t stage = 0;
  for (size_t i = 0; i < std::min(passes, plan_->passes.size()); ++i) {
    const Pass& pass = plan_->passes[i];
    if (i > 0 && pass.stage != stage) recordBarrier(list);
    if (i == 0 || pass.stage != stage) memory_->enter(list, useOf(pass));
    stage = pass.stage;
    list->SetPipelineState(pipelines_.get(pass.shader));
    list->SetComputeRootDescriptorTable(
        Pipelines::kTable, heap_->gpu(static_cast<uint32_t>(i) * Pipelines::kTableSize));
    list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, 0, 0);
    list->Dispatch(pass.groupsX, pass.groupsY, 1);
  }
  recordBarrier(list);
  memory_->enter(list, WayMemory::Use::Execute);
}

}  // namespace dmlcts::gpu
