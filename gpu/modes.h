#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Execution modes: the ways in which applications run an operator, apart from a target's ordinary
// mode. See docs/execution-modes.md.

namespace dmlcts::gpu {

enum class Mode : uint8_t {
  Compute,
  Placed,
  SharedBuffer,
  TightTemporary,
  LongerRange,
  Rebind,
  RecordOnce,
  Many,
  TwoQueues,
  HalfPrecision,
  NoMetacommands,
  Volatile,
  Graph,
  NonzeroGraph,
  OwnedByDml,
  Reset,
  BatchInit,
  Endurance,
};

struct ModeInfo {
  std::string_view name;     // for `--mode`
  std::string_view decides;  // modes that decide the same exclude each other
  std::string_view what;     // one line
  uint32_t executions;       // number of executions to compare
  std::string_view targets;  // that support it, joined by " and "; "" if the harness does it all
  std::string_view why;      // no other target supports it
};

inline constexpr std::string_view kOnDevices = "d3d12 and directml";
inline constexpr std::string_view kNoDevice = "the oracle has no device";
inline constexpr std::string_view kOfDirectMl =
    "our kernels have no graphs, no initializer, no binding tables and no flags to compile with";

// Indexed by Mode.
inline constexpr std::array<ModeInfo, 18> kModes{{
    {"compute", "the queue", "on a compute queue instead of a direct one", 1, kOnDevices,
     kNoDevice},
    {"placed", "the memory of the tensors",
     "each tensor in a resource placed in one heap, at odd multiples of 64 KiB", 1, kOnDevices,
     kNoDevice},
    {"shared-buffer", "the memory of the tensors",
     "all tensors in one buffer, guard band against guard band at multiples of 16 bytes", 1,
     kOnDevices, kNoDevice},
    {"tight-temporary", "the temporary",
     "a temporary just as large as asked for, filled with poison before, between checked guards", 1,
     kOnDevices, kNoDevice},
    {"longer-range", "the length of bound ranges",
     "each tensor bound as a range from its start to the end of its buffer", 1, kOnDevices,
     kNoDevice},
    {"rebind", "how often it executes",
     "three executions in one list, each bound to tensors of its own", 3, kOnDevices, kNoDevice},
    {"record-once", "how often it executes",
     "a closed list executed twice, outputs poisoned again between the two", 2, kOnDevices,
     kNoDevice},
    {"many", "how often it executes",
     "256 executions in one list, outputs poisoned again before each; first, 129th, last compared",
     3, kOnDevices, kNoDevice},
    {"two-queues", "how often it executes",
     "two lists at the same time on two queues; outputs are read when both fences are signalled", 2,
     kOnDevices, kNoDevice},
    {"half-precision", "the precision", "compiled with ALLOW_HALF_PRECISION_COMPUTATION", 1,
     "directml", kOfDirectMl},
    {"no-metacommands", "the metacommands", "compiled with DISABLE_META_COMMANDS", 1, "directml",
     kOfDirectMl},
    {"volatile", "when tensors are bound",
     "compiled with DESCRIPTORS_VOLATILE, tensors bound after the execution was recorded", 1,
     "directml", kOfDirectMl},
    {"graph", "what is compiled", "compiled as a graph of this one operator", 1, "directml",
     kOfDirectMl},
    {"nonzero-graph", "what is compiled",
     "a graph of two: NONZERO_COORDINATES of a tensor without zeros gives the indices", 1,
     "directml", kOfDirectMl},
    {"owned-by-dml", "the owner of the last input",
     "the last input is bound at initialization, OWNED_BY_DML, and overwritten after it", 1,
     "directml", kOfDirectMl},
    {"reset", "what is reused",
     "initializer and binding table were used for another operator, then Reset", 1, "directml",
     kOfDirectMl},
    {"batch-init", "what is initialized",
     "one initializer for four operators, of which this is the last", 1, "directml", kOfDirectMl},
    {"endurance", "how often it executes", "70,000 executions by one worker, all compared", 1, "",
     ""},
}};
constexpr const ModeInfo& modeInfo(Mode mode) { return kModes[static_cast<size_t>(mode)]; }
std::optional<Mode> parseMode(std::string_view name);

// A combination of modes; empty means the ordinary mode.
class Modes {
 public:
  bool has(Mode mode) const { return (bits_ >> static_cast<uint32_t>(mode) & 1) != 0; }
  void add(Mode mode) { bits_ |= 1u << static_cast<uint32_t>(mode); }
  bool empty() const { return bits_ == 0; }
  Modes ofTargets() const {  // those that a request has
    Modes modes = *this;
    modes.bits_ &= ~(1u << static_cast<uint32_t>(Mode::Endurance));
    return modes;
  }
  size_t size() const;
  bool operator==(const Modes&) const = default;

