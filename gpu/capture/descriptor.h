#pragma once

#include <optional>
#include <string>

#include "conformance/language/case.h"
#include "gpu/directml/abi.h"

namespace dmlcts::gpu {

// An operator that an application asked for, as a case.
struct RecordedOperator {
  Case testCase;
  std::string owned;    // names of inputs that were OWNED_BY_DML; the case binds them at execution
  std::string problem;  // why the case cannot run, or ""

  // The line of a file of cases; a comment if the case cannot run.
  std::string text() const;
};

// Returns the operator as a case at that level, with default inputs, or nothing for operators
// without an entry in kDirectMl and for calls that no case string can express. A descriptor that
// breaks a rule is to be rejected, so that a run shows whether it is.
std::optional<RecordedOperator> recordedOperator(const dml::OperatorDesc& desc, Level level);

}  // namespace dmlcts::gpu
