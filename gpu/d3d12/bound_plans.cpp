#include "gpu/d3d12/bound_plans.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kViewAlignment = 256;
constexpr uint64_t kChunkRows = kConstantsViewBytes / 16;

// Returns the first row (of 16 bytes) of the pass's constants, which never span two chunks of one
// view each. Moves `end` behind them.
uint64_t placeConstants(const Pass& pass, uint64_t& end) {
  const uint64_t rows = pass.constants.size() / 4;
  if (end % kChunkRows + rows > kChunkRows) end = (end / kChunkRows + 1) * kChunkRows;
  end += rows;
  return end - rows;
}

bool readsTemporary(const Pass& pass) {
  return std::ranges::any_of(pass.bindings, [](const Binding& binding) {
    return binding.memory.kind == Memory::Kind::Temporary && binding.where < Register::OutTexels;
  });
}

const BoundPlans::Region& regionOf(const BoundPlans::Placed& placed, const Memory& memory) {
  switch (memory.kind) {
    case Memory::Kind::Input:
      return placed.inputs[memory.slot];
    case Memory::Kind::Output:
      return placed.outputs[memory.slot];
    case Memory::Kind::State:
      return placed.state;
    case Memory::Kind::Temporary:
      break;
  }
  return placed.temporary;
}

}  // namespace

BoundPlans::BoundPlans(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                       bool alwaysWindows)
    : device_(device),
      pipelines_(pipelines),
      viewLimit_(std::min(limits.maxViewBytes, limits.maxViewTexels * 4)),
      alwaysWindows_(alwaysWindows) {}

uint64_t BoundPlans::constantBytes(std::span<const Placed> plans) {
  uint64_t rows = 0;
  for (const Placed& placed : plans) {
    for (const Pass& pass : placed.plan->passes) placeConstants(pass, rows);
  }
  return (rows * 16 + kViewAlignment - 1) / kViewAlignment * kViewAlignment;
}

uint64_t BoundPlans::constantCapacity(uint64_t constantBytes) {
  return (constantBytes + kConstantsViewBytes - 1) / kConstantsViewBytes * kConstantsViewBytes;
}

void BoundPlans::bind(std::span<const Placed> plans, const Shared& shared) {
  uint64_t passes = 0;
  uint64_t own = 0;
  for (const Placed& placed : plans) {
    passes += placed.plan->passes.size();
    for (const Pass& pass : placed.plan->passes) own += sharesTable(placed, pass, shared) ? 0 : 1;
  }
  ownTables_ = constantCapacity(constantBytes(plans)) / kConstantsViewBytes;
  heap_ = device_.heap((ownTables_ + own) * Pipelines::kTableSize);
  passes_.reserve(passes);
  uint64_t rows = 0;
  for (const Placed& placed : plans) {
    for (const Pass& pass : placed.plan->passes) {
      bindPass(placed, pass, placeConstants(pass, rows), shared);
    }
  }
  // Sorted within a stage, so that dispatches change little state.
  std::ranges::stable_sort(passes_, {}, [](const BoundPass& bound) {
    return std::tuple(bound.pass->stage, bound.pass->shader, bound.table);
  });
}

void BoundPlans::writeTable(uint64_t number, uint64_t chunk, const Shared& shared) {
  const auto table = static_cast<uint32_t>(number * Pipelines::kTableSize);
  writeConstantsView(device_, heap_->cpu(table), shared.constants->get(),
                     chunk * kConstantsViewBytes);
  for (uint32_t i = 0; i < kRegisters; ++i) {
    const Buffer& buffer = *shared.unbound[i];
    writeView(device_, heap_->cpu(table + 1 + i), static_cast<Register>(i), buffer.get(), 0,
              std::min(buffer.bytes(), viewLimit_));
  }
}

// Shows the whole buffer if a view can, so that no view's bound hides a write beside the tensor.
BoundPlans::View BoundPlans::viewOf(const Region& region, const Binding& binding) const {
  const uint64_t first = region.at + binding.offset;
  const uint64_t end = (first + binding.bytes + 15) / 16 * 16;
  if (!alwaysWindows_ && end <= viewLimit_) {
    return {region.buffer, 0, std::min(region.buffer->bytes(), viewLimit_)};
  }
  return {region.buffer, first / kViewAlignment * kViewAlignment,
          std::min(region.buffer->bytes(), end)};
}

bool BoundPlans::sharesTable(const Placed& placed, const Pass& pass, const Shared& shared) const {
  return !alwaysWindows_ && std::ranges::all_of(pass.bindings, [&](const Binding& binding) {
    const View view = viewOf(regionOf(placed, binding.memory), binding);
    return view.buffer == shared.unbound[static_cast<size_t>(binding.where)] && view.first == 0;
  });
}

void BoundPlans::bindPass(const Placed& placed, const Pass& pass, uint64_t row,
                          const Shared& shared) {
  const uint64_t chunk = row / kChunkRows;
  uint64_t number = chunk;
  const bool isShared = sharesTable(placed, pass, shared);
  if (isShared) {
    for (; sharedTables_ <= chunk; ++sharedTables_) {
      writeTable(sharedTables_, sharedTables_, shared);
    }
  } else {
    number = ownTables_++;
    writeTable(number, chunk, shared);
  }
  const auto table = static_cast<uint32_t>(number * Pipelines::kTableSize);
  auto* constants = reinterpret_cast<uint32_t*>(shared.staged + row * 16);
  std::memcpy(constants, pass.constants.data(), pass.constants.size() * sizeof(uint32_t));
  for (const Binding& binding : pass.bindings) {
    const Region& region = regionOf(placed, binding.memory);
    const View view = viewOf(region, binding);
    if (!isShared) {
      writeView(device_, heap_->cpu(table + 1 + static_cast<uint32_t>(binding.where)),
                binding.where, view.buffer->get(), view.first, view.end - view.first);
    }
    const uint64_t base = region.at + binding.offset - view.first;
    constants[binding.baseAt] = static_cast<uint32_t>(isTyped(binding.where) ? base / 16 : base);
  }
  passes_.push_back({&pass, static_cast<uint32_t>(row % kChunkRows), table});
}

void BoundPlans::record(ID3D12GraphicsCommandList* list, const Enter& enter,
                        const StageTimes* times) const {
  if (passes_.empty()) return;
  ID3D12DescriptorHeap* heap = heap_->get();
  list->SetDescriptorHeaps(1, &heap);
  list->SetComputeRootSignature(pipelines_.rootSignature());
  uint32_t pair = times ? times->pair : 0;
  const BoundPass* last = nullptr;
  for (const BoundPass& bound : passes_) {
    if (!last || bound.pass->stage != last->pass->stage) {
      if (last && times) times->timestamps.end(list, pair++);
      if (last) recordBarrier(list);
      enter(readsTemporary(*bound.pass));
      if (times) times->timestamps.begin(list, pair);
    }
    if (!last || bound.pass->shader != last->pass->shader) {
      list->SetPipelineState(pipelines_.get(bound.pass->shader));
    }
    if (!last || bound.table != last->table) {
      list->SetComputeRootDescriptorTable(Pipelines::kTable, heap_->gpu(bound.table));
    }
    list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, bound.constantsAt, 0);
    list->Dispatch(bound.pass->groupsX, bound.pass->groupsY, 1);
    last = &bound;
  }
  if (times) times->timestamps.end(list, pair);
}

}  // namespace dmlcts::gpu
