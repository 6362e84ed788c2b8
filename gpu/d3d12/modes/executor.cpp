#include "gpu/d3d12/modes/executor.h"

#include <cstring>

namespace dmlcts::gpu {

namespace {

constexpr size_t kMany = 256;  // executions in one list
constexpr size_t kManySeen = kMany / 2;
constexpr size_t kManyMutant = 100;
constexpr uint64_t kManyBytes = uint64_t{16} << 20;  // of tensors: more would take minutes
constexpr uint64_t kImageAlignment = 256;
constexpr uint8_t kPoison = 0xFF;
constexpr auto kOutOfBounds = static_cast<int32_t>(0x8000000B);  // E_BOUNDS

uint8_t guardByte(uint64_t at) { return static_cast<uint8_t>(0x40 + at % 61); }

size_t bindingsOf(const Modes& modes) {
  return modes.has(Mode::Rebind) ? 3 : modes.has(Mode::TwoQueues) ? 2 : 1;
}

}  // namespace

ModeExecutor::ModeExecutor(Device& device, const ModeMutant* mutant)
    : device_(device),
      mutant_(mutant),
      upload_(device, D3D12_HEAP_TYPE_UPLOAD, L"upload"),
      readBack_(device, D3D12_HEAP_TYPE_READBACK, L"read-back") {}

ModeExecutor::Station& ModeExecutor::station(bool compute, size_t index) {
  std::unique_ptr<Station>& found = stations_[(compute ? size_t{2} : size_t{0}) + index];
  if (found) return *found;
  Queue* queue = &device_.queue();
  if (compute || index > 0) {
    const auto type = compute ? D3D12_COMMAND_LIST_TYPE_COMPUTE : D3D12_COMMAND_LIST_TYPE_DIRECT;
    queue =
        queues_.emplace_back(std::make_unique<Queue>(device_.get(), type, L"another queue")).get();
  }
  found = std::make_unique<Station>(device_, *queue);
  return *found;
}

Answer ModeExecutor::run(const Request& request, ModeOperator& op) {
  request_ = &request;
  operator_ = &op;
  Answer answer;
  answer.id = request.id;
  prepare(bindingsOf(request.modes));
  if (request.modes.has(Mode::Many) && imageBytes_ > kManyBytes) {
    answer.status = Status::NotSupported;
    answer.message = "mode many: its tensors have " + std::to_string(imageBytes_) +
                     " bytes, and this mode is for " + std::to_string(kManyBytes) + " at most";
    return answer;
  }
  Station& first = station(request.modes.has(Mode::Compute), 0);
  if (request.modes.has(Mode::TwoQueues)) {
    executeOnTwoQueues(first);
  } else {
    execute(first);
  }
  if (answer.message = overrun(); !answer.message.empty()) {
    answer.status = Status::Failed;
    answer.hresult = kOutOfBounds;
    return answer;
  }
  answer.status = Status::Executed;
  answer.modes = request.modes;
  Execution one = executionAt(0);
  answer.outputs = std::move(one.outputs);
  answer.inputs = std::move(one.inputs);
  for (size_t i = 1; i < executionsOf(request.modes); ++i) answer.more.push_back(executionAt(i));
  return answer;
}

void ModeExecutor::prepare(size_t bindings) {
  staged_.clear();
  imageBytes_ = 0;
  const auto forEachImage = [&](auto call) {
    for (const auto* images : {&request_->inputs, &request_->outputs}) {
      for (const BufferImage& image : *images) call(image);
    }
  };
  forEachImage([&](const BufferImage& image) {
    staged_.push_back(imageBytes_);
    imageBytes_ += (image.bytes.size() + kImageAlignment - 1) / kImageAlignment * kImageAlignment;
  });
  const bool tight = request_->modes.has(Mode::TightTemporary) && operator_->temporaryBytes() > 0;
  temporaryBytes_ = tight ? operator_->temporaryBytes() + 2 * ModeMemory::kGuard : 0;
  upload_.reserve(imageBytes_ + temporaryBytes_);
  readBack_.reserve(temporaryAt(bindings));
  size_t index = 0;
  forEachImage([&](const BufferImage& image) {
    std::memcpy(upload_.data() + staged_[index++], image.bytes.data(), image.bytes.size());
  });
  uint8_t* temporary = upload_.data() + imageBytes_;
  for (uint64_t i = 0; i < temporaryBytes_; ++i) {
    const bool inside = i >= ModeMemory::kGuard && i < temporaryBytes_ - ModeMemory::kGuard;
    temporary[i] = inside ? kPoison : guardByte(i);
  }
  while (memories_.size() < bindings) {
    memories_.push_back(std::make_unique<ModeMemory>(device_, operator_->inputState()));
  }
  for (size_t i = 0; i < bindings; ++i) {
    memories_[i]->arrange(*request_, operator_->temporaryBytes(), mutant_);
    operator_->bind(i, *request_, *memories_[i]);
  }
}

void ModeExecutor::execute(Station& station) {
  const Modes& modes = request_->modes;
  ID3D12GraphicsCommandList* list = station.before.begin();
  for (size_t i = 0; i < bindingsOf(modes); ++i) fill(list, i);
  station.before.submit();

  list = station.work.begin();
  if (modes.has(Mode::Many)) {
    dispatchMany(list);
  } else {
    for (size_t i = 0; i < bindingsOf(modes); ++i) {
      dispatch(list, i == 1 && isWrong(Mode::Rebind) ? 0 : i);
    }
  }
  station.work.submit();

  if (modes.has(Mode::RecordOnce)) {
    list = station.between.begin();
    read(list, 0, 0);
    poisonOutputs(list, 0);
    station.between.submit();
    if (!isWrong(Mode::RecordOnce)) station.work.resubmit();
  }

  list = station.after.begin();
  if (modes.has(Mode::LongerRange) && isWrong(Mode::LongerRange)) overrunTotal(list);
  const size_t last = executionsOf(modes) - 1;
  for (size_t i = 0; i < bindingsOf(modes); ++i) read(list, i, modes.has(Mode::Rebind) ? i : last);
  readTemporaries(list);
  device_.wait(station.queue, station.after.submit());
}

void ModeExecutor::executeOnTwoQueues(Station& one) {
  Station& other = station(request_->modes.has(Mode::Compute), 1);
  ID3D12GraphicsCommandList* list = one.before.begin();
  fill(list, 0);
  fill(list, 1);
  const uint64_t filled = one.before.submit();
  // The host waits instead of a queue: libvkd3d 1.2 sometimes hangs if one queue waits for
  // another's fence.
  device_.wait(one.queue, filled);

  dispatch(one.work.begin(), 0);
  dispatch(other.work.begin(), 1);
  one.work.submit();
  const auto readBoth = [&] {
    list = one.after.begin();
    read(list, 0, 0);
    read(list, 1, 1);
    readTemporaries(list);
    return one.after.submit();
  };
  if (isWrong(Mode::TwoQueues)) {
    const uint64_t early = readBoth();
    device_.wait(other.queue, other.work.submit());
    device_.wait(one.queue, early);
    return;
  }
  const uint64_t done = other.work.submit();
  device_.wait(other.queue, done);
  device_.wait(one.queue, readBoth());
}

void ModeExecutor::fill(ID3D12GraphicsCommandList* list, size_t binding) {
  ModeMemory& memory = *memories_[binding];
  memory.enter(list, ModeMemory::Use::Fill);
  const auto images = memory.images();
  for (size_t i = 0; i < images.size(); ++i) {
    list->CopyBufferRegion(images[i].buffer->get(), images[i].at, upload_.get(), staged_[i],
                           images[i].bytes);
  }
  if (temporaryBytes_ > 0) {
    const ModeMemory::Region& temporary = memory.temporary();
    list->CopyBufferRegion(temporary.buffer->get(), temporary.at - ModeMemory::kGuard,
                           upload_.get(), imageBytes_, temporaryBytes_);
  }
  memory.enter(list, ModeMemory::Use::Execute);
}

void ModeExecutor::poisonOutputs(ID3D12GraphicsCommandList* list, size_t binding) {
  ModeMemory& memory = *memories_[binding];
  memory.enter(list, ModeMemory::Use::Fill);
  const auto images = memory.images();
  for (size_t i = memory.inputs(); i < images.size(); ++i) {
    list->CopyBufferRegion(images[i].buffer->get(), images[i].at, upload_.get(), staged_[i],
                           images[i].bytes);
  }
  memory.enter(list, ModeMemory::Use::Execute);
}

void ModeExecutor::dispatch(ID3D12GraphicsCommandList* list, size_t binding) {
  const bool lost = isWrong(Mode::Compute) && request_->modes.has(Mode::Compute);
  operator_->record(list, binding, lost);
}

void ModeExecutor::dispatchMany(ID3D12GraphicsCommandList* list) {
  for (size_t i = 0; i < kMany; ++i) {
    if (i > 0) poisonOutputs(list, 0);
    if (i < kManyMutant || !isWrong(Mode::Many)) dispatch(list, 0);
    if (i == 0) read(list, 0, 0);
    if (i == kManySeen) read(list, 0, 1);
  }
}

void ModeExecutor::read(ID3D12GraphicsCommandList* list, size_t binding, size_t execution) {
  ModeMemory& memory = *memories_[binding];
  memory.enter(list, ModeMemory::Use::Read);
  const auto images = memory.images();
  for (size_t i = 0; i < images.size(); ++i) {
    list->CopyBufferRegion(readBack_.get(), execution * imageBytes_ + staged_[i],
                           images[i].buffer->get(), images[i].at, images[i].bytes);
  }
}

void ModeExecutor::overrunTotal(ID3D12GraphicsCommandList* list) {
  ModeMemory& memory = *memories_[0];
  const ModeMemory::Region& region = memory.images().back();
  const BufferImage& image = request_->outputs.back();
  memory.enter(list, ModeMemory::Use::Fill);
  // Other bytes of the same guard band.
  const uint64_t behind = image.offset + image.size;
  list->CopyBufferRegion(region.buffer->get(), region.at + behind, upload_.get(),
                         staged_.back() + behind + 8, 4);
}

void ModeExecutor::readTemporaries(ID3D12GraphicsCommandList* list) {
  if (temporaryBytes_ == 0) return;
  for (size_t i = 0; i < bindingsOf(request_->modes); ++i) readTemporary(list, i);
}

void ModeExecutor::readTemporary(ID3D12GraphicsCommandList* list, size_t binding) {
  ModeMemory& memory = *memories_[binding];
  const ModeMemory::Region& temporary = memory.temporary();
  if (isWrong(Mode::TightTemporary)) {
    memory.enter(list, ModeMemory::Use::Fill);
    list->CopyBufferRegion(temporary.buffer->get(), temporary.at + temporary.bytes, upload_.get(),
                           imageBytes_ + ModeMemory::kGuard, 4);
  }
  memory.enter(list, ModeMemory::Use::Read);
  list->CopyBufferRegion(readBack_.get(), temporaryAt(binding), temporary.buffer->get(),
                         temporary.at - ModeMemory::kGuard, temporaryBytes_);
}

Execution ModeExecutor::executionAt(size_t execution) const {
  Execution result;
  const uint8_t* part = readBack_.data() + execution * imageBytes_;
  for (size_t i = 0; i < staged_.size(); ++i) {
    const bool isInput = i < request_->inputs.size();
    const BufferImage& image =
        isInput ? request_->inputs[i] : request_->outputs[i - request_->inputs.size()];
    const uint8_t* first = part + staged_[i];
    (isInput ? result.inputs : result.outputs).emplace_back(first, first + image.bytes.size());
  }
  return result;
}

uint64_t ModeExecutor::temporaryAt(size_t binding) const {
  return executionsOf(request_->modes) * imageBytes_ + binding * temporaryBytes_;
}

std::string ModeExecutor::overrun() const {
  for (size_t i = 0; i < bindingsOf(request_->modes); ++i) {
    if (std::string text = overrunOf(i); !text.empty()) return text;
  }
  return "";
}

// Reports a write beside a tight temporary; "" if there is none.
std::string ModeExecutor::overrunOf(size_t binding) const {
  const uint8_t* temporary = readBack_.data() + temporaryAt(binding);
  uint64_t bytes = 0;
  std::string first;
  for (uint64_t i = 0; i < temporaryBytes_; ++i) {
    const bool inside = i >= ModeMemory::kGuard && i < temporaryBytes_ - ModeMemory::kGuard;
    if (inside || temporary[i] == guardByte(i)) continue;
    if (bytes++ > 0) continue;
    first = i < ModeMemory::kGuard ? std::to_string(ModeMemory::kGuard - i) + " before it"
                                   : "at " + std::to_string(i - ModeMemory::kGuard);
  }
  if (bytes == 0) return "";
  return "mode tight-temporary: " + std::to_string(bytes) + " bytes beside the temporary of " +
         std::to_string(operator_->temporaryBytes()) + " bytes were written, the first " + first;
}

}  // namespace dmlcts::gpu
