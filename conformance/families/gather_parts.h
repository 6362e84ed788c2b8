#pragma once

#include <algorithm>
#include <string>

#include "conformance/facts/operators.h"
#include "conformance/families/case_list.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"
#include "reference/rules.h"

// Gathers for families, and the family parts of GATHER_ND and GATHER_ND1.

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

// The data types to sweep in families about another aspect: all that are documented. Where an
// operator does the same with batches, one per width and a few more.
template <HasTuples Operator>
const std::vector<DataType>& sweptTypes() {
  static const std::vector<DataType> few{DataType::UInt8, DataType::Float16, DataType::Float32,
                                         DataType::Float64, DataType::Int64};
  return HasBatches<Operator> ? few : documentedTypes();
}

// The size of the batch dimension of large tensors.
template <HasTuples Operator>
inline constexpr uint32_t largeBatches = HasBatches<Operator> ? 2 : 1;

// Adds 0, 1 or 2 leading batch dimensions, depending on `i`, if there is room, and increases `rank`
// by as many. Large tensors get one, of size 2.
GatherShape withVariedBatches(size_t& rank, const GatherShape& shape, uint64_t i);

// Builds a packed gather, with such batch dimensions if the operator has any.
template <HasTuples Operator>
Operator makeVaried(DataType type, DataType indexType, size_t rank, const Sizes& input,
                    const Sizes& tuples, uint32_t tupleSize, uint64_t i) {
  GatherShape shape{input, tuples, tupleSize};
  if (HasBatches<Operator>) shape = withVariedBatches(rank, shape, i);
  return makeOfShape<Operator>(type, indexType, rank, shape);
}

void addGatherDocuments(CaseList& list, Level level);
void addGather1Documents(CaseList& list, Level level);
std::vector<BreakableDescriptor> breakableGather(DataType type, uint32_t rank, Level level);
std::vector<BreakableDescriptor> breakableGather1(DataType type, uint32_t rank, Level level);
std::vector<Descriptor> gatherBorderControls(DataType type, Level level);
std::vector<Descriptor> gather1BorderControls(DataType type, Level level);
void addGatherLevels(CaseList& list, DataType type);
void addGather1Levels(CaseList& list, DataType type);

}  // namespace dmlcts
