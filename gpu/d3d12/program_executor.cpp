#include "gpu/d3d12/program_executor.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/mode_program.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kStaging = 256;
constexpr uint64_t kKept = uint64_t{32} << 20;  // bytes of transfers, for the next program
constexpr uint64_t kFillBytes = uint64_t{1} << 20;
constexpr uint8_t kPoison = 0xFF;
constexpr auto kOutOfMemory = static_cast<HRESULT>(0x8007000E);  // E_OUTOFMEMORY

uint64_t roundUp(uint64_t bytes) { return (bytes + kStaging - 1) / kStaging * kStaging; }

uint64_t bytesOf(const Call& transfer) {
  const auto* put = std::get_if<call::Put>(&transfer);
  return put ? put->data.size() : std::get<call::Get>(transfer).bytes;
}

uint64_t staged(std::span<const Call> transfers) {
  uint64_t bytes = 0;
  for (const Call& each : transfers) bytes += roundUp(bytesOf(each));
  return bytes;
}

// True if the call allocates what the program cannot do without.
bool needsMemory(const Call& call) {
  return std::holds_alternative<call::Buffer>(call) || std::holds_alternative<call::Bind>(call);
}

// The first execution of a mode's program.
auto firstExecution(const std::vector<Call>& calls) {
  return std::ranges::find_if(
      calls, [](const Call& call) { return std::holds_alternative<call::Execute>(call); });
}

}  // namespace

ProgramStage::ProgramStage(Device& device, Queues& queues)
    : device_(device),
      queues_(queues),
      memory_(device),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"what buffers hold at first"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"what buffers hold at last"),
      poison_(device, D3D12_HEAP_TYPE_UPLOAD, L"poison"),
      zeros_(device, D3D12_HEAP_TYPE_UPLOAD, L"zeros") {}

ProgramStage::~ProgramStage() {
  try {
    end();
  } catch (const std::exception&) {  // device lost
  }
}

void ProgramStage::end() {
  for (uint32_t queue = 0; queue < lists_.size(); ++queue) {
    await(queue);
    lists_[queue].open.reset();  // of a program that failed
    lists_[queue].used.clear();
    lists_[queue].kept.clear();
  }
  filling_ = false;
  buffers_.clear();
  heaps_.clear();
  for (Buffer* transfers : {&upload_, &readBack_}) {
    if (transfers->bytes() > kKept) transfers->release();
  }
}

void ProgramStage::makeHeap(uint64_t bytes) {
  D3D12_HEAP_DESC desc{};
  desc.SizeInBytes = bytes;
  desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
  check(device_.get()->CreateHeap(&desc, uuidof<ID3D12Heap>(), &heaps_.emplace_back()),
        "ID3D12Device::CreateHeap");
  heaps_.back()->SetName(L"a heap of a program");
}

void ProgramStage::make(const call::Buffer& call) {
  BufferPool::Taken& buffer = buffers_[call.buffer];
  if (call.inHeap) {
    buffer = memory_.place(heaps_.back().Get(), *call.inHeap, call.bytes);
  } else {
    buffer = memory_.take(D3D12_HEAP_TYPE_DEFAULT, call.bytes);
  }
}

BufferPool::Taken ProgramStage::temporary(uint64_t bytes) {
  BufferPool::Taken temporary = memory_.take(D3D12_HEAP_TYPE_DEFAULT, bytes);
  if (temporary->bytes() > BufferPool::kMostKept) return temporary;  // no program had it before
  if (poison_.reserve(kFillBytes)) std::memset(poison_.data(), kPoison, kFillBytes);
  fill(*temporary, bytes, poison_);
  return temporary;
}

BufferPool::Taken ProgramStage::state(uint64_t bytes) {
  BufferPool::Taken state = memory_.take(D3D12_HEAP_TYPE_DEFAULT, bytes);
  if (zeros_.reserve(kFillBytes)) std::memset(zeros_.data(), 0, kFillBytes);
  fill(*state, bytes, zeros_);
  return state;
}

