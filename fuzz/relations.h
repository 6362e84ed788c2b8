#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/inputs.h"
#include "conformance/run/judge.h"

// Properties that tie together what a target makes of related cases. They need no oracle: where
// the reference and the target were wrong in the same way, these would still tell.

namespace dmlcts {

// The outputs of an execution, in slot order: the elements of each, packed, row-major.
using Outputs = std::vector<std::vector<uint8_t>>;

// Executes cases on the target, one after the other, each also compared with the reference.
class Executor {
 public:
  virtual ~Executor() = default;

  // Throws CaseFailed when the case does not pass by itself, CaseUnsupported when it cannot run.
  virtual Outputs outputs(const Case& testCase) = 0;
};

struct CaseFailed {
  Case testCase;
  Judgement judgement;
};
struct CaseUnsupported {};

struct Relation {
  std::string_view name;
  std::string_view statement;  // what holds, one sentence
  std::string_view because;    // a rule's id, or a reason
  bool (*applies)(const Case& testCase);
  // What the target did against it, or "". Requires that it applies.
  std::string (*violation)(const Case& testCase, Executor& executor);
};

// All relations; of the executed cases each relation applies to many.
std::span<const Relation> relations();

// Tensors with more elements than this are not written out in case strings.
inline constexpr uint64_t kMostExplicitElements = 512;

// Packed bytes as elements of that type.
std::vector<uint64_t> elementsOf(DataType type, std::span<const uint8_t> packed);

// What of the outputs the operator document defines: without rows past the count.
Outputs definedOutputs(const Case& testCase, Outputs outputs);

}  // namespace dmlcts
