#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"
#include "gpu/modes.h"

namespace dmlcts {

// The execution mode (`--mode`): how a target runs a case, if an application has several ways to. A
// case keeps its name and expected outcome. It uses the whole mode, or is not run.
class ExecutionMode {
 public:
  // The ordinary mode.
  ExecutionMode() = default;

  // Parses comma-separated names. Throws std::invalid_argument that lists the known names, or says
  // why two names exclude each other.
  explicit ExecutionMode(std::string_view text);

  // The inverse, in the order of modeNames(); "" for the ordinary mode.
  std::string text() const;

  // The executions to request. If not empty, only executing cases use the mode; a graph of two
  // suits only some of them.
  const gpu::Modes& executions() const { return executions_; }

  // Returns the executions to request for the case: these or, in the ordinary mode, its own.
  const gpu::Modes& executionsOf(const Case& testCase) const {
    return executions_.empty() ? testCase.modes : executions_;
  }

  // Returns the descriptor to send for the case, or nothing if the case cannot use this mode.
  std::optional<Descriptor> descriptor(const Case& testCase) const;

 private:
  std::vector<std::string_view> equivalents_;  // from the operators' entries (operators/entry.h)
  gpu::Modes executions_;
};

// Returns all mode names: other descriptors first, then other executions.
std::vector<std::string_view> modeNames();

// Describes each mode and the targets that support it: `dmlcts list --modes`,
// docs/execution-modes.md.
std::string modeTable();

}  // namespace dmlcts
