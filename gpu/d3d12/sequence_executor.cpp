#include "gpu/d3d12/sequence_executor.h"

#include <algorithm>
#include <cstring>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kStaging = 256;
constexpr uint64_t kMemoryPiece = uint64_t{64} << 20;  // of the `memory` call's content

uint64_t roundUp(uint64_t bytes) { return (bytes + kStaging - 1) / kStaging * kStaging; }

uint64_t staged(SequenceStage::Contents contents) {
  uint64_t bytes = 0;
  for (const auto& each : contents) bytes += roundUp(each.size());
  return bytes;
}

void enter(ID3D12GraphicsCommandList* list, Buffer& buffer, D3D12_RESOURCE_STATES state) {
  D3D12_RESOURCE_BARRIER barrier{};
  if (buffer.transition(state, barrier)) list->ResourceBarrier(1, &barrier);
}

}  // namespace

SequenceStage::SequenceStage(Device& device, Queue& compute, Contents contents) : device_(device) {
  stations_[0].queue = &device.queue();
  stations_[1].queue = &compute;
  Buffer upload(device_, D3D12_HEAP_TYPE_UPLOAD, L"what buffers hold at first");
  upload.reserve(staged(contents));
  Recorder recorder(device_, L"fill");
  ID3D12GraphicsCommandList* list = recorder.begin();
  uint64_t at = 0;
  for (const std::vector<uint8_t>& bytes : contents) {
    Buffer& buffer = *buffers_.emplace_back(
        std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"a buffer of a sequence"));
    buffer.reserve(bytes.size());
    std::memcpy(upload.data() + at, bytes.data(), bytes.size());
    enter(list, buffer, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyBufferRegion(buffer.get(), 0, upload.get(), at, bytes.size());
    enter(list, buffer, D3D12_RESOURCE_STATE_COMMON);
    at += roundUp(bytes.size());
  }
  device_.wait(recorder.submit());
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

std::vector<std::vector<uint8_t>> SequenceStage::read(Contents contents) {
  for (uint32_t queue = 0; queue < kQueues; ++queue) wait(queue);
  Buffer readBack(device_, D3D12_HEAP_TYPE_READBACK, L"what buffers hold at last");
  readBack.reserve(staged(contents));
  Recorder recorder(device_, L"read");
  ID3D12GraphicsCommandList* list = recorder.begin();
  uint64_t at = 0;
  for (size_t i = 0; i < contents.size(); ++i) {
    enter(list, *buffers_[i], D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyBufferRegion(readBack.get(), at, buffers_[i]->get(), 0, contents[i].size());
    at += roundUp(contents[i].size());
  }
  device_.wait(recorder.submit());
  std::vector<std::vector<uint8_t>> held;
  at = 0;
  for (const std::vector<uint8_t>& bytes : contents) {
    held.emplace_back(readBack.data() + at, readBack.data() + at + bytes.size());
    at += roundUp(bytes.size());
  }
  return held;
}

Answer executeSequence(Device& device, std::unique_ptr<Queue>& compute,
                       SequenceOperators& operators, const Sequence& sequence, size_t& failedAt) {
  failedAt = 0;
  if (!compute) {
    compute = std::make_unique<Queue>(device.get(), D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                      L"compute queue of sequences");
  }
  SequenceStage stage(device, *compute, sequence.buffers);
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
  answer.outputs = stage.read(sequence.buffers);
  answer.status = Status::Executed;
  return answer;
}

}  // namespace dmlcts::gpu
