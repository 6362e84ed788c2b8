#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Faults in executing a program. None shows if an operator is compiled, bound and executed once,
// alone.
enum class SequenceFault : uint8_t {
  None,
  RebindIgnored,
  RebindOutputsIgnored,
  ResetKeepsOutputs,
  SecondBindingIgnored,
  SecondExecutionLost,
  OtherRanBefore,
  TemporarySharedInFlight,
  TemporarySharedByQueues,
  InitializerOnceForTwo,
  PersistentOverwritten,
  ReleaseTakesNeighbour,
  CreatedAgainUninitialized,
  ListsReordered,
  SecondListOfComputeLost,
  LostUnderPressure,
  LostAfterWait,
  FourthAliveLost,
  CopyReadsEarlier,
  CrashOnReset,
};

struct SequenceMutantInfo {
  SequenceFault fault;
  std::string_view name;         // follows "mutant:sequence."
  std::string_view description;  // its fault, in one sentence
};
extern const std::vector<SequenceMutantInfo> kSequenceMutants;

// Makes a program's calls in host memory, for a target that only executes requests. A tensor with a
// buffer of its own is sent to the target with that whole buffer, any other by itself.
class HostProgram {
 public:
  using Run = std::function<std::vector<Answer>(std::span<const Request>)>;

  explicit HostProgram(Run run, SequenceFault fault = SequenceFault::None);
  ~HostProgram();

  // Answers the program's next message, of valid calls.
  Answer make(const Sequence& program);

 private:
  class Host;

  Run run_;
  SequenceFault fault_;
  std::unique_ptr<Host> host_;  // of a program that continues
};

}  // namespace dmlcts::gpu
