#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts {

inline constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);  // E_INVALIDARG

// What the oracle's execution of a sequence can do wrong: none of it shows where an operator is
// compiled, bound and executed once by itself.
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
  UndefinedFilled,  // it is right, and no mutant: writes noise where the documents allow that
};

struct SequenceMutantInfo {
  SequenceFault fault;
  std::string_view name;         // behind "mutant:sequence."
  std::string_view description;  // what it does wrong, one sentence
};
extern const std::vector<SequenceMutantInfo> kSequenceMutants;

// The oracle's answer to a sequence whose calls are valid, in memory of the host.
gpu::Answer hostSequence(const gpu::Sequence& sequence, SequenceFault fault);

}  // namespace dmlcts
