#include "gpu/d3d12/sequence_executor.h"

#include <algorithm>
#include <cstring>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kStaging = 256;
constexpr uint64_t kMemoryPiece = uint64_t{64} << 20;  // of the `memory` call's content

uint64_t roundUp(uint64_t bytes) { return (bytes + kStaging - 1) / kStaging * kStaging; }

template <class Byte>
uint64_t staged(std::span<const SequenceStage::Part<Byte>> parts) {
  uint64_t bytes = 0;
  for (const auto& part : parts) bytes += roundUp(part.bytes.size());
  return bytes;
}

void enter(ID3D12GraphicsCommandList* list, Buffer& buffer, D3D12_RESOURCE_STATES state) {
  D3D12_RESOURCE_BARRIER barrier{};
  if (buffer.transition(state, barrier)) list->ResourceBarrier(1, &barrier);
}

}  // namespace

SequenceStage::SequenceStage(Device& device, Queue* compute, std::span<const uint64_t> sizes)
    : device_(device),
      recorder_(device, L"fill and read"),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"what buffers hold at first"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"what buffers hold at last") {
  stations_[0].queue = &device.queue();
  stations_[1].queue = compute;
  for (uint64_t bytes : sizes) {
    Buffer& buffer = *buffers_.emplace_back(
        std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"a buffer of a sequence"));
    buffer.reserve(bytes);
  }
}

void SequenceStage::write(std::span<const Part<const uint8_t>> parts) {
  upload_.reserve(staged(parts));
  ID3D12GraphicsCommandList* list = recorder_.begin();
  uint64_t at = 0;
  for (const auto& part : parts) {
    Buffer& target = buffer(part.buffer);
    std::memcpy(upload_.data() + at, part.bytes.data(), part.bytes.size());
    enter(list, target, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyBufferRegion(target.get(), part.at, upload_.get(), at, part.bytes.size());
    enter(list, target, D3D12_RESOURCE_STATE_COMMON);
    at += roundUp(part.bytes.size());
  }
  device_.wait(recorder_.submit());
}

SequenceStage::~SequenceStage() {
  for (uint32_t queue = 0; queue < kQueues; ++queue) {
    try {
      await(queue);
    } catch (const std::exception&) {  // device lost
    }
  }
}

ID3D12GraphicsCommandList* SequenceStage::list(uint32_t queue) {
  Station& station = stations_[queue];
  if (!station.open) {
    station.open = std::make_unique<Recorder>(device_, *station.queue, L"a list of a sequence");
    station.list = station.open->begin();
  }
  return station.list;
}

void SequenceStage::use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state) {
  enter(list(queue), buffer, state);
  std::vector<Buffer*>& used = stations_[queue].used;
  if (std::ranges::find(used, &buffer) == used.end()) used.push_back(&buffer);
}

void SequenceStage::keep(uint32_t queue, std::shared_ptr<const void> used) {
  stations_[queue].kept.push_back(std::move(used));
}

void SequenceStage::copy(const SequenceCall& call) {
  const Place& from = call.from.front();
  const Place& to = call.to.front();
  Buffer& source = buffer(from.buffer);
  Buffer& target = buffer(to.buffer);
  use(call.queue, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
  use(call.queue, target, D3D12_RESOURCE_STATE_COPY_DEST);
  list(call.queue)
      ->CopyBufferRegion(target.get(), to.offset, source.get(), from.offset, call.bytes);
  // Return to the common state, so that the next copy needs a transition too.
  use(call.queue, source, D3D12_RESOURCE_STATE_COMMON);
  use(call.queue, target, D3D12_RESOURCE_STATE_COMMON);
}

void SequenceStage::submit(uint32_t queue) {
  Station& station = stations_[queue];
  list(queue);
  for (Buffer* buffer : station.used) enter(station.list, *buffer, D3D12_RESOURCE_STATE_COMMON);
  station.used.clear();
  station.submitted = station.open->submit();
  station.inFlight.push_back(std::move(station.open));
}

void SequenceStage::wait(uint32_t queue) {
  if (stations_[queue].open) submit(queue);
  await(queue);
}

void SequenceStage::await(uint32_t queue) {
  Station& station = stations_[queue];
  if (station.inFlight.empty()) return;
  device_.wait(*station.queue, station.submitted);
  station.inFlight.clear();
  station.kept.clear();
}

void SequenceStage::hold(uint64_t bytes) {
  held_.clear();
  for (uint64_t left = bytes; left > 0;) {
    const uint64_t piece = std::min(left, kMemoryPiece);
    held_.push_back(
        std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"memory that is held"));
    held_.back()->reserve(piece);
    left -= piece;
  }
}

