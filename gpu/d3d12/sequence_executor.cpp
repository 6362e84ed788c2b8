#include "gpu/d3d12/sequence_executor.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/mode_program.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kStaging = 256;
constexpr auto kOutOfMemory = static_cast<HRESULT>(0x8007000E);  // E_OUTOFMEMORY
constexpr uint64_t kMemoryPiece = uint64_t{64} << 20;            // of the `memory` call's content

uint64_t roundUp(uint64_t bytes) { return (bytes + kStaging - 1) / kStaging * kStaging; }

uint64_t bytesOf(const SequenceCall& transfer) {
  return transfer.kind == CallKind::Put ? transfer.data.size() : transfer.bytes;
}

uint64_t staged(std::span<const SequenceCall> transfers) {
  uint64_t bytes = 0;
  for (const SequenceCall& each : transfers) bytes += roundUp(bytesOf(each));
  return bytes;
}

// True if the call allocates what the program cannot do without.
bool needsMemory(CallKind kind) { return kind == CallKind::Buffer || kind == CallKind::Bind; }

}  // namespace

SequenceStage::SequenceStage(Device& device, Queues& queues)
    : device_(device),
      queues_(queues),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"what buffers hold at first"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"what buffers hold at last") {}

void SequenceStage::makeHeap(uint64_t bytes) {
  D3D12_HEAP_DESC desc{};
  desc.SizeInBytes = bytes;
  desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
  check(device_.get()->CreateHeap(&desc, uuidof<ID3D12Heap>(), &heaps_.emplace_back()),
        "ID3D12Device::CreateHeap");
  heaps_.back()->SetName(L"a heap of a program");
}

void SequenceStage::make(const SequenceCall& call) {
  std::unique_ptr<Buffer>& buffer = buffers_[call.object];
  buffer = std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"a buffer of a program");
  if (call.to.empty()) {
    buffer->reserve(call.bytes);
  } else {
    buffer->place(heaps_.back().Get(), call.to.front().offset, call.bytes);
  }
}

Queue& SequenceStage::queue(uint32_t number) {
  if (number == 0) return device_.queue();
  std::unique_ptr<Queue>& queue = queues_[number];
  if (!queue) {
    const auto type =
        number % 2 == 0 ? D3D12_COMMAND_LIST_TYPE_DIRECT : D3D12_COMMAND_LIST_TYPE_COMPUTE;
    queue = std::make_unique<Queue>(device_.get(), type, L"a queue of programs");
  }
  return *queue;
}

void SequenceStage::write(std::span<const SequenceCall> puts) {
  wait(0);
  upload_.reserve(staged(puts));
  uint64_t at = 0;
  for (const SequenceCall& put : puts) {
    if (put.data.empty()) continue;
    Buffer& target = buffer(put.to.front().buffer);
    std::memcpy(upload_.data() + at, put.data.data(), put.data.size());
    use(0, target, D3D12_RESOURCE_STATE_COPY_DEST);
    list(0)->CopyBufferRegion(target.get(), put.to.front().offset, upload_.get(), at,
                              put.data.size());
    at += roundUp(put.data.size());
  }
  wait(0);
}

SequenceStage::~SequenceStage() {
  for (uint32_t queue = 0; queue < stations_.size(); ++queue) {
    try {
      await(queue);
    } catch (const std::exception&) {  // device lost
    }
  }
}

ID3D12GraphicsCommandList* SequenceStage::list(uint32_t queue) {
  Station& station = stations_[queue];
  if (!station.open && !station.free.empty()) {
    station.open = std::move(station.free.back());
    station.free.pop_back();
    station.list = station.open->begin();
  } else if (!station.open) {
    station.open = std::make_unique<Recorder>(device_, this->queue(queue), L"a list of a program");
    station.list = station.open->begin();
  }
  return station.list;
}

void SequenceStage::use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state) {
  buffer.enter(list(queue), state);
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
  for (Buffer* buffer : station.used) buffer->enter(station.list, D3D12_RESOURCE_STATE_COMMON);
  station.used.clear();
  station.submitted = station.open->submit();
  station.inFlight.push_back(std::move(station.open));
}

