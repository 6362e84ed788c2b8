#include "gpu/d3d12/timestamps.h"

#include <cstring>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

Timestamps::Timestamps(Device& device, uint32_t pairs)
    : device_(device), pairs_(pairs), readBack_(device, D3D12_HEAP_TYPE_READBACK, L"timestamps") {
  D3D12_QUERY_HEAP_DESC desc{};
  desc.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
  desc.Count = 2 * pairs;
  check(device.get()->CreateQueryHeap(&desc, uuidof<ID3D12QueryHeap>(), heap_.putVoid()),
        "ID3D12Device::CreateQueryHeap");
  heap_->SetName(L"timestamps");
  readBack_.reserve(uint64_t{16} * pairs);
}

void Timestamps::begin(ID3D12GraphicsCommandList* list, uint32_t pair) {
  list->EndQuery(heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * pair);
}

void Timestamps::end(ID3D12GraphicsCommandList* list, uint32_t pair) {
  list->EndQuery(heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * pair + 1);
}

void Timestamps::resolve(ID3D12GraphicsCommandList* list) {
  list->ResolveQueryData(heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2 * pairs_, readBack_.get(),
                         0);
}

std::vector<double> Timestamps::nanoseconds() const {
  const double perTick = 1e9 / static_cast<double>(device_.timestampFrequency());
  std::vector<double> result;
  for (uint32_t i = 0; i < pairs_; ++i) {
    uint64_t pair[2];
    std::memcpy(pair, readBack_.data() + 16 * i, sizeof pair);
    result.push_back(static_cast<double>(pair[1] - pair[0]) * perTick);
  }
  return result;
}

}  // namespace dmlcts::gpu
