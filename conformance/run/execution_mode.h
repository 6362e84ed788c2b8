#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "gpu/modes.h"

namespace dmlcts {

// How a target is asked for what a case describes, where an application has more modes than one
// (`--mode`). A case keeps its name and what must come of it; it takes the whole mode or none of
// it.
class ExecutionMode {
 public:
  // The ordinary one.
  ExecutionMode() = default;

  // Names, with commas between them. Throws std::invalid_argument, naming those that there are, or
  // saying why two exclude each other.
  explicit ExecutionMode(std::string_view text);

  // The inverse, in the order of modeNames(); "" for the ordinary mode.
  std::string text() const;

  // How the target is to execute it. Only cases that execute take a mode that has any of these, and
  // of those only some a graph of two.
  const gpu::Modes& executions() const { return executions_; }

  // What the target is asked for the case. Nothing where the case does not take this mode.
  std::optional<Descriptor> descriptor(const Case& testCase) const;

 private:
  std::vector<std::string_view> detours_;  // by the operators' entries (case_entry.h)
  gpu::Modes executions_;
};

// The names that there are: other descriptors first, then other executions.
std::vector<std::string_view> modeNames();

// What each is and who takes it, for people: `dmlcts list --modes`, docs/execution-modes.md.
std::string modeTable();

}  // namespace dmlcts
