#pragma once

#include "conformance/facts/operators/entry.h"
#include "conformance/language/build.h"

// Facts of NONZERO_COORDINATES.

namespace dmlcts {

// Kinds of columns, from as few as the input's coordinates need to one per dimension.
enum NonzeroAttributes : uint8_t { FewestColumns, SomeColumns, AllColumns };
inline constexpr std::array<std::string_view, 3> kNonzeroAttributes{"fewest columns",
                                                                    "some columns", "all columns"};

uint8_t nonzeroAttributes(const NonzeroCoordinates& op);
std::vector<Constraint> nonzeroConstraints();
// Returns a reason if the count is 0: no coordinates are compared then.
std::string_view nonzeroWeak(const NonzeroCoordinates& op, std::span<const uint8_t> input,
                             std::span<const ReferenceOutput> expected);
void addNonzeroRules(const NonzeroCoordinates& op, const Case& testCase,
                     std::vector<std::string_view>& rules);

inline constexpr FactsEntry<NonzeroCoordinates> kNonzeroFacts{
    .facts = {.name = NonzeroCoordinates::name,
              .edition = 1,
              .indicesSlot = std::nullopt,
              .outputSlot = 2,
              .dataTypes = nonzeroTypes,
              .indexTypes = [](Level) { return std::vector<DataType>(); },
              .dimensionCounts = nonzeroRanks,
              .attributes = kNonzeroAttributes,
              .attributesRule = "coords-columns",
              .constraints = nonzeroConstraints},
    .simplest = [](DataType type, uint32_t rank) { return makeNonzero(type, Sizes(rank, 1), 1); },
    .attributesOf = nonzeroAttributes,
    .vacuous = [](const NonzeroCoordinates&,
                  std::span<const uint8_t>) { return std::string_view(); },
    .weak = nonzeroWeak,
    .addRules = addNonzeroRules};

}  // namespace dmlcts
