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

// Bytes of transfers that are kept for the next program, or benchmark.
constexpr uint64_t kKept = uint64_t{32} << 20;
constexpr uint64_t kKeptTimed = uint64_t{2} << 30;
constexpr uint32_t kPassRepetitions = 9;  // enough for a median of each stage
constexpr uint64_t kFillBytes = uint64_t{1} << 20;
constexpr uint8_t kPoison = 0xFF;

uint64_t bytesOf(const Call& transfer) {
  const auto* put = std::get_if<call::Put>(&transfer);
  if (!put) return std::get<call::Get>(transfer).bytes;
  return std::max<uint64_t>(put->bytes().size(), put->room);
}

// A copy between staging memory and a buffer.
struct Copied {
  uint32_t buffer;
  uint64_t at;
  uint64_t stagedAt;
  uint64_t bytes;
};

// Returns the copies of consecutive Puts, or Gets. One copy serves those that lie in their buffer
// as they are staged: a batch needs one for all inputs.
std::vector<Copied> copiesOf(std::span<const Call> transfers) {
  std::vector<Copied> copies;
  uint64_t stagedAt = 0;
  for (const Call& each : transfers) {
    const auto* put = std::get_if<call::Put>(&each);
    const Place& place = put ? put->to : std::get<call::Get>(each).from;
    const uint64_t bytes = bytesOf(each);
    if (bytes == 0) continue;
    Copied* const last = copies.empty() ? nullptr : &copies.back();
    const uint64_t behind = last ? stagedAt - last->stagedAt : 0;
    // Bytes between two Gets can be read, but those between two Puts must stay.
    const bool follows = last && last->buffer == place.buffer &&
                         last->at + behind == place.offset && (!put || last->bytes == behind);
    if (follows) {
      last->bytes = behind + bytes;
    } else {
      copies.push_back({place.buffer, place.offset, stagedAt, bytes});
    }
    stagedAt += stagedBytes(bytes);
  }
  return copies;
}

uint64_t staged(std::span<const Call> transfers) {
  uint64_t bytes = 0;
  for (const Call& each : transfers) bytes += stagedBytes(bytesOf(each));
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
      zeros_(device, D3D12_HEAP_TYPE_UPLOAD, L"zeros"),
      keptTransfers_(kKept) {}

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
  reading_.clear();
  buffers_.clear();
  heaps_.clear();
  keepTransfers(keptTransfers_);
}

