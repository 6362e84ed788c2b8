#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "gpu/d3d12/modes/memory.h"
#include "gpu/d3d12/modes/operator.h"
#include "gpu/d3d12/queue.h"

namespace dmlcts::gpu {

// Executes requests one by one in the modes that they name.
class ModeExecutor {
 public:
  // `mutant`: null, or what to do wrong.
  ModeExecutor(Device& device, const ModeMutant* mutant);

  // The answer to a request that `op` executes. Throws what failing calls throw.
  Answer run(const Request& request, ModeOperator& op);

 private:
  // A queue and the lists that are recorded for it.
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

  // Each records a part of the work.
  void fill(ID3D12GraphicsCommandList* list, size_t binding);
  void poisonOutputs(ID3D12GraphicsCommandList* list, size_t binding);
  void dispatch(ID3D12GraphicsCommandList* list, size_t binding);
  void dispatchMany(ID3D12GraphicsCommandList* list);
  void read(ID3D12GraphicsCommandList* list, size_t binding, size_t execution);
  void readTemporaries(ID3D12GraphicsCommandList* list);
  void readTemporary(ID3D12GraphicsCommandList* list, size_t binding);

  Execution executionAt(size_t execution) const;
  uint64_t temporaryAt(size_t binding) const;  // in readBack_
  std::string overrun() const;
  std::string overrunOf(size_t binding) const;

  Device& device_;
  const ModeMutant* mutant_;
  std::vector<std::unique_ptr<Queue>> queues_;         // besides the device's own
  std::array<std::unique_ptr<Station>, 4> stations_;   // by type of queue and number
  std::vector<std::unique_ptr<ModeMemory>> memories_;  // by number of the binding

  // Of the request at hand.
  const Request* request_ = nullptr;
  ModeOperator* operator_ = nullptr;
  std::vector<uint64_t> staged_;  // where each image begins in upload_, and in a part of readBack_
  uint64_t imageBytes_ = 0;       // of all
  uint64_t temporaryBytes_ = 0;   // with its guards; 0 unless it is tight
  Buffer upload_;                 // images, then the tight temporary's poison and guards
  Buffer readBack_;               // images of each execution, then the tight temporary
};

}  // namespace dmlcts::gpu
