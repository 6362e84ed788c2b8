#pragma once

#include <algorithm>
#include <string>

#include "conformance/facts/operators.h"
#include "conformance/families/case_list.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"
#include "reference/rules.h"

// The family parts of GATHER_ND and GATHER_ND1, written once as templates and defined in each
// family's file.

namespace dmlcts {

template <class Operator>
const OperatorFacts& gatherFacts() {
  return operatorFacts()[detail::Place<Operator, Descriptor>::value];
}

// Returns the id of the operator's rule of that name; static storage.
template <class Operator>
std::string_view gatherRule(std::string_view rule) {
  return findRule(std::string(Operator::name) + '.' + std::string(rule))->id;
}

// Returns the levels at which the operator's input may have this type and rank.
template <class Operator>
std::vector<Level> levelsOf(DataType type, uint32_t rank) {
  std::vector<Level> levels;
  for (Level level : kLevels) {
    const auto types = gatherFacts<Operator>().dataTypes(level);
    const auto ranks = gatherFacts<Operator>().dimensionCounts(level);
    if (std::ranges::find(types, type) != types.end() &&
        std::ranges::find(ranks, rank) != ranks.end()) {
      levels.push_back(level);
    }
  }
  return levels;
}

// Returns the data types that the operator has at some level.
template <class Operator>
std::vector<DataType> typesOf() {
  return gatherFacts<Operator>().dataTypes(kLevels.back());
}

// The data types to sweep in families about another aspect. All of GATHER_ND's; for GATHER_ND1,
// which does the same with batches, one per width and a few more.
template <class Operator>
const std::vector<DataType>& sweptTypes();

// Like makeGather(). For GATHER_ND1, adds 0, 1 or 2 leading batch dimensions, depending on `i`, if
// there is room. Large tensors get one, of size 2.
template <class Operator>
Operator makeVaried(DataType type, DataType indexType, size_t rank, const Sizes& input,
                    const Sizes& tuples, uint32_t tupleSize, uint64_t i);

// The size of that batch dimension.
template <class Operator>
inline constexpr uint32_t largeBatches = 1;
template <>
inline constexpr uint32_t largeBatches<GatherNd1> = 2;

template <class Operator>
void addGatherDocuments(CaseList& list, Level level);
template <class Operator>
void addGatherCell(CaseList& list, Level level, DataType type, uint32_t rank);
template <class Operator>
void addGatherGraph(CaseList& list, Level level, DataType type);
void addGatherAttributes(CaseList& list);
void addGather1Attributes(CaseList& list);
void addGather1Batches(CaseList& list);
template <class Operator>
void addGatherValues(CaseList& list, DataType type, const Fill& values, uint32_t count, uint64_t i);
template <class Operator>
void addGatherSizes(CaseList& list);
template <class Operator>
void addGatherScale(CaseList& list, uint32_t count, uint64_t variant, uint64_t i);
template <class Operator>
void addGatherIndices(CaseList& list);
template <class Operator>
void addGatherInputLayouts(CaseList& list, uint64_t& i);
template <class Operator>
void addGatherOutputLayouts(CaseList& list, uint64_t& i);
template <class Operator>
void addGatherTotals(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i);
std::vector<BreakableDescriptor> breakableGather(DataType type, uint32_t rank, Level level);
std::vector<BreakableDescriptor> breakableGather1(DataType type, uint32_t rank, Level level);
std::vector<Descriptor> gatherBorderControls(DataType type, Level level);
std::vector<Descriptor> gather1BorderControls(DataType type, Level level);
void addGatherLevels(CaseList& list, DataType type);
void addGather1Levels(CaseList& list, DataType type);
template <class Operator>
void addGatherUndocumentedTypes(CaseList& list, Level level);
template <class Operator>
void addGatherUndocumentedRanks(CaseList& list, Level level, DataType type);
template <class Operator>
void addGatherLargeLayouts(CaseList& list);
void addGatherAxes(CaseList& list);
void addGather1Axes(CaseList& list);
template <class Operator>
void addGatherLarge(CaseList& list);
template <class Operator>
void addGatherLargeStrided(CaseList& list);
template <class Operator>
void addGatherHuge(CaseList& list);

}  // namespace dmlcts
