#include "gpu/d3d12/device/views.h"

#include <stdexcept>
#include <string>

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

namespace {

bool isUnordered(Register where) { return where >= Register::OutTexels; }

}  // namespace

DescriptorHeap::DescriptorHeap(Device& device, uint32_t capacity, bool shaderVisible,
                               const wchar_t* name)
    : capacity_(capacity) {
  constexpr D3D12_DESCRIPTOR_HEAP_TYPE type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  D3D12_DESCRIPTOR_HEAP_DESC desc{};
  desc.Type = type;
  desc.NumDescriptors = capacity;
  desc.Flags =
      shaderVisible ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE;
  check(device.get()->CreateDescriptorHeap(&desc, uuidof<ID3D12DescriptorHeap>(), &heap_),
        "ID3D12Device::CreateDescriptorHeap");
  heap_->SetName(name);
  increment_ = device.get()->GetDescriptorHandleIncrementSize(type);
  cpuStart_ = platform::cpuStart(heap_.Get());
  if (shaderVisible) gpuStart_ = platform::gpuStart(heap_.Get());
}

D3D12_CPU_DESCRIPTOR_HANDLE DescriptorHeap::cpu(uint32_t index) const {
  return {cpuStart_.ptr + SIZE_T{index} * increment_};
}

D3D12_GPU_DESCRIPTOR_HANDLE DescriptorHeap::gpu(uint32_t index) const {
  return {gpuStart_.ptr + UINT64{index} * increment_};
}

void writeView(Device& device, D3D12_CPU_DESCRIPTOR_HANDLE at, Register where,
               ID3D12Resource* buffer, uint64_t offset, uint64_t bytes) {
  const bool typed = isTyped(where);
  const uint64_t texelBytes = typed ? 16 : 4;
  const DXGI_FORMAT format = typed ? DXGI_FORMAT_R32G32B32A32_UINT : DXGI_FORMAT_R32_TYPELESS;
  // libvkd3d keeps 32 bits of a view's first element (vkd3d_create_buffer_view_for_resource() in
  // resource.c) and then shows another part of the buffer. It alone reports maxViewTexels.
  if (device.facts().maxViewTexels != 0 && offset / texelBytes > UINT32_MAX) {
    throw std::length_error(
        "libvkd3d takes a view's first element modulo 2^32, so one of 4-byte elements cannot begin "
        "past 16 GiB of a buffer, one of 16-byte elements not past 64 GiB; this begins at byte " +
        std::to_string(offset));
  }
  if (isUnordered(where)) {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
    desc.Format = format;
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = offset / texelBytes;
    desc.Buffer.NumElements = static_cast<UINT>(bytes / texelBytes);
    desc.Buffer.Flags = typed ? D3D12_BUFFER_UAV_FLAG_NONE : D3D12_BUFFER_UAV_FLAG_RAW;
    device.get()->CreateUnorderedAccessView(buffer, nullptr, &desc, at);
  } else {
    D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
    desc.Format = format;
    desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
    desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
    desc.Buffer.FirstElement = offset / texelBytes;
    desc.Buffer.NumElements = static_cast<UINT>(bytes / texelBytes);
    desc.Buffer.Flags = typed ? D3D12_BUFFER_SRV_FLAG_NONE : D3D12_BUFFER_SRV_FLAG_RAW;
    device.get()->CreateShaderResourceView(buffer, &desc, at);
  }
}

void writeConstantsView(Device& device, D3D12_CPU_DESCRIPTOR_HANDLE at, ID3D12Resource* buffer,
                        uint64_t offset) {
  D3D12_CONSTANT_BUFFER_VIEW_DESC desc{};
  desc.BufferLocation = buffer->GetGPUVirtualAddress() + offset;
  desc.SizeInBytes = kConstantsViewBytes;
  device.get()->CreateConstantBufferView(&desc, at);
}

}  // namespace dmlcts::gpu
