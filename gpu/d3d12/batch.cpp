#include "gpu/d3d12/batch.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kAlignment = 256;
// The limits of a batch. A single request may exceed them.
constexpr uint64_t kMostBytes = uint64_t{16} << 20;
constexpr uint64_t kMostPasses = 8192;
constexpr uint32_t kChunkRows = kConstantsViewBytes / 16;

uint64_t aligned(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

Batch::Batch(Device& device, Pipelines& pipelines, const BatchOptions& options)
    : device_(device),
      pipelines_(pipelines),
      options_(options),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"upload"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"read-back"),
      inputsReadBack_(device, D3D12_HEAP_TYPE_READBACK, L"inputs' read-back"),
      inputs_(device, D3D12_HEAP_TYPE_DEFAULT, L"constants and inputs"),
      outputs_(device, D3D12_HEAP_TYPE_DEFAULT, L"outputs"),
      temporaries_(device, D3D12_HEAP_TYPE_DEFAULT, L"temporaries"),
      states_(device, D3D12_HEAP_TYPE_DEFAULT, L"states"),
      unbound_(device, kRegisters, false, L"views of nothing") {}

void Batch::clear() {
  if (inputsReadBack_.bytes() > kKeptUpload) inputsReadBack_.release();
  placements_.clear();
  passes_.clear();
  constantRows_ = constantBytes_ = inputBytes_ = outputBytes_ = temporaryBytes_ = stateBytes_ = 0;
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

void Batch::prepare() {
  // The inputs' arena starts with the constants, in chunks of one view each; the images follow.
  constantRows_ = 0;
  for (const Placement& placement : placements_) {
    for (const Pass& pass : placement.plan->passes) {
      addConstants(pass);
    }
  }
  constantBytes_ = aligned(constantRows_ * 16);
  const auto chunks = static_cast<uint32_t>((constantRows_ + kChunkRows - 1) / kChunkRows);
  for (Placement& placement : placements_) {
    for (uint64_t& at : placement.inputs) at += constantBytes_;
  }
  inputBytes_ += constantBytes_;

  const uint64_t viewLimit =
      std::min(options_.limits.maxViewBytes, options_.limits.maxViewTexels * 4);
  windows_ =
      options_.alwaysWindows || std::max({inputBytes_, outputBytes_, temporaryBytes_}) > viewLimit;

  const uint64_t inputCapacity =
      std::max(inputBytes_, uint64_t{chunks} * kConstantsViewBytes) + kAlignment;
  bool renewed = inputs_.reserve(inputCapacity);
  renewed = outputs_.reserve(outputBytes_ + kAlignment) || renewed;
  renewed = temporaries_.reserve(temporaryBytes_ + kAlignment) || renewed;
  renewed = states_.reserve(stateBytes_ + kAlignment) || renewed;
  upload_.reserve(inputBytes_ + outputBytes_ + stateBytes_);
  std::memset(upload_.data() + inputBytes_ + outputBytes_, 0, stateBytes_);
  readBack_.reserve(outputBytes_);

  const uint64_t tables = chunks + (windows_ ? passCount_ : 0);
  const uint64_t descriptors = tables * Pipelines::kTableSize;
  if (!heap_ || heap_->capacity() < descriptors) {
    const uint64_t capacity = std::max(descriptors, uint64_t{64} * Pipelines::kTableSize);
    if (capacity > 1000000) throw std::length_error("more passes than a descriptor heap can serve");
    heap_ =
        std::make_unique<DescriptorHeap>(device_, static_cast<uint32_t>(capacity), true, L"views");
    renewed = true;
  }
  if (renewed) arenaTables_ = 0;
  if (windows_) {
    arenaTables_ = 0;  // window tables overwrite them
    windowTables_ = 0;
    for (uint32_t i = 0; i < kRegisters; ++i) {
      const auto where = static_cast<Register>(i);
      const bool input = where < Register::OutTexels;
      // Shows memory behind everything that passes use.
      writeView(device_, unbound_.cpu(i), where, input ? inputs_.get() : temporaries_.get(),
                input ? inputCapacity - kAlignment : temporaryBytes_, kAlignment);
    }
  } else {
    while (arenaTables_ < chunks) writeArenaTables();
  }

  passes_.clear();
  passes_.reserve(passCount_);
  constantRows_ = 0;
  for (Placement& placement : placements_) {
    const Request& request = *placement.request;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      const std::vector<uint8_t>& bytes = request.inputs[i].bytes;
      std::memcpy(upload_.data() + placement.inputs[i], bytes.data(), bytes.size());
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
      const std::vector<uint8_t>& bytes = request.outputs[i].bytes;
      std::memcpy(upload_.data() + inputBytes_ + placement.outputs[i], bytes.data(), bytes.size());
    }
    for (const Pass& pass : placement.plan->passes) placePass(placement, pass);
  }
}

// Adds a table with views of whole arenas and the next chunk of constants.
void Batch::writeArenaTables() {
  const uint32_t first = arenaTables_ * Pipelines::kTableSize;
  writeConstantsView(device_, heap_->cpu(first), inputs_.get(),
                     uint64_t{arenaTables_} * kConstantsViewBytes);
  const uint64_t viewLimit =
      std::min(options_.limits.maxViewBytes, options_.limits.maxViewTexels * 4);
  for (uint32_t i = 0; i < kRegisters; ++i) {
    const auto where = static_cast<Register>(i);
    const Buffer& buffer = where < Register::OutTexels   ? inputs_
                           : where < Register::MaskBytes ? outputs_
                           : where < Register::State     ? temporaries_
                                                         : states_;
    writeView(device_, heap_->cpu(first + 1 + i), where, buffer.get(), 0,
              std::min(buffer.bytes(), viewLimit));
  }
  ++arenaTables_;
}

