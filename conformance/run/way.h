#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "gpu/ways.h"

namespace dmlcts {

// How a target is asked for what a case describes, where an application has more ways than one
// (`--via`). A case keeps its name and what must come of it; it takes the whole way or none of it.
class Way {
 public:
  // The ordinary one.
  Way() = default;

  // Names, with commas between them. Throws std::invalid_argument, naming those that there are, or
  // saying why two exclude each other.
  explicit Way(std::string_view text);

  // The inverse, in the order of wayNames(); "" for the ordinary way.
  std::string text() const;

  // How the target is to execute it. Only cases that execute take a way that has any of these, and
  // of those only some a graph of two.
  const gpu::Ways& executions() const { return executions_; }

  // What the target is asked for the case. Nothing where the case does not take this way.
  std::optional<Descriptor> descriptor(const Case& testCase) const;

 private:
  std::vector<std::string_view> detours_;  // by the operators' entries (case_entry.h)
  gpu::Ways executions_;
};

// The names that there are: other descriptors first, then other executions.
std::vector<std::string_view> wayNames();

// What each is and who takes it, for people: `dmlcts list --ways`, docs/ways.md.
std::string wayTable();

}  // namespace dmlcts
