#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts {

inline constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);  // E_INVALIDARG

// Faults in executing a sequence. None shows if an operator is compiled, bound and executed once,
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
  UndefinedFilled,  // correct, not a mutant: writes noise where the documents allow it
};

struct SequenceMutantInfo {
  SequenceFault fault;
  std::string_view name;         // follows "mutant:sequence."
  std::string_view description;  // its fault, in one sentence
};
extern const std::vector<SequenceMutantInfo> kSequenceMutants;

// The oracle's answer to a sequence of valid calls, executed in host memory.
gpu::Answer hostSequence(const gpu::Sequence& sequence, SequenceFault fault);

}  // namespace dmlcts
