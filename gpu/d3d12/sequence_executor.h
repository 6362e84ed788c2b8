#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/sequence.h"
#include "gpu/target.h"

// Makes the calls of a sequence on a Direct3D 12 device. A target's SequenceOperators implement
// operators and tables.

namespace dmlcts::gpu {

// The buffers and queues of one sequence. Creates everything for it and frees everything at its
// end.
class SequenceStage {
 public:
  // Bytes of a buffer, to write or to read.
  template <class Byte>
  struct Part {
    uint32_t buffer = 0;
    uint64_t at = 0;
    std::span<Byte> bytes;
  };

  // Creates buffers of these sizes, with arbitrary content. Uses the device's direct queue and the
  // compute queue, which is null if no call names it.
  SequenceStage(Device& device, Queue* compute, std::span<const uint64_t> sizes);
  ~SequenceStage();  // waits
  SequenceStage(const SequenceStage&) = delete;
  SequenceStage& operator=(const SequenceStage&) = delete;

  Buffer& buffer(uint32_t number) { return *buffers_.at(number); }

  // Returns the queue's open list; begins one if needed.
  ID3D12GraphicsCommandList* list(uint32_t queue);
  // Records a buffer's transition; it returns to the common state when the list ends. Only one
  // queue uses a buffer at a time, so its last recorded state is current.
  void use(uint32_t queue, Buffer& buffer, D3D12_RESOURCE_STATES state);
  // Keeps objects of the open list alive until the queue has been waited for.
  void keep(uint32_t queue, std::shared_ptr<const void> used);

  void copy(const SequenceCall& call);
  void submit(uint32_t queue);
  void wait(uint32_t queue);
  void hold(uint64_t bytes);

  // Writes parts of buffers, which nothing may be using.
  void write(std::span<const Part<const uint8_t>> parts);
  // Waits for everything, and reads parts of buffers.
  void read(std::span<const Part<uint8_t>> parts);

 private:
  struct Station {
    Queue* queue = nullptr;
    ID3D12GraphicsCommandList* list = nullptr;        // of `open`
    std::unique_ptr<Recorder> open;                   // null if nothing is being recorded
    std::vector<std::unique_ptr<Recorder>> inFlight;  // or done
    std::vector<Buffer*> used;                        // by the open list
    std::vector<std::shared_ptr<const void>> kept;
    uint64_t submitted = 0;
  };

  void await(uint32_t queue);

  Device& device_;
  Recorder recorder_;  // of write() and read()
  Buffer upload_;
  Buffer readBack_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::unique_ptr<Buffer>> held_;
  std::array<Station, kQueues> stations_;
};

class SequenceOperators {
 public:
  virtual ~SequenceOperators() = default;

  // Returns Created, or Rejected or NotSupported with a reason.
  virtual Answer create(uint32_t number, const AskedOperator& asked) = 0;
  virtual void compile(uint32_t number) = 0;
  virtual void initialize(const std::vector<uint32_t>& numbers) = 0;
  virtual void release(uint32_t number) = 0;
  virtual void bind(const SequenceCall& call, SequenceStage& stage) = 0;  // also Rebind and Reset
  virtual void execute(uint32_t table, uint32_t queue, SequenceStage& stage) = 0;
};

// Throws as failing calls do; `failedAt` is then the number of the call. Creates `compute` on first
// use; keep it, because libvkd3d 1.2 once hung while 50,000 sequences each created a queue and its
// fence.
Answer executeSequence(Device& device, std::unique_ptr<Queue>& compute,
                       SequenceOperators& operators, const Sequence& sequence, size_t& failedAt);

}  // namespace dmlcts::gpu
