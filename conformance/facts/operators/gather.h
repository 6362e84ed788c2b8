#pragma once

#include <array>

#include "conformance/facts/operators/entry.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"

// Facts of operators that select with index tuples: GATHER_ND, and with batches GATHER_ND1.

namespace dmlcts {

// Kind of tuples: one or many, selecting an element (whole) or a block (partial). With batches, one
// or several batch dimensions.
enum GatherAttributes : uint8_t {
  WholeTuple,
  PartialTuple,
  OneWholeTuple,
  OnePartialTuple,
  BatchWholeTuple,
  BatchPartialTuple,
  BatchesWholeTuple,
  BatchesPartialTuple,
};
inline constexpr std::array<std::string_view, 8> kGatherAttributes{
    "whole tuples",
    "partial tuples",
    "one whole tuple",
    "one partial tuple",
    "one batch dimension, whole tuples",
    "one batch dimension, partial tuples",
    "batch dimensions, whole tuples",
    "batch dimensions, partial tuples"};

// True if a tuple selects one element; if there is one tuple; the least number of batch dimensions
// with several batches.
bool isWhole(uint8_t attributes);
bool isOne(uint8_t attributes);
uint32_t batchesOf(uint8_t attributes);

uint8_t gatherAttributes(const Gather& op);
Selection gatherSelection(const Gather& op);

// Returns "every element of the input has the same bits, …" if that is so, else "".
std::string_view gatherVacuous(const TensorDesc& input, std::span<const uint8_t> bytes);

// Returns why the case is weak ("every tuple selects the same bits, …"), or "". Weak means that
// other indices or input in the same layouts could make outputs differ more.
std::string_view gatherWeak(const Gather& op, std::span<const uint8_t> input,
                            const ReferenceOutput& expected);

std::vector<Constraint> gatherConstraints();
// The same, and those of batch dimensions.
std::vector<Constraint> batchedGatherConstraints();

// Appends the rules of the operator with that name that a case exercises.
void addGatherRules(std::string_view op, const Gather& gather, const Case& testCase,
                    std::vector<std::string_view>& rules);

// The operator's document lists these types and ranks.
struct GatherLists {
  uint32_t edition;
  std::vector<DataType> (*dataTypes)(Level level);
  std::vector<DataType> (*indexTypes)(Level level);
  std::vector<uint32_t> (*dimensionCounts)(Level level);
};

template <HasTuples Operator>
constexpr FactsEntry<Operator> gatherFactsEntry(const GatherLists& lists) {
  constexpr size_t classes =
      HasBatches<Operator> ? kGatherAttributes.size() : size_t{BatchWholeTuple};
  return {
      .facts = {.name = Operator::name,
                .edition = lists.edition,
                .indicesSlot = 1,
                .outputSlot = 2,
                .dataTypes = lists.dataTypes,
                .indexTypes = lists.indexTypes,
                .dimensionCounts = lists.dimensionCounts,
                .attributes = std::span(kGatherAttributes).first(classes),
                .attributesRule = "tuple-size",
                .constraints = HasBatches<Operator> ? batchedGatherConstraints : gatherConstraints},
      .simplest =
          [](DataType type, uint32_t rank) {
            return makeOfShape<Operator>(type, DataType::UInt32, rank, {Sizes{1}, Sizes{}, 1});
          },
      .attributesOf = [](const Operator& op) { return gatherAttributes(gatherOf(op)); },
      .vacuous = [](const Operator& op,
                    std::span<const uint8_t> input) { return gatherVacuous(op.input, input); },
      .weak =
          [](const Operator& op, std::span<const uint8_t> input,
             std::span<const ReferenceOutput> expected) {
            return gatherWeak(gatherOf(op), input, expected[0]);
          },
      .addRules =
          [](const Operator& op, const Case& testCase, std::vector<std::string_view>& rules) {
            addGatherRules(Operator::name, gatherOf(op), testCase, rules);
          },
      .selection = [](const Operator& op) { return gatherSelection(gatherOf(op)); }};
}

}  // namespace dmlcts
