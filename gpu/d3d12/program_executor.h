#pragma once

#include <array>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/d3d12/copy.h"
#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/program.h"
#include "gpu/target.h"

// Executes programs on a Direct3D 12 device: the one way from calls to dispatches and back. In goes
// a program, out comes an answer with the bytes that it read. A target's ProgramOperator implements
// the operator and its tables. Targets call it for requests in execution modes (mode_program.h),
// for batches of ordinary requests (batch.h), for benchmarks, and for programs from messages.
//
//   executor.launch(batch.program(), std::move(kernels));
//   … prepare the next one, with another executor …
//   Answer answer = executor.land();

namespace dmlcts::gpu {

// The buffers, lists and queues of a program. Keeps small buffers and all lists for the programs
// that follow.
class ProgramStage {
 public:
  // Queues other than the device's own. Creates each when a call first names it.
  using Queues = std::array<std::unique_ptr<Queue>, kQueues>;

  ProgramStage(Device& device, Queues& queues);
  ~ProgramStage();  // waits
  ProgramStage(const ProgramStage&) = delete;
  ProgramStage& operator=(const ProgramStage&) = delete;

  // Ends the program: waits for what was submitted, and frees its buffers and heaps.
  void end();

  BufferPool& memory() { return memory_; }
  Buffer& buffer(uint32_t number) { return *buffers_.at(number); }
  // Create a heap, and a buffer with arbitrary content.
  void makeHeap(uint64_t bytes);
  void make(const call::Buffer& call);
  // Returns memory for a table. A temporary is poisoned: what an earlier program left there could
  // be right. A state is zeros.
  BufferPool::Taken temporary(uint64_t bytes);
  BufferPool::Taken state(uint64_t bytes);
  // Records a copy of `content`, which the host has written, to the buffer's start.
  void fill(Buffer& buffer, uint64_t bytes, const Buffer& content);

  // Returns the queue's open list; begins one if needed. Other queues than number 0 wait for what
  // write(), temporary(), state() and fill() recorded in that.
  ID3D12GraphicsCommandList* list(uint32_t queue);
  // Records a buffer's transition; it returns to the common state when the list ends. Only one
  // queue uses a buffer at a time, so its last recorded state is current.
  void use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state);
  // Keeps objects of the open list alive until the queue has been waited for.
  void keep(uint32_t queue, std::shared_ptr<const void> used);

  void copy(const call::Copy& call);
  void submit(uint32_t queue);
  void resubmit(uint32_t queue);
  void wait(uint32_t queue);

  // Records consecutive Puts, to buffers that nothing may be using.
  void write(std::span<const Call> puts);
  // Submits consecutive Gets behind everything. Then taken() waits for them, and returns the bytes.
  void read(std::span<const Call> gets);
  std::vector<std::vector<uint8_t>> taken();
  bool reads() const { return !reading_.empty(); }  // which nobody has taken

  // Frees memory for transfers above this much, now and when a program ends.
  void keepTransfers(uint64_t bytes);

 private:
  struct Lists {                                      // of one queue
    ID3D12GraphicsCommandList* list = nullptr;        // of `open`
    std::unique_ptr<Recorder> open;                   // null if nothing is being recorded
    std::vector<std::unique_ptr<Recorder>> inFlight;  // or done
    std::vector<std::unique_ptr<Recorder>> free;
    std::vector<Buffer*> used;  // by the open list
    std::vector<std::shared_ptr<const void>> kept;
    uint64_t submitted = 0;
  };

  Queue& queue(uint32_t number);
  void await(uint32_t queue);
  // Fills the buffer's start with a byte, by way of `content`.
  void fillWith(Buffer& buffer, uint64_t bytes, Buffer& content, uint8_t byte);

