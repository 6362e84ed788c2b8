#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// How applications have operators executed, where a target's ordinary way is another: docs/ways.md.

namespace dmlcts::gpu {

enum class Way : uint8_t {
  Compute,
  Placed,
  SharedBuffer,
  TightTemporary,
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
};

struct WayInfo {
  std::string_view name;     // for `--via`
  std::string_view decides;  // two that decide the same exclude each other
  std::string_view what;     // one line
  uint32_t executions;       // whose outputs are compared
  std::string_view targets;  // that take it, with " and " between them
  std::string_view why;      // no other does
};

inline constexpr std::string_view kOnDevices = "d3d12 and directml";
inline constexpr std::string_view kNoDevice = "the oracle has no device";
inline constexpr std::string_view kOfDirectMl =
    "our kernels have no graphs, no initializer, no binding tables and no flags to compile with";

// By Way.
inline constexpr std::array<WayInfo, 16> kWays{{
    {"compute", "on which queue", "on a compute queue instead of a direct one", 1, kOnDevices,
     kNoDevice},
    {"placed", "where tensors lie",
     "each tensor in a resource placed in one heap, at odd multiples of 64 KiB", 1, kOnDevices,
     kNoDevice},
    {"shared-buffer", "where tensors lie",
     "all tensors in one buffer, guard band against guard band at multiples of 16 bytes", 1,
     kOnDevices, kNoDevice},
    {"tight-temporary", "which temporary",
     "a temporary just as large as asked for, filled with poison before, between checked guards", 1,
     kOnDevices, kNoDevice},
    {"rebind", "how often", "three executions in one list, each bound to tensors of its own", 3,
     kOnDevices, kNoDevice},
    {"record-once", "how often",
     "a closed list executed twice, outputs poisoned again between the two", 2, kOnDevices,
     kNoDevice},
    {"many", "how often",
     "256 executions in one list, outputs poisoned again before each; first, 129th, last compared",
     3, kOnDevices, kNoDevice},
    {"two-queues", "how often",
     "two lists in flight on two queues, whose fences the host awaits before it has outputs read",
     2, kOnDevices, kNoDevice},
    {"half-precision", "whether half precision is allowed",
     "compiled with ALLOW_HALF_PRECISION_COMPUTATION", 1, "directml", kOfDirectMl},
    {"no-metacommands", "whether there are metacommands", "compiled with DISABLE_META_COMMANDS", 1,
     "directml", kOfDirectMl},
    {"volatile", "when tensors are bound",
     "compiled with DESCRIPTORS_VOLATILE, tensors bound when the execution is recorded already", 1,
     "directml", kOfDirectMl},
    {"graph", "what is compiled", "compiled as a graph of this one operator", 1, "directml",
     kOfDirectMl},
    {"nonzero-graph", "what is compiled",
     "a graph of two: NONZERO_COORDINATES of a tensor without zeros gives the indices", 1,
     "directml", kOfDirectMl},
    {"owned-by-dml", "who owns the last input",
     "the last input is bound at initialization, OWNED_BY_DML, and overwritten after it", 1,
     "directml", kOfDirectMl},
    {"reset", "what is reused",
     "initializer and binding table have served another operator and are Reset for this one", 1,
     "directml", kOfDirectMl},
    {"batch-init", "what is initialized",
     "one initializer for four operators, of which this is the last", 1, "directml", kOfDirectMl},
}};
constexpr const WayInfo& wayInfo(Way way) { return kWays[static_cast<size_t>(way)]; }
std::optional<Way> parseWay(std::string_view name);

// Ways that are taken together; none is the ordinary way.
class Ways {
 public:
  bool has(Way way) const { return (bits_ >> static_cast<uint32_t>(way) & 1) != 0; }
  void add(Way way) { bits_ |= 1u << static_cast<uint32_t>(way); }
  bool empty() const { return bits_ == 0; }
  size_t size() const;
  bool operator==(const Ways&) const = default;

 private:
  uint32_t bits_ = 0;
};

// In the order of the table, with commas between them; "" for the ordinary way.
std::string name(const Ways& ways);

// Why they cannot be taken together, or "".
std::string conflictOf(const Ways& ways);

// Of how many executions an answer holds the outputs.
uint32_t executionsOf(const Ways& ways);

// "only directml takes"; "only d3d12 and directml take".
std::string whoTakes(const WayInfo& info);

// Whether a target of that name takes it.
bool takes(std::string_view target, Way way);

// Why a target of that name does not take them, or "".
std::string whyNot(const Ways& ways, std::string_view target);

// An executor made wrong on purpose, in one way each: our kernels', but for the ways that DirectML
// alone takes.
struct WayMutant {
  std::string_view name;
  Way way;
  std::string_view description;  // what it does wrong, one sentence
};
inline constexpr WayMutant kWayMutants[] = {
    {"last-dispatch-lost", Way::Compute, "Loses the last dispatch on a compute queue."},
    {"heap-offset-ignored", Way::Placed,
     "Places the last output where the first input begins in the heap."},
    {"neighbour-overlapped", Way::SharedBuffer,
     "Lets the first output begin 16 bytes before the end of the last input."},
    {"temporary-overrun", Way::TightTemporary, "Writes 4 bytes behind the temporary."},
    {"second-binding-ignored", Way::Rebind,
     "Executes with the first tensors in place of the second."},
    {"second-execution-lost", Way::RecordOnce, "Executes a closed list once only."},
    {"hundred-and-no-more", Way::Many, "Loses what a list executes after the 100th time."},
    {"fence-not-awaited", Way::TwoQueues,
     "Reads the second queue's outputs back before that has executed its list."},
    {"half-precision-not-dispatched", Way::HalfPrecision,
     "Never dispatches what may compute with half precision."},
    {"no-metacommands-not-dispatched", Way::NoMetacommands,
     "Never dispatches what was compiled without metacommands."},
    {"volatile-not-dispatched", Way::Volatile,
     "Never dispatches what was compiled with volatile descriptors."},
    {"graph-not-dispatched", Way::Graph, "Never dispatches what was compiled as a graph."},
    {"nonzero-graph-not-dispatched", Way::NonzeroGraph,
     "Never dispatches what was compiled as a graph of two."},
    {"owned-too-late", Way::OwnedByDml, "Overwrites the tensor before it is initialized with."},
    {"reset-not-dispatched", Way::Reset, "Never dispatches with a table that was Reset."},
    {"batch-not-dispatched", Way::BatchInit, "Never dispatches the last of a batch."},
};

// Whether that one, if any, is wrong in that way.
inline bool does(const WayMutant* mutant, Way way) { return mutant && mutant->way == way; }

// Null for "". Throws std::invalid_argument for a name that none has.
const WayMutant* findWayMutant(std::string_view name);

}  // namespace dmlcts::gpu
