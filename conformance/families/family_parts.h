#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/facts/operators/entry.h"
#include "conformance/language/fill.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// An operator's part of the families that follow its document. The others ask what kind of operator
// it is (case_list.h).

namespace dmlcts {

class CaseList;
struct BreakableDescriptor;

struct FamilyParts {
  // The worked examples of its document. Also called for levels at which it does not exist.
  void (*documents)(CaseList& list, Level level);
  // Rejections of a documented cell (broken.h), and the fill of the valid control descriptors.
  std::vector<BreakableDescriptor> (*breakable)(DataType type, uint32_t rank, Level level);
  FillKind controlFill;
  // Valid descriptors of a documented type, whose sizes differ from each other (borders.cpp).
  std::vector<Descriptor> (*borderControls)(DataType type, Level level);
  // Features of later levels, for a type that the operator has.
  void (*levels)(CaseList& list, DataType type);
};

const FamilyParts& partsOf(const OperatorFacts& op);

}  // namespace dmlcts
