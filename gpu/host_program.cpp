#include "gpu/host_program.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <stdexcept>
#include <utility>

namespace dmlcts::gpu {

const std::vector<SequenceMutantInfo> kSequenceMutants{
    {"rebind-ignored", "Keeps the bindings of a table that is bound again."},
    {"rebind-outputs-ignored",
     "Takes the inputs of a table that is bound again, and keeps its outputs."},
    {"reset-keeps-outputs",
     "Leaves the outputs of a table that is reset where they were, if they are as many."},
    {"second-binding-ignored",
     "Executes the second table of an operator with the bindings of the first."},
    {"second-execution-lost", "Executes a table once and no more."},
    {"other-ran-before", "Gets the first byte wrong where another table was executed before."},
    {"temporary-shared-in-flight",
     "Has one temporary for two executions with no barrier between them."},
    {"temporary-shared-by-queues",
     "Has one temporary for executions that are in flight on two queues."},
    {"initializer-once-for-two", "Initializes the first operator of an initializer alone."},
    {"persistent-overwritten",
     "Writes the persistent resource of an operator over that of the one initialized before."},
    {"release-takes-neighbour",
     "Releasing an operator also frees the persistent resource of the one created before it."},
    {"created-again-uninitialized",
     "Takes an operator that is created again for one that needs no initialization."},
    {"lists-reordered", "Executes the last of the lists that wait in a queue first."},
    {"second-list-of-compute-lost", "Loses what was submitted second to the compute queue."},
    {"lost-under-pressure", "Executes nothing while 16 MiB of memory or more are held."},
    {"lost-after-wait", "Loses the first execution after the host has waited."},
    {"fourth-alive-lost", "Executes nothing of an operator while four or more are alive."},
    {"copy-reads-earlier", "Copies what the source held when the list began."},
    {"crash-on-reset", "Crashes when a table is reset."},
};

namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kPressure = 16 << 20;

}  // namespace