 private:
  uint32_t bits_ = 0;
};

// Returns the names in table order, joined by commas; "" for the ordinary mode.
std::string name(const Modes& modes);

// Returns why the modes exclude each other, or "".
std::string conflictOf(const Modes& modes);

// Returns the number of executions whose outputs an answer holds.
uint32_t executionsOf(const Modes& modes);

// Returns "only directml takes" or "only d3d12 and directml take".
std::string supportingTargets(const ModeInfo& info);

// True if the target supports the mode.
bool takes(std::string_view target, Mode mode);

// Returns why the target does not support the modes, or "".
std::string whyNot(const Modes& modes, std::string_view target);

// A deliberately faulty executor, wrong in one mode. Runs our kernels, except for modes that only
// DirectML supports.
struct ModeMutant {
  std::string_view name;
  Mode mode;
  std::string_view description;  // its fault, in one sentence
};
inline constexpr ModeMutant kModeMutants[] = {
    {"last-dispatch-lost", Mode::Compute,
     "Loses what the last dispatch wrote to the last output on a compute queue."},
    {"heap-offset-ignored", Mode::Placed,
     "Places the last output where the first input begins in the heap."},
    {"neighbour-overlapped", Mode::SharedBuffer,
     "Lets the first output begin 16 bytes before the end of the last input."},
    {"temporary-overrun", Mode::TightTemporary, "Writes 4 bytes behind the temporary."},
    {"total-overrun", Mode::LongerRange,
     "Writes 4 bytes behind the last output's total, inside the bound range."},
    {"second-binding-ignored", Mode::Rebind,
     "Executes with the first tensors in place of the second."},
    {"second-execution-lost", Mode::RecordOnce, "Executes a closed list once only."},
    {"hundred-and-no-more", Mode::Many, "Loses what a list executes after the 100th time."},
    {"fence-not-awaited", Mode::TwoQueues,
     "Reads the second queue's outputs back before that has executed its list."},
    {"half-precision-not-dispatched", Mode::HalfPrecision,
     "Never dispatches what may compute with half precision."},
    {"no-metacommands-not-dispatched", Mode::NoMetacommands,
     "Never dispatches what was compiled without metacommands."},
    {"volatile-not-dispatched", Mode::Volatile,
     "Never dispatches what was compiled with volatile descriptors."},
    {"graph-not-dispatched", Mode::Graph, "Never dispatches what was compiled as a graph."},
    {"nonzero-graph-not-dispatched", Mode::NonzeroGraph,
     "Never dispatches what was compiled as a graph of two."},
    {"owned-too-late", Mode::OwnedByDml, "Overwrites the tensor before it is initialized with."},
    {"reset-not-dispatched", Mode::Reset, "Never dispatches with a table that was Reset."},
    {"batch-not-dispatched", Mode::BatchInit, "Never dispatches the last of a batch."},
};

// True if the mutant, if any, is wrong in this mode.
inline bool does(const ModeMutant* mutant, Mode mode) { return mutant && mutant->mode == mode; }

// Returns null for "". Throws std::invalid_argument for an unknown name.
const ModeMutant* findModeMutant(std::string_view name);

}  // namespace dmlcts::gpu