void SequenceStage::resubmit(uint32_t queue) {
  Station& station = stations_[queue];
  station.submitted = station.inFlight.end()[-2]->resubmit();
}

void SequenceStage::wait(uint32_t queue) {
  if (stations_[queue].open) submit(queue);
  await(queue);
}

void SequenceStage::await(uint32_t queue) {
  Station& station = stations_[queue];
  if (station.inFlight.empty()) return;
  device_.wait(this->queue(queue), station.submitted);
  std::ranges::move(station.inFlight, std::back_inserter(station.free));
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

std::vector<std::vector<uint8_t>> SequenceStage::read(std::span<const SequenceCall> gets) {
  for (uint32_t queue = 1; queue < stations_.size(); ++queue) wait(queue);
  readBack_.reserve(staged(gets));
  uint64_t at = 0;
  for (const SequenceCall& get : gets) {
    if (get.bytes == 0) continue;
    Buffer& source = buffer(get.from.front().buffer);
    use(0, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list(0)->CopyBufferRegion(readBack_.get(), at, source.get(), get.from.front().offset,
                              get.bytes);
    at += roundUp(get.bytes);
  }
  wait(0);
  std::vector<std::vector<uint8_t>> read;
  const uint8_t* from = readBack_.data();
  for (const SequenceCall& get : gets) {
    read.emplace_back(from, from + get.bytes);
    from += roundUp(get.bytes);
  }
  return read;
}

Answer ProgramExecutor::run(const Request& request, std::unique_ptr<SequenceOperators> operators,
                            const ModeMutant* mutant) {
  if (std::string why = ModeProgram::whyNot(request); !why.empty()) {
    return {request.id, Status::NotSupported, 0, std::move(why), {}, {}};
  }
  const ModeProgram program(request, operators->temporaryBytes(0), mutant);
  return program.answer(run(program.calls(), std::move(operators)));
}

double ProgramExecutor::bareSeconds(const Request& request,
                                    std::unique_ptr<SequenceOperators> operators) {
  const ModeProgram program(request, operators->temporaryBytes(0), nullptr);
  const auto& calls = program.calls().calls;
  const auto execute = std::ranges::find(calls, CallKind::Execute, &SequenceCall::kind);
  Sequence loop{{*execute}, true};
  for (const SequenceCall& call : std::span(execute, calls.end())) {
    const bool ofInput =
        call.kind == CallKind::Get && call.from.front().buffer < request.inputs.size();
    if (call.kind == CallKind::Get && !ofInput) loop.calls.push_back(call);
  }
  if (run({{calls.begin(), execute}, true}, std::move(operators)).status != Status::Executed) {
    return 0;
  }
  const auto start = std::chrono::steady_clock::now();
  const bool executed = run(loop).status == Status::Executed;
  const auto end = std::chrono::steady_clock::now();
  this->end();
  return executed ? std::chrono::duration<double>(end - start).count() : 0;
}

Timing ProgramExecutor::time(const Request& request, std::unique_ptr<SequenceOperators> operators,
                             uint32_t repetitions, uint64_t evict) {
  const ModeProgram program(request, operators->temporaryBytes(0), nullptr);
  Answer answer = program.answer(run({program.calls().calls, true}, std::move(operators)));
  Timing timing{answer.status, answer.message, {}, std::move(answer.outputs), {}};
  if (answer.status != Status::Executed) return timing;
  const auto& calls = program.calls().calls;
  const auto execute = std::ranges::find(calls, CallKind::Execute, &SequenceCall::kind);
  try {
    std::optional<CacheEviction> eviction;
    if (evict != 0) eviction.emplace(device_, evict);
    timing.nanoseconds = settledTimes(
        repetitions, [&](uint32_t count) { return measured(*execute, count, eviction); },
        !eviction);
  } catch (const std::exception& error) {
    const Answer failure = explain_(error);
    timing = {failure.status, failure.message, {}, {}, {}};
  }
  end();
  return timing;
}

std::vector<double> ProgramExecutor::measured(const SequenceCall& execute, uint32_t repetitions,
                                              std::optional<CacheEviction>& eviction) {
  Timestamps timestamps(device_, repetitions);
  ID3D12GraphicsCommandList* list = stage_->list(0);
  for (uint32_t i = 0; i < repetitions; ++i) {
    if (eviction) eviction->record(list);
    timestamps.begin(list, i);
    operators_->execute(execute, *stage_);
    timestamps.end(list, i);
    recordBarrier(list);
  }
  timestamps.resolve(list);
  stage_->wait(0);
  operators_->checkRemoved();
  return timestamps.nanoseconds();
}

Answer ProgramExecutor::run(const Sequence& program, std::unique_ptr<SequenceOperators> operators) {
  Answer answer;
  answer.status = Status::Executed;
  size_t made = 0;
  try {
    if (operators) end();
    if (!stage_) {
      operators_ = operators ? std::move(operators) : makeOperators_();
      stage_ = std::make_unique<SequenceStage>(device_, queues_);
    }
    while (made < program.calls.size() && answer.status == Status::Executed) {
      make(std::span(program.calls).subspan(made), made, answer);
    }
    if (answer.status == Status::Executed && !program.continues) stage_->read({});  // waits
    operators_->checkRemoved();
  } catch (const std::length_error& error) {  // too many passes
    end();
    answer = {0, Status::NotSupported, 0, error.what(), {}, {}};
  } catch (const D3D12Error& error) {
    end();
    answer = explain_(error);
    const bool needed = made < program.calls.size() && needsMemory(program.calls[made].kind);
    if (needed && error.result() == kOutOfMemory) answer.status = Status::NotSupported;
  } catch (const std::exception& error) {
    end();
    answer = explain_(error);
  }
  if (answer.status != Status::Executed) answer.id = made;
  if (answer.status != Status::Executed || !program.continues) end();
  return answer;
}

void ProgramExecutor::end() {
  stage_.reset();  // waits for what the operators record
  operators_.reset();
}

// Makes the first call, or with it those like it behind, and adds to `made` unless it fails.
void ProgramExecutor::make(std::span<const SequenceCall> calls, size_t& made, Answer& answer) {
  const SequenceCall& call = calls.front();
  const auto other =
      std::ranges::find_if(calls, [&](const SequenceCall& each) { return each.kind != call.kind; });
  const auto same = calls.first(static_cast<size_t>(other - calls.begin()));
  switch (call.kind) {
    case CallKind::Create:
      if (Answer created = operators_->create(call.object, call.asked.value());
          created.status != Status::Created) {
        answer = std::move(created);
        return;
      }
      break;
    case CallKind::Compile:
      operators_->compile(call.object);
      break;
    case CallKind::Initialize:
      operators_->initialize(call.operators);
      break;
    case CallKind::Release:
      operators_->release(call.object);
      break;
    case CallKind::Bind:
    case CallKind::Rebind:
    case CallKind::Reset:
      operators_->bind(call, *stage_);
      break;
    case CallKind::Execute:
      operators_->execute(call, *stage_);
      break;
    case CallKind::Copy:
      stage_->copy(call);
      break;
    case CallKind::Barrier:
      recordBarrier(stage_->list(call.queue));
      break;
    case CallKind::Submit:
      stage_->submit(call.queue);
      break;
    case CallKind::Wait:
      stage_->wait(call.queue);
      break;
    case CallKind::Memory:
      stage_->hold(call.bytes);
      break;
    case CallKind::Buffer:
      stage_->make(call);
      break;
    case CallKind::Heap:
      stage_->makeHeap(call.bytes);
      break;
    case CallKind::Resubmit:
      stage_->resubmit(call.queue);
      break;
    case CallKind::Put:
      stage_->write(same);
      made += same.size();
      return;
    case CallKind::Get:
      std::ranges::move(stage_->read(same), std::back_inserter(answer.outputs));
      made += same.size();
      return;
  }
  ++made;
}

}  // namespace dmlcts::gpu