void SequenceStage::read(std::span<const Part<uint8_t>> parts) {
  for (uint32_t queue = 0; queue < kQueues; ++queue) wait(queue);
  readBack_.reserve(staged(parts));
  ID3D12GraphicsCommandList* list = recorder_.begin();
  uint64_t at = 0;
  for (const auto& part : parts) {
    Buffer& source = buffer(part.buffer);
    enter(list, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyBufferRegion(readBack_.get(), at, source.get(), part.at, part.bytes.size());
    enter(list, source, D3D12_RESOURCE_STATE_COMMON);
    at += roundUp(part.bytes.size());
  }
  device_.wait(recorder_.submit());
  at = 0;
  for (const auto& part : parts) {
    std::memcpy(part.bytes.data(), readBack_.data() + at, part.bytes.size());
    at += roundUp(part.bytes.size());
  }
}

Answer executeSequence(Device& device, std::unique_ptr<Queue>& compute,
                       SequenceOperators& operators, const Sequence& sequence, size_t& failedAt) {
  failedAt = 0;
  if (!compute) {
    compute = std::make_unique<Queue>(device.get(), D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                      L"compute queue of sequences");
  }
  std::vector<uint64_t> sizes;
  std::vector<SequenceStage::Part<const uint8_t>> contents;
  for (const std::vector<uint8_t>& bytes : sequence.buffers) {
    contents.push_back({static_cast<uint32_t>(sizes.size()), 0, bytes});
    sizes.push_back(bytes.size());
  }
  SequenceStage stage(device, compute.get(), sizes);
  stage.write(contents);
  for (; failedAt < sequence.calls.size(); ++failedAt) {
    const SequenceCall& call = sequence.calls[failedAt];
    switch (call.kind) {
      case CallKind::Create: {
        Answer answer = operators.create(call.object, call.asked.value());
        answer.id = failedAt;
        if (answer.status != Status::Created) return answer;
        break;
      }
      case CallKind::Compile:
        operators.compile(call.object);
        break;
      case CallKind::Initialize:
        operators.initialize(call.operators);
        break;
      case CallKind::Release:
        operators.release(call.object);
        break;
      case CallKind::Bind:
      case CallKind::Rebind:
      case CallKind::Reset:
        operators.bind(call, stage);
        break;
      case CallKind::Execute:
        operators.execute(call.object, call.queue, stage);
        break;
      case CallKind::Copy:
        stage.copy(call);
        break;
      case CallKind::Barrier:
        recordBarrier(stage.list(call.queue));
        break;
      case CallKind::Submit:
        stage.submit(call.queue);
        break;
      case CallKind::Wait:
        stage.wait(call.queue);
        break;
      case CallKind::Memory:
        stage.hold(call.bytes);
        break;
    }
  }
  Answer answer;
  std::vector<SequenceStage::Part<uint8_t>> wanted;
  answer.outputs = sequence.buffers;
  for (std::vector<uint8_t>& bytes : answer.outputs) {
    wanted.push_back({static_cast<uint32_t>(wanted.size()), 0, bytes});
  }
  stage.read(wanted);
  answer.status = Status::Executed;
  return answer;
}

}  // namespace dmlcts::gpu