void ProgramStage::keepTransfers(uint64_t bytes) {
  keptTransfers_ = bytes;
  for (Buffer* transfers : {&upload_, &readBack_}) {
    if (transfers->bytes() > bytes) transfers->release();
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
  fillWith(*temporary, bytes, poison_, kPoison);
  return temporary;
}

BufferPool::Taken ProgramStage::state(uint64_t bytes) {
  BufferPool::Taken state = memory_.take(D3D12_HEAP_TYPE_DEFAULT, bytes);
  fillWith(*state, bytes, zeros_, 0);
  return state;
}

void ProgramStage::fillWith(Buffer& buffer, uint64_t bytes, Buffer& content, uint8_t byte) {
  if (content.reserve(kFillBytes)) std::memset(content.data(), byte, kFillBytes);
  use(0, buffer, D3D12_RESOURCE_STATE_COPY_DEST);
  for (uint64_t at = 0; at < bytes; at += kFillBytes) {
    const uint64_t some = stagedBytes(std::min(kFillBytes, bytes - at));
    list(0)->CopyBufferRegion(buffer.get(), at, content.get(), 0, some);
  }
  filling_ = true;
}

void ProgramStage::fill(Buffer& buffer, uint64_t bytes, const Buffer& content) {
  use(0, buffer, D3D12_RESOURCE_STATE_COPY_DEST);
  list(0)->CopyBufferRegion(buffer.get(), 0, content.get(), 0, bytes);
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
  uint8_t* to = upload_.data();
  for (const Call& each : puts) {
    const std::span<const uint8_t> bytes = std::get<call::Put>(each).bytes();
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    to += stagedBytes(bytesOf(each));
  }
  for (const Copied& copied : copiesOf(puts)) {
    Buffer& target = buffer(copied.buffer);
    use(0, target, D3D12_RESOURCE_STATE_COPY_DEST);
    list(0)->CopyBufferRegion(target.get(), copied.at, upload_.get(), copied.stagedAt,
                              copied.bytes);
  }
  filling_ = true;
}

ID3D12GraphicsCommandList* ProgramStage::list(uint32_t queue) {
  if (queue != 0) {
    if (filling_) submit(0);
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

void ProgramStage::read(std::span<const Call> gets) {
  for (uint32_t queue = 1; queue < lists_.size(); ++queue) wait(queue);
  readBack_.reserve(staged(gets));
  for (const Copied& copied : copiesOf(gets)) {
    Buffer& source = buffer(copied.buffer);
    use(0, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list(0)->CopyBufferRegion(readBack_.get(), copied.stagedAt, source.get(), copied.at,
                              copied.bytes);
  }
  std::ranges::transform(gets, std::back_inserter(reading_), bytesOf);
  if (lists_[0].open) submit(0);
}

std::vector<std::vector<uint8_t>> ProgramStage::taken() {
  wait(0);
  std::vector<std::vector<uint8_t>> taken;
  const uint8_t* from = readBack_.data();
  for (const uint64_t bytes : std::exchange(reading_, {})) {
    taken.emplace_back(from, from + bytes);
    from += stagedBytes(bytes);
  }
  return taken;
}

Answer ProgramExecutor::run(const Request& request, std::unique_ptr<ProgramOperator> op,
                            const ModeMutant* mutant) {
  if (std::string why = ModeProgram::whyNot(request); !why.empty()) {
    return {{}, request.id, Status::NotSupported, 0, std::move(why)};
  }
  const ModeProgram program(request, op->temporaryBytes(), mutant);
  return program.answer(run(program.calls(), std::move(op)));
}

double ProgramExecutor::bareSeconds(const Request& request, std::unique_ptr<ProgramOperator> op) {
  const ModeProgram program(request, op->temporaryBytes(), nullptr, ModeProgram::Reads::Outputs);
  const auto& calls = program.calls().calls;
  const auto execute = firstExecution(calls);
  if (run({{calls.begin(), execute}, true}, std::move(op)).status != Status::Executed) return 0;
  stage_->wait(0);
  const Program loop{{execute, calls.end()}, true};
  const auto start = std::chrono::steady_clock::now();
  const bool executed = run(loop).status == Status::Executed;
  const auto end = std::chrono::steady_clock::now();
  this->end();
  return executed ? std::chrono::duration<double>(end - start).count() : 0;
}

Timing ProgramExecutor::time(const Request& request, std::unique_ptr<ProgramOperator> op,
                             uint32_t repetitions, uint64_t evict,
                             std::optional<ShaderModel> model) {
  const ModeProgram program(request, op->temporaryBytes(), nullptr, ModeProgram::Reads::Outputs);
  Answer answer = program.answer(run({program.calls().calls, true}, std::move(op)));
  Timing timing{answer.status, answer.message, {}, std::move(answer.outputs), {}};
  if (answer.status != Status::Executed) return timing;
  const auto& execute = std::get<call::Execute>(*firstExecution(program.calls().calls));
  try {
    stage_->keepTransfers(kKeptTimed);
    std::optional<CacheEviction> eviction;
    if (evict != 0) eviction.emplace(device_, evict, model);
    timing.nanoseconds = settledTimes(
        repetitions, [&](uint32_t count) { return measured(execute, count, eviction); }, !eviction);
    timing.passes = passTimes(execute, std::min(repetitions, kPassRepetitions), eviction);
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
    operator_->execute(execute, *stage_, nullptr);
    timestamps.end(list, i);
    recordBarrier(list);
  }
  timestamps.resolve(list);
  stage_->wait(0);
  operator_->checkRemoved();
  return timestamps.nanoseconds();
}

// Returns the median of each stage. Adds up stages of the same name.
std::vector<PassTime> ProgramExecutor::passTimes(const call::Execute& execute, uint32_t repetitions,
                                                 std::optional<CacheEviction>& eviction) {
  const std::vector<std::string_view> names = operator_->stages();
  const auto stages = static_cast<uint32_t>(names.size());
  if (stages == 0) return {};
  Timestamps timestamps(device_, repetitions * stages);
  ID3D12GraphicsCommandList* list = stage_->list(0);
  for (uint32_t i = 0; i < repetitions; ++i) {
    if (eviction) eviction->record(list);
    const StageTimes times{timestamps, i * stages};
    operator_->execute(execute, *stage_, &times);
    recordBarrier(list);
  }
  timestamps.resolve(list);
  stage_->wait(0);
  const std::vector<double> all = timestamps.nanoseconds();
  std::vector<PassTime> passes;
  for (uint32_t stage = 0; stage < stages; ++stage) {
    std::vector<double> some;
    some.reserve(repetitions);
    for (uint32_t i = 0; i < repetitions; ++i) some.push_back(all[i * stages + stage]);
    std::nth_element(some.begin(), some.begin() + repetitions / 2, some.end());
    auto same = std::ranges::find(passes, names[stage], &PassTime::name);
    if (same == passes.end()) same = passes.insert(same, {std::string(names[stage]), 0});
    same->nanoseconds += some[repetitions / 2];
  }
  return passes;
}

Answer ProgramExecutor::run(const Program& program, std::unique_ptr<ProgramOperator> op) {
  launch(program, std::move(op));
  return land();
}

void ProgramExecutor::launch(const Program& program, std::unique_ptr<ProgramOperator> op) {
  answer_ = {};
  answer_.status = Status::Executed;
  made_ = 0;
  allocates_ = false;
  continues_ = program.continues;
  attempt([&] {
    if (op) end();
    if (!operator_) operator_ = op ? std::move(op) : makeOperator_();
    if (!stage_) stage_ = std::make_unique<ProgramStage>(device_, queues_);
    while (made_ < program.calls.size() && answer_.status == Status::Executed) {
      collect();
      allocates_ = needsMemory(program.calls[made_]);
      make(std::span(program.calls).subspan(made_));
    }
    allocates_ = false;
    if (answer_.status != Status::Executed) operator_->checkRemoved();
  });
}

Answer ProgramExecutor::land() {
  attempt([&] {
    collect();
    if (!continues_) {
      stage_->read({});  // waits for other queues
      stage_->taken();
    }
    operator_->checkRemoved();
  });
  if (answer_.status != Status::Executed) answer_.id = made_;
  if (answer_.status != Status::Executed || !continues_) end();
  return std::exchange(answer_, {});
}

// Takes what the last Gets read.
void ProgramExecutor::collect() {
  if (stage_->reads()) std::ranges::move(stage_->taken(), std::back_inserter(answer_.outputs));
}

template <class Step>
void ProgramExecutor::attempt(const Step& step) {
  if (answer_.status != Status::Executed) return;
  try {
    step();
  } catch (const std::length_error& error) {  // too many passes
    end(true);
    answer_ = {{}, 0, Status::NotSupported, 0, error.what()};
  } catch (const D3D12Error& error) {
    end(true);
    answer_ = explain_(error);
    const bool lacksMemory = allocates_ && error.result() == kOutOfMemory;
    if (lacksMemory) answer_.status = Status::NotSupported;
  } catch (const std::exception& error) {
    end(true);
    answer_ = explain_(error);
  }
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

// Makes the first call; a Put or Get together with those that directly follow it. Counts them in
// `made_` unless they fail.
void ProgramExecutor::make(std::span<const Call> calls) {
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
      op.execute(call, stage, nullptr);
      recordBarrier(stage.list(call.queue));
    }
    void operator()(const call::Wait& call) { stage.wait(call.queue); }
    void operator()(const call::Get&) {
      stage.read(same);
      made += same.size() - 1;
    }
    void operator()(const call::Heap& call) { stage.makeHeap(call.bytes); }
    void operator()(const call::Copy& call) { stage.copy(call); }
    void operator()(const call::Submit& call) { stage.submit(call.queue); }
    void operator()(const call::Resubmit& call) { stage.resubmit(call.queue); }
  };
  std::visit(Maker{*operator_, *stage_, same, made_, answer_}, calls.front());
  if (answer_.status == Status::Executed) ++made_;
}

}  // namespace dmlcts::gpu