uint32_t Batch::newWindowTable(uint32_t chunk) {
  const uint32_t table = windowTables_++ * Pipelines::kTableSize;
  writeConstantsView(device_, heap_->cpu(table), inputs_.get(),
                     uint64_t{chunk} * kConstantsViewBytes);
  device_.get()->CopyDescriptorsSimple(kRegisters, heap_->cpu(table + 1), unbound_.cpu(0),
                                       D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  return table;
}

Batch::Place Batch::placeOf(const Placement& placement, const Memory& memory) {
  const Request& request = *placement.request;
  switch (memory.kind) {
    case Memory::Kind::Input:
      return {&inputs_, placement.inputs[memory.slot] + request.inputs[memory.slot].offset};
    case Memory::Kind::Output:
      return {&outputs_, placement.outputs[memory.slot] + request.outputs[memory.slot].offset};
    case Memory::Kind::State:
      return {&states_, placement.state};
    case Memory::Kind::Temporary:
      break;
  }
  return {&temporaries_, placement.temporary};
}

uint64_t Batch::addConstants(const Pass& pass) {
  const uint64_t rows = pass.constants.size() / 4;
  if (constantRows_ % kChunkRows + rows > kChunkRows) {
    constantRows_ = (constantRows_ / kChunkRows + 1) * kChunkRows;
  }
  constantRows_ += rows;
  return constantRows_ - rows;
}

void Batch::placePass(const Placement& placement, const Pass& pass) {
  const uint64_t row = addConstants(pass);
  const auto chunk = static_cast<uint32_t>(row / kChunkRows);
  PlacedPass placed{&pass, static_cast<uint32_t>(row % kChunkRows),
                    windows_ ? newWindowTable(chunk) : chunk * Pipelines::kTableSize};
  auto* constants = reinterpret_cast<uint32_t*>(upload_.data() + row * 16);
  std::memcpy(constants, pass.constants.data(), pass.constants.size() * 4);

  for (const Binding& binding : pass.bindings) {
    const Place place = placeOf(placement, binding.memory);
    uint64_t base = place.offset + binding.offset;
    if (windows_) {
      const uint64_t first = base / kAlignment * kAlignment;
      const uint64_t end = (base + binding.bytes + 15) / 16 * 16;
      writeView(device_, heap_->cpu(placed.table + 1 + static_cast<uint32_t>(binding.where)),
                binding.where, place.buffer->get(), first, end - first);
      base -= first;
    }
    constants[binding.baseAt] = static_cast<uint32_t>(isTyped(binding.where) ? base / 16 : base);
  }
  passes_.push_back(placed);
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

// Records each stage as the passes of all requests, then a barrier. Sorts a stage by shader and
// table, so that dispatches change little state.
void Batch::recordDispatches(ID3D12GraphicsCommandList* list, Timestamps* timestamps,
                             uint32_t pair) {
  ID3D12DescriptorHeap* heap = heap_->get();
  list->SetDescriptorHeaps(1, &heap);
  list->SetComputeRootSignature(pipelines_.rootSignature());
  order_.resize(passes_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto key = [&](uint32_t i) {
    const PlacedPass& placed = passes_[i];
    return std::array{placed.pass->stage, static_cast<uint32_t>(placed.pass->shader), placed.table,
                      i};
  };
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });

  // Temporaries that are read as inputs need another state. Such a stage has only their readers in
  // this batch, since their writers ran in earlier stages.
  const auto enter = [&](const Pass& pass) {
    const bool reads =
        std::any_of(pass.bindings.begin(), pass.bindings.end(), [](const Binding& b) {
          return b.memory.kind == Memory::Kind::Temporary && b.where < Register::OutTexels;
        });
    transition(list, kShaderReadable, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
               reads ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };

  constexpr uint32_t kNone = ~0u;
  uint32_t stage = passes_[order_.front()].pass->stage;
  enter(*passes_[order_.front()].pass);
  uint32_t shader = kNone;
  uint32_t table = kNone;
  if (timestamps) timestamps->begin(list, pair);
  for (uint32_t i : order_) {
    const PlacedPass& placed = passes_[i];
    if (placed.pass->stage != stage) {
      if (timestamps) timestamps->end(list, pair++);
      recordBarrier(list);
      enter(*placed.pass);
      stage = placed.pass->stage;
      if (timestamps) timestamps->begin(list, pair);
    }
    if (static_cast<uint32_t>(placed.pass->shader) != shader) {
      shader = static_cast<uint32_t>(placed.pass->shader);
      list->SetPipelineState(pipelines_.get(placed.pass->shader));
    }
    if (placed.table != table) {
      table = placed.table;
      list->SetComputeRootDescriptorTable(Pipelines::kTable, heap_->gpu(table));
    }
    list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, placed.constantsAt, 0);
    list->Dispatch(placed.pass->groupsX, placed.pass->groupsY, 1);
  }
  if (timestamps) timestamps->end(list, pair);
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
