#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/inputs.h"
#include "conformance/run/judge.h"

// Relations between a target's results for related cases. They need no oracle, so they detect
// errors that reference and target share.

namespace dmlcts {

// The outputs of an execution, in slot order: the elements of each, packed, row-major.
using Outputs = std::vector<std::vector<uint8_t>>;

// Executes cases on the target, one by one, and compares each with the reference.
class Executor {
 public:
  virtual ~Executor() = default;

  // Throws CaseFailed if the case itself fails, CaseUnsupported if it cannot run.
  virtual Outputs outputs(const Case& testCase) = 0;
};

struct CaseFailed {
  Case testCase;
  Judgement judgement;
};
struct CaseUnsupported {};

struct Relation {
  std::string_view name;
  std::string_view statement;  // the property, in one sentence
  std::string_view because;    // a rule's id, or a reason
  bool (*applies)(const Case& testCase);
  // Returns how the target violated it, or "". Requires applies().
  std::string (*violation)(const Case& testCase, Executor& executor);
};

// All relations. Each applies to many executed cases.
std::span<const Relation> relations();

// Tensors with more elements than this are not written out in case strings.
inline constexpr uint64_t kMostExplicitElements = 512;

// Converts packed bytes to elements of that type.
std::vector<uint64_t> elementsOf(DataType type, std::span<const uint8_t> packed);

// Returns the defined part of the outputs: without rows past the count.
Outputs definedOutputs(const Case& testCase, Outputs outputs);

}  // namespace dmlcts