void ProgramStage::fill(Buffer& buffer, uint64_t bytes, const Buffer& content) {
  use(0, buffer, D3D12_RESOURCE_STATE_COPY_DEST);
  for (uint64_t at = 0; at < bytes; at += kFillBytes) {
    const uint64_t some = roundUp(std::min(kFillBytes, bytes - at));
    list(0)->CopyBufferRegion(buffer.get(), at, content.get(), 0, some);
  }
  filling_ = true;
}

Queue& ProgramStage::queue(uint32_t number) {
  if (number == 0) return device_.queue();
  std::unique_ptr<Queue>& queue = queues_[number];
  if (!queue) {
    const auto type =
        number % 2 == 0 ? D3D12_COMMAND_LIST_TYPE_DIRECT : D3D12_COMMAND_LIST_TYPE_COMPUTE;
    queue = std::make_unique<Queue>(device_.get(), type, L"a queue of programs");
  }
  return *queue;
}

void ProgramStage::write(std::span<const Call> puts) {
  wait(0);
  upload_.reserve(staged(puts));
  uint64_t at = 0;
  for (const Call& each : puts) {
    const auto& put = std::get<call::Put>(each);
    if (put.data.empty()) continue;
    Buffer& target = buffer(put.to.buffer);
    std::memcpy(upload_.data() + at, put.data.data(), put.data.size());
    use(0, target, D3D12_RESOURCE_STATE_COPY_DEST);
    list(0)->CopyBufferRegion(target.get(), put.to.offset, upload_.get(), at, put.data.size());
    at += roundUp(put.data.size());
  }
  filling_ = true;
}

// Submits fills in a list of their own: one that is submitted again must not write its inputs.
void ProgramStage::submitFills() {
  if (filling_) submit(0);
}

ID3D12GraphicsCommandList* ProgramStage::list(uint32_t queue) {
  if (queue != 0) {
    submitFills();
    if (filled_) await(0);
  }
  Lists& lists = lists_[queue];
  if (!lists.open && !lists.free.empty()) {
    lists.open = std::move(lists.free.back());
    lists.free.pop_back();
    lists.list = lists.open->begin();
  } else if (!lists.open) {
    lists.open = std::make_unique<Recorder>(device_, this->queue(queue), L"a list of a program");
    lists.list = lists.open->begin();
  }
  return lists.list;
}

void ProgramStage::use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state) {
  buffer.enter(list(queue), state);
  std::vector<Buffer*>& used = lists_[queue].used;
  if (std::ranges::find(used, &buffer) == used.end()) used.push_back(&buffer);
}

void ProgramStage::keep(uint32_t queue, std::shared_ptr<const void> used) {
  lists_[queue].kept.push_back(std::move(used));
}

