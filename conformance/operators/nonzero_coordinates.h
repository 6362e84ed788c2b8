#pragma once

#include "conformance/tiers/build.h"
#include "conformance/tiers/case_entry.h"

// The case entry of NONZERO_COORDINATES.

namespace dmlcts {

std::span<const std::string_view> nonzeroAttributes();
std::span<const Constraint> nonzeroConstraints();
uint8_t nonzeroAttributesOf(const NonzeroCoordinates& op);
NonzeroCoordinates generateNonzeroCoordinates(Choices& choices, const Wanted& wanted);
std::vector<Descriptor> simplerNonzeroCoordinates(const NonzeroCoordinates& op);
// Keeps one row per element, if `before` had that.
void keepRows(const NonzeroCoordinates& before, NonzeroCoordinates& after);
// Appends a variant with one column and one input dimension less.
void fewerColumns(const NonzeroCoordinates& op, std::vector<Descriptor>& all);
// Returns a reason if the count is 0: no coordinates are compared then.
std::string_view nonzeroWeak(const NonzeroCoordinates& op, std::span<const uint8_t> input,
                             std::span<const ReferenceOutput> expected);
void addNonzeroCoordinatesRules(const NonzeroCoordinates& op, const Case& testCase,
                                std::vector<std::string_view>& rules);

extern const FamilyParts kNonzeroCoordinatesFamilies;

inline constexpr std::array kNonzeroTensors{&NonzeroCoordinates::input, &NonzeroCoordinates::count,
                                            &NonzeroCoordinates::coords};

inline constexpr CaseEntry<NonzeroCoordinates> kNonzeroCoordinatesCases{
    .facts = {.name = NonzeroCoordinates::name,
              .edition = 1,
              .indicesSlot = std::nullopt,
              .outputSlot = 2,
              .dataTypes = nonzeroTypes,
              .indexTypes = [](Level) { return std::vector<DataType>(); },
              .dimensionCounts = nonzeroRanks,
              .attributes = nonzeroAttributes,
              .attributesRule = "coords-columns",
              .constraints = nonzeroConstraints,
              .families = &kNonzeroCoordinatesFamilies},
    .tensors = kNonzeroTensors,
    // All outputs are UINT32. The count is one element with the input's rank.
    .defaultType =
        [](const NonzeroCoordinates&, size_t slot) {
          return slot >= 1 ? std::optional(DataType::UInt32) : std::nullopt;
        },
    .defaultSizes =
        [](const NonzeroCoordinates& op, size_t slot) {
          return slot == 1 ? std::optional(std::vector<uint32_t>(op.input.sizes.size(), 1))
                           : std::nullopt;
        },
    .dimensionCounts = {},
    .defaultDimensionCounts = [](const NonzeroCoordinates&) { return std::vector<uint32_t>(); },
    .indexProblem = [](const NonzeroCoordinates&) { return std::optional<std::string>(); },
    .indexedDimensions = [](const NonzeroCoordinates&) { return std::vector<uint32_t>(); },
    .attributesOf = nonzeroAttributesOf,
    .generate = generateNonzeroCoordinates,
    .simplest = [](DataType type, uint32_t rank) { return makeNonzero(type, Sizes(rank, 1), 1); },
    .simpler = simplerNonzeroCoordinates,
    .follow = keepRows,
    .fewer = fewerColumns,
    .plainFills =
        [] {
          return std::vector{FillKind::First, FillKind::Last, FillKind::Ones, FillKind::Alternate};
        },
    .equivalents = {},
    .vacuous = [](const NonzeroCoordinates&,
                  std::span<const uint8_t>) { return std::string_view(); },
    .weak = nonzeroWeak,
    .addRules = addNonzeroCoordinatesRules};

}  // namespace dmlcts
