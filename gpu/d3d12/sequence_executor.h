#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/sequence.h"
#include "gpu/target.h"

// Makes the calls of a sequence on a Direct3D 12 device; what operators and tables are is for a
// target's SequenceOperators to say.

namespace dmlcts::gpu {

// The buffers of a sequence, and what is being recorded and executed on its queues. Everything is
// made for one sequence and given back at its end.
class SequenceStage {
 public:
  using Contents = std::span<const std::vector<uint8_t>>;

  // With these buffers, on the device's direct queue and that compute queue.
  SequenceStage(Device& device, Queue& compute, Contents contents);
  ~SequenceStage();  // waits
  SequenceStage(const SequenceStage&) = delete;
  SequenceStage& operator=(const SequenceStage&) = delete;

  Buffer& buffer(uint32_t number) { return *buffers_.at(number); }

  // The open list of the queue.
  ID3D12GraphicsCommandList* list(uint32_t queue);
  // Records the transition of a buffer; it goes back to the common state when the list ends. One
  // queue uses it at a time, so that what was recorded last is its state.
  void use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state);
  // Keeps what the open list uses until the queue is waited for.
  void keep(uint32_t queue, std::shared_ptr<const void> used);

  void copy(const SequenceCall& call);
  void submit(uint32_t queue);
  void wait(uint32_t queue);
  void hold(uint64_t bytes);

  // Waits for everything; what the buffers hold now.
  std::vector<std::vector<uint8_t>> read(Contents contents);

 private:
  struct Station {
    Queue* queue = nullptr;
    ID3D12GraphicsCommandList* list = nullptr;        // of `open`
    std::unique_ptr<Recorder> open;                   // null: nothing is being recorded
    std::vector<std::unique_ptr<Recorder>> inFlight;  // or done
    std::vector<Buffer*> used;                        // by the open list
    std::vector<std::shared_ptr<const void>> kept;
    uint64_t submitted = 0;
  };

  void await(uint32_t queue);

  Device& device_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::unique_ptr<Buffer>> held_;
  std::array<Station, kQueues> stations_;
};

class SequenceOperators {
 public:
  virtual ~SequenceOperators() = default;

  // Created, or why not: Rejected or NotSupported.
  virtual Answer create(uint32_t number, const AskedOperator& asked) = 0;
  virtual void compile(uint32_t number) = 0;
  virtual void initialize(const std::vector<uint32_t>& numbers) = 0;
  virtual void release(uint32_t number) = 0;
  virtual void bind(const SequenceCall& call, SequenceStage& stage) = 0;  // Rebind and Reset, too
  virtual void execute(uint32_t table, uint32_t queue, SequenceStage& stage) = 0;
};

// Throws what failing calls throw; `failedAt` is then the number of the call. `compute` is made
// when there is none yet, and is to be kept: libvkd3d 1.2 hung once, in 50,000 sequences that each
// made and released a queue and its fence.
Answer executeSequence(Device& device, std::unique_ptr<Queue>& compute,
                       SequenceOperators& operators, const Sequence& sequence, size_t& failedAt);

}  // namespace dmlcts::gpu
