#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "gpu/d3d12/modes/memory.h"
#include "gpu/d3d12/queue.h"

namespace dmlcts::gpu {

// Executes requests one by one in their execution modes.
class ModeExecutor {
 public:
  // `mutant`: the deliberate fault, or null.
  ModeExecutor(Device& device, const ModeMutant* mutant);

  // Answers a request that `op` executes. Throws as failing calls do.
  Answer run(const Request& request, ModeOperator& op);

 private:
  // A queue and its command lists.
  struct Station {
    Station(Device& device, Queue& on)
        : queue(on),
          before(device, on, L"before"),
          work(device, on, L"work"),
          between(device, on, L"between"),
          after(device, on, L"after") {}
    Queue& queue;
    Recorder before;
    Recorder work;
    Recorder between;
    Recorder after;
  };

  bool isWrong(Mode mode) const { return does(mutant_, mode); }
  Station& station(bool compute, size_t index);
  void prepare(size_t bindings);
  void execute(Station& station);
  void executeOnTwoQueues(Station& station);

  // Each records one part of an execution.
  void fill(ID3D12GraphicsCommandList* list, size_t binding);
  void poisonOutputs(ID3D12GraphicsCommandList* list, size_t binding);
  void dispatch(ID3D12GraphicsCommandList* list, size_t binding);
  void dispatchMany(ID3D12GraphicsCommandList* list);
  void read(ID3D12GraphicsCommandList* list, size_t binding, size_t execution);
  void overrunTotal(ID3D12GraphicsCommandList* list);
  void readTemporaries(ID3D12GraphicsCommandList* list);
  void readTemporary(ID3D12GraphicsCommandList* list, size_t binding);

  Execution executionAt(size_t execution) const;
  uint64_t temporaryAt(size_t binding) const;  // in readBack_
  std::string overrun() const;
  std::string overrunOf(size_t binding) const;

  Device& device_;
  const ModeMutant* mutant_;
  std::vector<std::unique_ptr<Queue>> queues_;         // in addition to the device's own
  std::array<std::unique_ptr<Station>, 4> stations_;   // by queue type and number
  std::vector<std::unique_ptr<ModeMemory>> memories_;  // by binding number

  // State of the current request.
  const Request* request_ = nullptr;
  ModeOperator* operator_ = nullptr;
  std::vector<uint64_t> staged_;  // start of each image in upload_ and in a part of readBack_
  uint64_t imageBytes_ = 0;       // total
  uint64_t temporaryBytes_ = 0;   // including guards; 0 unless tight
  Buffer upload_;                 // images, then the tight temporary's poison and guards
  Buffer readBack_;               // images of each execution, then tight temporaries
};

}  // namespace dmlcts::gpu
