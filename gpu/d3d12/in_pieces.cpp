#include "gpu/d3d12/in_pieces.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr auto kOutOfMemory = static_cast<HRESULT>(0x8007000E);  // E_OUTOFMEMORY

}  // namespace

D3D12InPieces::D3D12InPieces(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                             Planner planner, Explain explain)
    : device_(device),
      pipelines_(pipelines),
      limits_(limits),
      planner_(std::move(planner)),
      explain_(std::move(explain)),
      recorder_(device, L"pieces"),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"a piece to write"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"a piece to read") {}

template <class Call>
Step D3D12InPieces::guarded(Status done, const Call& call) {
  try {
    call();
    return {done, 0, ""};
  } catch (const std::exception& error) {
    return explain_(error);
  }
}

Step D3D12InPieces::open(const LargeRequest& request) {
  close();
  Planned planned = planner_(request);
  if (!planned.plan) return planned.step;
  plan_ = *std::move(planned.plan);
  std::vector<uint64_t> bytes;
  uint64_t total = plan_.temporaryBytes;
  for (const auto* extents : {&request.inputs, &request.outputs}) {
    for (const BufferExtent& extent : *extents) {
      bytes.push_back(extent.bytes);
      total += extent.bytes;
    }
  }
  try {
    memory_ = std::make_unique<ModeMemory>(device_, kShaderReadable);
    memory_->arrange(bytes, request.inputs.size(), plan_.temporaryBytes);
    bound_ = std::make_unique<BoundPlan>(device_, pipelines_, limits_);
    bound_->bind(plan_, regionsOf(request));
    return {Status::Created, 0, ""};
  } catch (const std::length_error& error) {
    close();
    return {Status::NotSupported, 0, error.what()};
  } catch (const D3D12Error& error) {
    close();
    if (error.result() != kOutOfMemory) return explain_(error);
    return {Status::NotSupported, error.result(),
            fmt::format("the device has no room for buffers of {} bytes together: {}", total,
                        error.what())};
  } catch (const std::exception& error) {
    close();
    return explain_(error);
  }
}

BoundPlan::Regions D3D12InPieces::regionsOf(const LargeRequest& request) const {
  BoundPlan::Regions regions{{}, {}, memory_->temporary()};
  const auto add = [&](std::vector<ModeMemory::Region>& to, const BufferExtent& extent) {
    to.push_back(memory_->images()[regions.inputs.size() + regions.outputs.size()]);
    to.back().at += extent.offset;
  };
  for (const BufferExtent& extent : request.inputs) add(regions.inputs, extent);
  for (const BufferExtent& extent : request.outputs) add(regions.outputs, extent);
  return regions;
}

Step D3D12InPieces::put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) {
  return guarded(Status::Created, [&] {
    if (bytes.empty()) return;
    upload_.reserve(bytes.size());
    std::memcpy(upload_.data(), bytes.data(), bytes.size());
    ID3D12GraphicsCommandList* list = recorder_.begin();
    memory_->enter(list, ModeMemory::Use::Fill);
    const ModeMemory::Region& image = memory_->images()[buffer];
    list->CopyBufferRegion(image.buffer->get(), image.at + at, upload_.get(), 0, bytes.size());
    device_.wait(recorder_.submit());
  });
}

Step D3D12InPieces::get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) {
  return guarded(Status::Created, [&] {
    if (bytes.empty()) return;
    readBack_.reserve(bytes.size());
    ID3D12GraphicsCommandList* list = recorder_.begin();
    memory_->enter(list, ModeMemory::Use::Read);
    const ModeMemory::Region& image = memory_->images()[buffer];
    list->CopyBufferRegion(readBack_.get(), 0, image.buffer->get(), image.at + at, bytes.size());
    device_.wait(recorder_.submit());
    std::memcpy(bytes.data(), readBack_.data(), bytes.size());
  });
}

Step D3D12InPieces::execute() {
  return guarded(Status::Executed, [&] {
    ID3D12GraphicsCommandList* list = recorder_.begin();
    memory_->enter(list, ModeMemory::Use::Execute);
    bound_->record(
        list, plan_.passes.size(),
        [this](ID3D12GraphicsCommandList* on, ModeMemory::Use use) { memory_->enter(on, use); });
    device_.wait(recorder_.submit());
  });
}

void D3D12InPieces::close() {
  bound_.reset();
  memory_.reset();
  plan_ = {};
}

}  // namespace dmlcts::gpu
