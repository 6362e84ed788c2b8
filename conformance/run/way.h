#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// How a target is asked for what a case describes, where an application has more ways than one
// (`--via`). A case keeps its name and what must come of it; it takes the whole way or none of it.
class Way {
 public:
  // The ordinary one.
  Way() = default;

  // Names, with commas between them. Throws std::invalid_argument, naming those that there are.
  explicit Way(std::string_view text);

  // The inverse; "" for the ordinary way.
  const std::string& text() const { return text_; }

  // What the target is asked for the case. Nothing where the case does not take this way.
  std::optional<Descriptor> descriptor(const Case& testCase) const;

 private:
  std::string text_;
  std::vector<std::string_view> detours_;  // by the operators' entries (case_entry.h)
};

// The names that there are.
std::vector<std::string_view> wayNames();

}  // namespace dmlcts
