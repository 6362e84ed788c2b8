#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/inputs/inputs.h"
#include "reference/descriptor.h"

// Relations between a target's results for related cases. They need no oracle, so they detect
// errors that reference and target share.

namespace dmlcts {

// The outputs of an execution, in slot order: the elements of each, packed, row-major.
using Outputs = std::vector<std::vector<uint8_t>>;

class Tester;  // subject.h

struct Relation {
  std::string_view name;
  std::string_view statement;  // the property, in one sentence
  std::string_view because;    // a rule's id, or a reason
  bool (*applies)(const Case& testCase);
  // Returns how the target violated it, or "". Requires applies().
  std::string (*violation)(const Case& testCase, Tester& tester);
};

// All relations. Each applies to many executed cases.
std::span<const Relation> relations();

// Tensors with more elements than this are not written out in case strings.
inline constexpr uint64_t kMostExplicitElements = 512;

// Converts packed bytes to elements of that type.
std::vector<uint64_t> elementsOf(DataType type, std::span<const uint8_t> packed);

// Returns the defined part of the outputs: without rows past the count.
Outputs definedOutputs(const Case& testCase, Outputs outputs);

// The relations of some operators (fuzz/operators), beside those of all.
std::vector<Relation> gatherRelations();
std::vector<Relation> nonzeroRelations();
std::vector<Relation> batchRelations();

}  // namespace dmlcts
