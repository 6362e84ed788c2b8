#include "gpu/host_program.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

namespace dmlcts::gpu {

namespace {

using Bytes = std::vector<uint8_t>;

}  // namespace

// Each queue performs its work when the host waits for it.
class HostProgram::Host {
 public:
  explicit Host(const Run& run) : run_(run) { answer_.status = Status::Executed; }

  // The answer so far; the program ends when it is not Executed.
  Answer& answer() { return answer_; }

  void make(const SequenceCall& call) {
    switch (call.kind) {
      case CallKind::Create:
        create(call);
        break;
      case CallKind::Buffer:
        makeBuffer(call);
        break;
      case CallKind::Put:
        std::ranges::copy(call.data, at(call.to.front()));
        break;
      case CallKind::Get:
        finish();
        if (answer_.status != Status::Executed) return;
        answer_.outputs.emplace_back(at(call.from.front()),
                                     at(call.from.front()) + static_cast<ptrdiff_t>(call.bytes));
        break;
      case CallKind::Release:
        operators_.erase(call.object);
        break;
      case CallKind::Bind:
      case CallKind::Reset:
        tables_[call.object] = {call.operators.front(), call.from, call.to};
        break;
      case CallKind::Rebind:
        rebind(call);
        break;
      case CallKind::Execute:
        execute(call);
        break;
      case CallKind::Copy:
        copy(call);
        break;
      case CallKind::Submit:
        submit(call.queue);
        break;
      case CallKind::Wait:
        wait(call.queue);
        break;
      case CallKind::Barrier:
      case CallKind::Memory:
      case CallKind::Compile:
      case CallKind::Initialize:
      case CallKind::Heap:
      case CallKind::Resubmit:
        break;
    }
  }

  void finish() {
    for (uint32_t queue = 0; queue < kQueues; ++queue) wait(queue);
  }

 private:
  struct Operator {
    Level level = Level::L6_4;
    Descriptor descriptor;
  };
  struct Table {
    uint32_t op = 0;
    std::vector<Place> from;
    std::vector<Place> to;
  };
  using List = std::vector<std::function<void()>>;
  std::vector<uint8_t>::iterator at(const Place& place) {
    return buffers_[place.buffer].begin() + static_cast<ptrdiff_t>(place.offset);
  }

  // Returns the answer to a request; any but `expected` ends the program.
  Answer ask(const Request& request, Status expected) {
    std::vector<Answer> answers = run_({&request, 1});
    if (answers.size() != 1) {
      throw std::logic_error("the target gave " + std::to_string(answers.size()) +
                             " answers to a request");
    }
    if (answers.front().status != expected) answer_ = answers.front();
    return std::move(answers.front());
  }

  void makeBuffer(const SequenceCall& call) {
    try {
      buffers_[call.object].assign(call.bytes, 0);
    } catch (const std::exception&) {  // std::bad_alloc, std::length_error
      answer_.status = Status::NotSupported;
      answer_.message =
          "the worker has no memory for a buffer of " + std::to_string(call.bytes) + " bytes";
    }
  }

  void create(const SequenceCall& call) {
    const AskedOperator& asked = *call.asked;
    ask({0, asked.level, asked.descriptor, false, {}, {}}, Status::Created);
    operators_[call.object] = {asked.level, asked.descriptor};
  }

  void rebind(const SequenceCall& call) {
    Table& table = tables_[call.object];
    if (!call.from.empty()) table.from = call.from;
    if (!call.to.empty()) table.to = call.to;
  }

  void execute(const SequenceCall& call) {
    const Table& table = tables_[call.object];
    lists_[call.queue].emplace_back(
        [this, table, op = operators_.at(table.op)] { compute(op, table); });
  }

  void compute(const Operator& op, const Table& table) {
    std::map<uint32_t, int> users;
    for (const auto* places : {&table.from, &table.to}) {
      for (const Place& place : *places) ++users[place.buffer];
    }
    Request request{0, op.level, op.descriptor, true, {}, {}};
    for (const TensorSlot& slot : tensors(op.descriptor)) {
      std::vector<BufferImage>& images = slot.isOutput ? request.outputs : request.inputs;
      const Place& place = (slot.isOutput ? table.to : table.from)[images.size()];
      const uint64_t bytes = slot.desc->totalBytes;
      if (users[place.buffer] == 1) {
        images.push_back({std::move(buffers_[place.buffer]), place.offset, bytes});
      } else {
        images.push_back({{at(place), at(place) + static_cast<ptrdiff_t>(bytes)}, 0, bytes});
      }
    }
    Answer done = ask(request, Status::Executed);
    if (done.status != Status::Executed) return;
    const auto take = [&](const std::vector<Place>& places, std::vector<Bytes>& written,
                          const std::vector<BufferImage>& images) {
      if (written.size() != places.size()) {
        throw std::logic_error("the target's answer has other buffers than the request");
      }
      for (size_t i = 0; i < places.size(); ++i) {
        written[i].resize(images[i].bytes.size());
        if (users[places[i].buffer] == 1) {
          buffers_[places[i].buffer] = std::move(written[i]);
        } else {
          std::ranges::copy(written[i], at(places[i]));
        }
      }
    };
    take(table.from, done.inputs, request.inputs);
    take(table.to, done.outputs, request.outputs);
  }

  void copy(const SequenceCall& call) {
    lists_[call.queue].emplace_back([this, call] {
      const Place& from = call.from.front();
      const Place& to = call.to.front();
      std::copy_n(at(from), call.bytes, at(to));
    });
  }

  void submit(uint32_t queue) {
    submitted_[queue].push_back(std::move(lists_[queue]));
    lists_[queue].clear();
  }

  void wait(uint32_t queue) {
    submit(queue);
    std::vector<List> lists = std::move(submitted_[queue]);
    submitted_[queue].clear();
    for (const List& list : lists) {
      for (const auto& step : list) {
        if (answer_.status == Status::Executed) step();
      }
    }
  }

  const Run& run_;
  Answer answer_;
  std::array<Bytes, kMostOperators> buffers_;
  std::map<uint32_t, Operator> operators_;
  std::map<uint32_t, Table> tables_;
  std::array<List, kQueues> lists_;
  std::array<std::vector<List>, kQueues> submitted_;
};

HostProgram::HostProgram(Run run) : run_(std::move(run)) {}
HostProgram::~HostProgram() = default;

Answer HostProgram::make(const Sequence& program) {
  if (!host_) host_ = std::make_unique<Host>(run_);
  Answer& answer = host_->answer();
  size_t made = 0;
  for (; made < program.calls.size() && answer.status == Status::Executed; ++made) {
    host_->make(program.calls[made]);
  }
  if (answer.status == Status::Executed && !program.continues) host_->finish();
  Answer result = std::exchange(answer, {});
  if (result.status == Status::Executed) {
    answer.status = Status::Executed;
  } else {
    result.id = made - 1;
  }
  if (result.status != Status::Executed || !program.continues) host_.reset();
  return result;
}

}  // namespace dmlcts::gpu