  Device& device_;
  Queues& queues_;
  BufferPool memory_;
  Buffer upload_;
  Buffer readBack_;
  Buffer poison_;  // kFillBytes
  Buffer zeros_;   // too
  std::vector<ComPtr<ID3D12Heap>> heaps_;
  std::map<uint32_t, BufferPool::Taken> buffers_;
  std::array<Lists, kQueues> lists_;
  uint64_t keptTransfers_;
  std::vector<uint64_t> reading_;  // bytes of the Gets submitted last
  bool filling_ = false;           // the open list of queue 0 has fills
  bool filled_ = false;            // such a list was submitted, and not waited for
};

// The operator of a program, and its tables.
class ProgramOperator {
 public:
  virtual ~ProgramOperator() = default;

  // Returns Created, or Rejected or NotSupported with a reason.
  virtual Answer create(const call::Create& call) = 0;
  virtual void bind(const call::Bind& call, ProgramStage& stage) = 0;
  // `times`: null, or where an operator that has stages() writes their times.
  virtual void execute(const call::Execute& call, ProgramStage& stage, const StageTimes* times) = 0;
  // Returns the names of an execution's stages; none if they cannot be timed.
  virtual std::vector<std::string_view> stages() const { return {}; }
  // Throws if the device is gone, which not all calls report.
  virtual void checkRemoved() {}
  // Returns the bytes of temporary memory per execution, once it is created.
  virtual uint64_t temporaryBytes() const = 0;
};

// Executes one program at a time. Two executors of a device can take turns, so that the host
// prepares one program while the GPU works on the other.
class ProgramExecutor {
 public:
  using MakeOperator = std::function<std::unique_ptr<ProgramOperator>()>;
  // Returns the answer to a call that failed with `error`.
  using Explain = std::function<Answer(const std::exception& error)>;

  ProgramExecutor(Device& device, MakeOperator makeOperator, Explain explain)
      : device_(device), makeOperator_(std::move(makeOperator)), explain_(std::move(explain)) {}

  ~ProgramExecutor() { end(); }

  // Answers the program's next message. With `op`, begins a program that has created it already.
  Answer run(const Program& program, std::unique_ptr<ProgramOperator> op = nullptr);

  // The first half of run(). If the last calls are Gets, returns once they are submitted; land()
  // waits and answers. Call nothing else between the two.
  void launch(const Program& program, std::unique_ptr<ProgramOperator> op = nullptr);
  Answer land();

  // Executes the request's operator in its modes. `mutant`: the deliberate fault, or null.
  Answer run(const Request& request, std::unique_ptr<ProgramOperator> op, const ModeMutant* mutant);

  // Returns the seconds in which the request's operator is executed and its outputs are read, once,
  // with everything else in place; 0 if that fails.
  double bareSeconds(const Request& request, std::unique_ptr<ProgramOperator> op);

  // See Target::time(); `op` is the request's. `model`: of the kernel that flushes caches.
  Timing time(const Request& request, std::unique_ptr<ProgramOperator> op, uint32_t repetitions,
              uint64_t evict, std::optional<ShaderModel> model = {});

 private:
  // Takes a step of the program. If it fails, ends the program with the answer to that.
  template <class Step>
  void attempt(const Step& step);
  void make(std::span<const Call> calls);
  void collect();
  std::vector<double> measured(const call::Execute& execute, uint32_t repetitions,
                               std::optional<CacheEviction>& eviction);
  std::vector<PassTime> passTimes(const call::Execute& execute, uint32_t repetitions,
                                  std::optional<CacheEviction>& eviction);
  // After a failure, keeps nothing for the next program.
  void end(bool failed = false);

  Device& device_;
  MakeOperator makeOperator_;
  Explain explain_;
  // Kept: libvkd3d 1.2 once hung while 50,000 programs each created a queue and its fence.
  ProgramStage::Queues queues_;
  std::unique_ptr<ProgramStage> stage_;        // outlives the operator, whose memory it has
  std::unique_ptr<ProgramOperator> operator_;  // of a program under way
  // Belong to the message under way:
  Answer answer_;
  size_t made_ = 0;         // calls
  bool allocates_ = false;  // the next call allocates what the program cannot do without
  bool continues_ = false;
};

}  // namespace dmlcts::gpu