void ProgramStage::copy(const call::Copy& call) {
  submitFills();
  Buffer& source = buffer(call.from.buffer);
  Buffer& target = buffer(call.to.buffer);
  use(call.queue, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
  use(call.queue, target, D3D12_RESOURCE_STATE_COPY_DEST);
  list(call.queue)
      ->CopyBufferRegion(target.get(), call.to.offset, source.get(), call.from.offset, call.bytes);
  // Return to the common state, so that the next copy needs a transition too.
  use(call.queue, source, D3D12_RESOURCE_STATE_COMMON);
  use(call.queue, target, D3D12_RESOURCE_STATE_COMMON);
}

void ProgramStage::submit(uint32_t queue) {
  Lists& lists = lists_[queue];
  list(queue);
  for (Buffer* buffer : lists.used) buffer->enter(lists.list, D3D12_RESOURCE_STATE_COMMON);
  lists.used.clear();
  if (queue == 0) filled_ = std::exchange(filling_, false) || filled_;
  lists.submitted = lists.open->submit();
  lists.inFlight.push_back(std::move(lists.open));
}

void ProgramStage::resubmit(uint32_t queue) {
  Lists& lists = lists_[queue];
  lists.submitted = lists.inFlight.end()[-2]->resubmit();
}

void ProgramStage::wait(uint32_t queue) {
  if (lists_[queue].open) submit(queue);
  await(queue);
}

void ProgramStage::await(uint32_t queue) {
  Lists& lists = lists_[queue];
  if (queue == 0) filled_ = false;
  if (lists.inFlight.empty()) return;
  device_.wait(this->queue(queue), lists.submitted);
  std::ranges::move(lists.inFlight, std::back_inserter(lists.free));
  lists.inFlight.clear();
  lists.kept.clear();
}

std::vector<std::vector<uint8_t>> ProgramStage::read(std::span<const Call> gets) {
  for (uint32_t queue = 1; queue < lists_.size(); ++queue) wait(queue);
  readBack_.reserve(staged(gets));
  uint64_t at = 0;
  for (const Call& each : gets) {
    const auto& get = std::get<call::Get>(each);
    if (get.bytes == 0) continue;
    Buffer& source = buffer(get.from.buffer);
    use(0, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list(0)->CopyBufferRegion(readBack_.get(), at, source.get(), get.from.offset, get.bytes);
    at += roundUp(get.bytes);
  }
  wait(0);
  std::vector<std::vector<uint8_t>> read;
  const uint8_t* from = readBack_.data();
  for (const Call& each : gets) {
    const uint64_t bytes = bytesOf(each);
    read.emplace_back(from, from + bytes);
    from += roundUp(bytes);
  }
  return read;
}

Answer ProgramExecutor::run(const Request& request, std::unique_ptr<ProgramOperator> op,
                            const ModeMutant* mutant) {
  if (std::string why = ModeProgram::whyNot(request); !why.empty()) {
    return {request.id, Status::NotSupported, 0, std::move(why), {}, {}};
  }
  const ModeProgram program(request, op->temporaryBytes(), mutant);
  return program.answer(run(program.calls(), std::move(op)));
}

double ProgramExecutor::bareSeconds(const Request& request, std::unique_ptr<ProgramOperator> op) {
  const ModeProgram program(request, op->temporaryBytes(), nullptr);
  const auto& calls = program.calls().calls;
  const auto execute = firstExecution(calls);
  Program loop{{*execute}, true};
  for (const Call& each : std::span(execute, calls.end())) {
    const auto* get = std::get_if<call::Get>(&each);
    if (get && get->from.buffer >= request.inputs.size()) loop.calls.push_back(each);
  }
  if (run({{calls.begin(), execute}, true}, std::move(op)).status != Status::Executed) return 0;
  stage_->wait(0);
  const auto start = std::chrono::steady_clock::now();
  const bool executed = run(loop).status == Status::Executed;
  const auto end = std::chrono::steady_clock::now();
  this->end();
  return executed ? std::chrono::duration<double>(end - start).count() : 0;
}

Timing ProgramExecutor::time(const Request& request, std::unique_ptr<ProgramOperator> op,
                             uint32_t repetitions, uint64_t evict) {
  const ModeProgram program(request, op->temporaryBytes(), nullptr);
  Answer answer = program.answer(run({program.calls().calls, true}, std::move(op)));
  Timing timing{answer.status, answer.message, {}, std::move(answer.outputs), {}};
  if (answer.status != Status::Executed) return timing;
  const auto& execute = std::get<call::Execute>(*firstExecution(program.calls().calls));
  try {
    std::optional<CacheEviction> eviction;
    if (evict != 0) eviction.emplace(device_, evict);
    timing.nanoseconds = settledTimes(
        repetitions, [&](uint32_t count) { return measured(execute, count, eviction); }, !eviction);
  } catch (const std::exception& error) {
    const Answer failure = explain_(error);
    timing = {failure.status, failure.message, {}, {}, {}};
  }
  end(timing.status != Status::Executed);
  return timing;
}

std::vector<double> ProgramExecutor::measured(const call::Execute& execute, uint32_t repetitions,
                                              std::optional<CacheEviction>& eviction) {
  Timestamps timestamps(device_, repetitions);
  ID3D12GraphicsCommandList* list = stage_->list(0);
  for (uint32_t i = 0; i < repetitions; ++i) {
    if (eviction) eviction->record(list);
    timestamps.begin(list, i);
    operator_->execute(execute, *stage_);
    timestamps.end(list, i);
    recordBarrier(list);
  }
  timestamps.resolve(list);
  stage_->wait(0);
  operator_->checkRemoved();
  return timestamps.nanoseconds();
}

Answer ProgramExecutor::run(const Program& program, std::unique_ptr<ProgramOperator> op) {
  Answer answer;
  answer.status = Status::Executed;
  size_t made = 0;
  try {
    if (op) end();
    if (!operator_) operator_ = op ? std::move(op) : makeOperator_();
    if (!stage_) stage_ = std::make_unique<ProgramStage>(device_, queues_);
    while (made < program.calls.size() && answer.status == Status::Executed) {
      make(std::span(program.calls).subspan(made), made, answer);
    }
    if (answer.status == Status::Executed && !program.continues) stage_->read({});  // waits
    operator_->checkRemoved();
  } catch (const std::length_error& error) {  // too many passes
    end(true);
    answer = {0, Status::NotSupported, 0, error.what(), {}, {}};
  } catch (const D3D12Error& error) {
    end(true);
    answer = explain_(error);
    const bool needed = made < program.calls.size() && needsMemory(program.calls[made]);
    if (needed && error.result() == kOutOfMemory) answer.status = Status::NotSupported;
  } catch (const std::exception& error) {
    end(true);
    answer = explain_(error);
  }
  if (answer.status != Status::Executed) answer.id = made;
  if (answer.status != Status::Executed || !program.continues) end();
  return answer;
}

void ProgramExecutor::end(bool failed) {
  try {
    if (stage_) stage_->end();       // waits for what the operator records
  } catch (const std::exception&) {  // device lost
    failed = true;
  }
  operator_.reset();
  if (failed) stage_.reset();
}

// Makes the first call, or with it the transfers like it behind, and adds to `made` unless it
// fails.
void ProgramExecutor::make(std::span<const Call> calls, size_t& made, Answer& answer) {
  const auto other = std::ranges::find_if(
      calls, [&](const Call& each) { return each.index() != calls.front().index(); });
  const auto same = calls.first(static_cast<size_t>(other - calls.begin()));
  struct Maker {
    ProgramOperator& op;
    ProgramStage& stage;
    std::span<const Call> same;
    size_t& made;
    Answer& answer;

    void operator()(const call::Create& call) {
      Answer created = op.create(call);
      if (created.status != Status::Created) answer = std::move(created);
    }
    void operator()(const call::Buffer& call) { stage.make(call); }
    void operator()(const call::Bind& call) { op.bind(call, stage); }
    void operator()(const call::Put&) {
      stage.write(same);
      made += same.size() - 1;
    }
    void operator()(const call::Execute& call) {
      stage.submitFills();
      op.execute(call, stage);
    }
    void operator()(const call::Wait& call) { stage.wait(call.queue); }
    void operator()(const call::Get&) {
      std::ranges::move(stage.read(same), std::back_inserter(answer.outputs));
      made += same.size() - 1;
    }
    void operator()(const call::Heap& call) { stage.makeHeap(call.bytes); }
    void operator()(const call::Copy& call) { stage.copy(call); }
    void operator()(const call::Barrier& call) { recordBarrier(stage.list(call.queue)); }
    void operator()(const call::Submit& call) { stage.submit(call.queue); }
    void operator()(const call::Resubmit& call) { stage.resubmit(call.queue); }
  };
  std::visit(Maker{*operator_, *stage_, same, made, answer}, calls.front());
  if (answer.status == Status::Executed) ++made;
}

}  // namespace dmlcts::gpu
