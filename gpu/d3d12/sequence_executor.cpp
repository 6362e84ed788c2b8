#include "gpu/d3d12/sequence_executor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>

#include "gpu/d3d12/ways/bound_plan.h"
#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kStaging = 256;
constexpr uint64_t kMemoryPiece = uint64_t{64} << 20;  // of what `memory` holds

class SequenceExecutor {
 public:
  SequenceExecutor(Device& device, Pipelines& pipelines, const PlanLimits& limits)
      : device_(device),
        pipelines_(pipelines),
        limits_(limits),
        compute_(device.get(), D3D12_COMMAND_LIST_TYPE_COMPUTE, L"compute queue") {
    stations_[0].queue = &device.queue();
    stations_[1].queue = &compute_;
  }

  // The GPU may be using what goes.
  ~SequenceExecutor() {
    for (uint32_t queue = 0; queue < kQueues; ++queue) {
      try {
        await(queue);
      } catch (const std::exception&) {  // the device is gone
      }
    }
  }

  void fill(const std::vector<std::vector<uint8_t>>& contents) {
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

  std::vector<std::vector<uint8_t>> read(const std::vector<std::vector<uint8_t>>& contents) {
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

  void create(uint32_t number, const Descriptor& descriptor) {
    operators_[number] = std::make_shared<Operator>(Operator{descriptor, {}});
  }

  void make(const SequenceCall& call) {
    switch (call.kind) {
      case CallKind::Create:
      case CallKind::Initialize:
        break;
      case CallKind::Compile:
        compile(*operators_.at(call.object));
        break;
      case CallKind::Release:
        operators_.erase(call.object);
        break;
      case CallKind::Bind:
      case CallKind::Reset:
        tables_[call.object] = std::make_shared<Table>(device_, pipelines_, limits_,
                                                       operators_.at(call.operators.front()));
        bind(*tables_.at(call.object), call);
        break;
      case CallKind::Rebind:
        bind(*tables_.at(call.object), call);
        break;
      case CallKind::Execute:
        execute(call);
        break;
      case CallKind::Copy:
        copy(call);
        break;
      case CallKind::Barrier:
        recordBarrier(list(call.queue));
        break;
      case CallKind::Submit:
        submit(call.queue);
        break;
      case CallKind::Wait:
        wait(call.queue);
        break;
      case CallKind::Memory:
        hold(call.bytes);
        break;
    }
  }

 private:
  struct Operator {
    Descriptor descriptor;
    std::optional<Plan> plan;
  };
  struct Table {
    Table(Device& device, Pipelines& pipelines, const PlanLimits& limits,
          std::shared_ptr<Operator> executed)
        : op(std::move(executed)),
          bound(device, pipelines, limits),
          temporary(device, D3D12_HEAP_TYPE_DEFAULT, L"temporary of a table") {}
    std::shared_ptr<Operator> op;
    std::vector<Place> from;
    std::vector<Place> to;
    BoundPlan bound;
    Buffer temporary;
  };
  struct Station {
    Queue* queue = nullptr;
    std::unique_ptr<Recorder> open;                   // null: nothing is being recorded
    std::vector<std::unique_ptr<Recorder>> inFlight;  // or done
    std::vector<Buffer*> used;                        // by the open list
    std::vector<std::shared_ptr<Table>> tables;       // not waited for
    uint64_t fence = 0;
  };

  static uint64_t roundUp(uint64_t bytes) { return (bytes + kStaging - 1) / kStaging * kStaging; }
  static uint64_t staged(const std::vector<std::vector<uint8_t>>& contents) {
    uint64_t bytes = 0;
    for (const auto& each : contents) bytes += roundUp(each.size());
    return bytes;
  }

  static void enter(ID3D12GraphicsCommandList* list, Buffer& buffer, D3D12_RESOURCE_STATES state) {
    D3D12_RESOURCE_BARRIER barrier{};
    if (buffer.transition(state, barrier)) list->ResourceBarrier(1, &barrier);
  }

  ID3D12GraphicsCommandList* list(uint32_t queue) {
    Station& station = stations_[queue];
    if (!station.open) {
      station.open = std::make_unique<Recorder>(device_, *station.queue, L"a list of a sequence");
      recording_[queue] = station.open->begin();
    }
    return recording_[queue];
  }

  // A buffer is used by one queue at a time, so that what was recorded last is its state.
  void use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state) {
    enter(list(queue), buffer, state);
    std::vector<Buffer*>& used = stations_[queue].used;
    if (std::ranges::find(used, &buffer) == used.end()) used.push_back(&buffer);
  }

  void compile(Operator& op) {
    op.plan = planOf(op.descriptor, limits_);
    for (const Pass& pass : op.plan->passes) pipelines_.get(pass.shader);
  }

  void bind(Table& table, const SequenceCall& call) {
    if (!call.from.empty()) table.from = call.from;
    if (!call.to.empty()) table.to = call.to;
    const Plan& plan = table.op->plan.value();
    table.temporary.reserve(plan.temporaryBytes);
    const auto regionsOf = [&](const std::vector<Place>& places) {
      std::vector<WayMemory::Region> regions;
      for (const Place& place : places) {
        regions.push_back({buffers_.at(place.buffer).get(), place.offset, 0});
      }
      return regions;
    };
    table.bound.bind(
        plan,
        {regionsOf(table.from), regionsOf(table.to), {&table.temporary, 0, plan.temporaryBytes}});
  }

  void execute(const SequenceCall& call) {
    const std::shared_ptr<Table> table = tables_.at(call.object);
    const auto enterAll = [&](ID3D12GraphicsCommandList*, WayMemory::Use phase) {
      // No state allows both uses of a buffer that inputs and outputs share. Drivers care for what
      // is written.
      for (const Place& place : table->from) {
        const bool written =
            std::ranges::find(table->to, place.buffer, &Place::buffer) != table->to.end();
        if (!written) use(call.queue, *buffers_[place.buffer], kShaderReadable);
      }
      for (const Place& place : table->to) {
        use(call.queue, *buffers_[place.buffer], D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
      }
      if (!table->temporary.get()) return;
      use(call.queue, table->temporary,
          phase == WayMemory::Use::ExecuteReadingTemporary ? kShaderReadable
                                                           : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    };
    enterAll(list(call.queue), WayMemory::Use::Execute);
    table->bound.record(list(call.queue), table->op->plan->passes.size(), enterAll);
    stations_[call.queue].tables.push_back(table);
  }

  void copy(const SequenceCall& call) {
    const Place& from = call.from.front();
    const Place& to = call.to.front();
    Buffer& source = *buffers_.at(from.buffer);
    Buffer& target = *buffers_.at(to.buffer);
    use(call.queue, source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    use(call.queue, target, D3D12_RESOURCE_STATE_COPY_DEST);
    list(call.queue)
        ->CopyBufferRegion(target.get(), to.offset, source.get(), from.offset, call.bytes);
    // Back, so that another copy has a transition in front of it, too.
    use(call.queue, source, D3D12_RESOURCE_STATE_COMMON);
    use(call.queue, target, D3D12_RESOURCE_STATE_COMMON);
  }

  void submit(uint32_t queue) {
    Station& station = stations_[queue];
    list(queue);
    for (Buffer* buffer : station.used) {  // as buffers are at the end of a submission
      enter(list(queue), *buffer, D3D12_RESOURCE_STATE_COMMON);
    }
    station.used.clear();
    station.fence = station.open->submit();
    station.inFlight.push_back(std::move(station.open));
  }

  void wait(uint32_t queue) {
    if (stations_[queue].open) submit(queue);
    await(queue);
  }

  void await(uint32_t queue) {
    Station& station = stations_[queue];
    if (station.inFlight.empty()) return;
    device_.wait(*station.queue, station.fence);
    station.inFlight.clear();
    station.tables.clear();
  }

  void hold(uint64_t bytes) {
    held_.clear();
    for (uint64_t left = bytes; left > 0;) {
      const uint64_t piece = std::min(left, kMemoryPiece);
      held_.push_back(
          std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"memory that is held"));
      held_.back()->reserve(piece);
      left -= piece;
    }
  }

  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  Queue compute_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::unique_ptr<Buffer>> held_;
  std::map<uint32_t, std::shared_ptr<Operator>> operators_;
  std::map<uint32_t, std::shared_ptr<Table>> tables_;
  std::array<Station, kQueues> stations_;
  std::array<ID3D12GraphicsCommandList*, kQueues> recording_{};
};

}  // namespace

Answer executeSequence(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                       const AskOperator& ask, const Sequence& sequence, size_t& failedAt) {
  SequenceExecutor executor(device, pipelines, limits);
  failedAt = 0;
  executor.fill(sequence.buffers);
  for (failedAt = 0; failedAt < sequence.calls.size(); ++failedAt) {
    const SequenceCall& call = sequence.calls[failedAt];
    if (call.kind == CallKind::Create) {
      Answer answer = ask(call.asked.value());
      answer.id = failedAt;
      if (answer.status != Status::Created) return answer;
      executor.create(call.object, call.asked->descriptor);
    }
    executor.make(call);
  }
  Answer answer;
  answer.outputs = executor.read(sequence.buffers);
  answer.status = Status::Executed;
  return answer;
}

}  // namespace dmlcts::gpu
