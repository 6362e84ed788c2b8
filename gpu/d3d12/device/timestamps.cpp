#include "gpu/d3d12/device/timestamps.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

namespace {

constexpr uint32_t kMostTimed = 256;            // repetitions of one submission
constexpr double kSubmission = 50e6;            // nanoseconds per submission, roughly
constexpr double kSettled = 500e6;              // nanoseconds of work after which clocks have risen
constexpr double kStillSettled = 200e6;         // the same soon after other work
constexpr std::chrono::seconds kMostWarmUp{2};  // limit on the warm-up, wall clock

}  // namespace

Timestamps::Timestamps(Device& device, uint32_t pairs)
    : device_(device), pairs_(pairs), readBack_(device, D3D12_HEAP_TYPE_READBACK, L"timestamps") {
  D3D12_QUERY_HEAP_DESC desc{};
  desc.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
  desc.Count = 2 * pairs;
  check(device.get()->CreateQueryHeap(&desc, uuidof<ID3D12QueryHeap>(), &heap_),
        "ID3D12Device::CreateQueryHeap");
  heap_->SetName(L"timestamps");
  readBack_.reserve(uint64_t{16} * pairs);
}

void Timestamps::begin(ID3D12GraphicsCommandList* list, uint32_t pair) {
  list->EndQuery(heap_.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * pair);
}

void Timestamps::end(ID3D12GraphicsCommandList* list, uint32_t pair) {
  list->EndQuery(heap_.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * pair + 1);
}

void Timestamps::resolve(ID3D12GraphicsCommandList* list) {
  list->ResolveQueryData(heap_.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2 * pairs_, readBack_.get(),
                         0);
}

std::vector<double> Timestamps::nanoseconds() const {
  const double perTick = 1e9 / static_cast<double>(device_.timestampFrequency());
  std::vector<double> result;
  for (uint32_t i = 0; i < pairs_; ++i) {
    uint64_t pair[2];
    std::memcpy(pair, readBack_.data() + size_t{16} * i, sizeof pair);
    result.push_back(static_cast<double>(pair[1] - pair[0]) * perTick);
  }
  return result;
}

std::vector<double> settledTimes(uint32_t repetitions,
                                 const std::function<std::vector<double>(uint32_t)>& measured,
                                 bool allTimed) {
  static std::chrono::steady_clock::time_point ended;  // of the last repetitions
  const auto start = std::chrono::steady_clock::now();
  const double settled = start - ended < std::chrono::seconds(1) ? kStillSettled : kSettled;
  uint32_t count = 1;
  for (double busy = 0; busy < settled && std::chrono::steady_clock::now() - start < kMostWarmUp;) {
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<double> times = measured(count);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
    const double sum = allTimed ? std::accumulate(times.begin(), times.end(), 0.0) : took.count();
    busy += sum;
    const double fitting = kSubmission * count / std::max(sum, 1.0);
    count = static_cast<uint32_t>(std::clamp(fitting, 1.0, double{kMostTimed}));
  }
  std::vector<double> all;
  while (all.size() < repetitions) {
    const auto left = repetitions - static_cast<uint32_t>(all.size());
    const std::vector<double> some = measured(std::min(left, kMostTimed));
    all.insert(all.end(), some.begin(), some.end());
  }
  ended = std::chrono::steady_clock::now();
  return all;
}

}  // namespace dmlcts::gpu