// Each queue performs its work when the host waits for it.
class HostProgram::Host {
 public:
  Host(const Run& run, std::string_view fault) : run_(run), fault_(fault) {
    answer_.status = Status::Executed;
  }

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
      case CallKind::Initialize:
        initialize(call);
        break;
      case CallKind::Release:
        release(call.object);
        break;
      case CallKind::Bind:
        tables_[call.object] = {call.operators.front(), call.from, call.to, 0};
        if (is("second-binding-ignored")) bindAsFirst(call.object);
        break;
      case CallKind::Rebind:
        rebind(call);
        break;
      case CallKind::Reset: {
        if (is("crash-on-reset")) std::raise(SIGSEGV);
        Table& table = tables_[call.object];
        const bool keeps = is("reset-keeps-outputs") && fits(call, table);
        table = {call.operators.front(), call.from, keeps ? table.to : call.to, 0};
        break;
      }
      case CallKind::Execute:
        execute(call);
        break;
      case CallKind::Copy:
        copy(call);
        break;
      case CallKind::Barrier:
        sinceBarrier_[call.queue] = {};
        break;
      case CallKind::Submit:
        submit(call.queue);
        break;
      case CallKind::Wait:
        wait(call.queue);
        break;
      case CallKind::Memory:
        held_ = call.bytes;
        break;
      case CallKind::Compile:
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
    bool initialized = false;
  };
  struct Table {
    uint32_t op = 0;
    std::vector<Place> from;
    std::vector<Place> to;
    uint32_t executions = 0;
  };
  using List = std::vector<std::function<void()>>;
  struct Ran {
    bool any = false;
    uint32_t table = 0;
    std::vector<Place> to;
  };

  bool is(std::string_view fault) const { return fault_ == fault; }

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
    const bool again = std::ranges::find(created_, call.object) != created_.end();
    operators_[call.object] = {asked.level, asked.descriptor, false};
    lostInitialization_[call.object] = again && is("created-again-uninitialized");
    created_.push_back(call.object);
  }

  void initialize(const SequenceCall& call) {
    const size_t count = is("initializer-once-for-two") ? 1 : call.operators.size();
    for (size_t i = 0; i < count; ++i) {
      const uint32_t number = call.operators[i];
      operators_[number].initialized = !lostInitialization_[number];
      if (is("persistent-overwritten") && lastInitialized_) {
        operators_[*lastInitialized_].initialized = false;
      }
      lastInitialized_ = number;
    }
  }

  void release(uint32_t number) {
    operators_.erase(number);
    if (lastInitialized_ == number) lastInitialized_.reset();
    if (!is("release-takes-neighbour")) return;
    const auto at = std::ranges::find(created_, number);
    if (at != created_.begin() && operators_.contains(*(at - 1))) {
      operators_[*(at - 1)].initialized = false;
    }
  }

  // True if another operator's outputs fit into a table's outputs.
  bool fits(const SequenceCall& call, const Table& table) const {
    if (call.to.size() != table.to.size()) return false;
    size_t i = 0;
    for (const TensorSlot& slot : tensors(operators_.at(call.operators.front()).descriptor)) {
      if (!slot.isOutput) continue;
      const Place& place = table.to[i++];
      if (place.offset + slot.desc->totalBytes > buffers_[place.buffer].size()) return false;
    }
    return true;
  }

  void bindAsFirst(uint32_t number) {
    for (const auto& [other, table] : tables_) {
      if (other == number || table.op != tables_[number].op) continue;
      tables_[number] = table;
      return;
    }
  }

  void rebind(const SequenceCall& call) {
    Table& table = tables_[call.object];
    if (is("rebind-ignored")) return;
    if (!call.from.empty()) table.from = call.from;
    if (!call.to.empty() && !is("rebind-outputs-ignored")) table.to = call.to;
  }

  void execute(const SequenceCall& call) {
    Table& table = tables_[call.object];
    const Operator& op = operators_.at(table.op);
    ++table.executions;
    Ran& before = sinceBarrier_[call.queue];
    const bool shared = is("temporary-shared-in-flight") && before.any;
    const bool queues = is("temporary-shared-by-queues") && inFlight_[1 - call.queue];
    const bool lost = !op.initialized || (is("second-execution-lost") && table.executions > 1) ||
                      (is("lost-under-pressure") && held_ >= kPressure) ||
                      (is("lost-after-wait") && waited_) ||
                      (is("fourth-alive-lost") && operators_.size() >= 4);
    waited_ = false;
    const bool wrong =
        queues || (is("other-ran-before") && last_.any && last_.table != call.object);
    std::vector<Place> spoiled;
    if (shared) spoiled = before.to;
    if (wrong) spoiled.push_back(table.to.back());
    lists_[call.queue].emplace_back([this, lost, spoiled, table, op] {
      if (!lost) compute(op, table);
      for (const Place& place : spoiled) buffers_[place.buffer][place.offset] ^= 0x5A;
    });
    before = last_ = {true, call.object, table.to};
    inFlight_[call.queue] = true;
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
      const auto& source = is("copy-reads-earlier") ? atListBegin_ : buffers_;
      const auto first = source[from.buffer].begin() + static_cast<ptrdiff_t>(from.offset);
      std::copy_n(first, call.bytes,
                  buffers_[to.buffer].begin() + static_cast<ptrdiff_t>(to.offset));
    });
  }

  void submit(uint32_t queue) {
    submitted_[queue].push_back(std::move(lists_[queue]));
    lists_[queue].clear();
    sinceBarrier_[queue] = {};
  }

  void wait(uint32_t queue) {
    submit(queue);
    std::vector<List> lists = std::move(submitted_[queue]);
    submitted_[queue].clear();
    if (is("lists-reordered")) std::ranges::reverse(lists);
    if (is("second-list-of-compute-lost") && queue == 1 && lists.size() > 1) {
      lists[1].clear();
    }
    for (const List& list : lists) {
      if (is("copy-reads-earlier")) atListBegin_ = buffers_;
      for (const auto& step : list) {
        if (answer_.status == Status::Executed) step();
      }
    }
    waited_ = true;
    inFlight_[queue] = false;
  }

  const Run& run_;
  std::string_view fault_;
  Answer answer_;
  std::array<Bytes, kMostOperators> buffers_;
  std::array<Bytes, kMostOperators> atListBegin_;
  std::map<uint32_t, Operator> operators_;
  std::vector<uint32_t> created_;  // in creation order
  std::map<uint32_t, bool> lostInitialization_;
  std::optional<uint32_t> lastInitialized_;
  std::map<uint32_t, Table> tables_;
  std::array<List, kQueues> lists_;
  std::array<std::vector<List>, kQueues> submitted_;
  std::array<Ran, kQueues> sinceBarrier_;
  std::array<bool, kQueues> inFlight_{};
  Ran last_;
  uint64_t held_ = 0;
  bool waited_ = false;
};

HostProgram::HostProgram(Run run, std::string_view fault) : run_(std::move(run)), fault_(fault) {}
HostProgram::~HostProgram() = default;

Answer HostProgram::make(const Sequence& program) {
  if (!host_) host_ = std::make_unique<Host>(run_, fault_);
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
