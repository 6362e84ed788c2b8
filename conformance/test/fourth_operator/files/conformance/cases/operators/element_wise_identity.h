#pragma once

#include "conformance/cases/case_entry.h"
#include "conformance/cases/families/build.h"

// The cases' entry of the copy.

namespace dmlcts {

ElementWiseIdentity makeIdentity(DataType type, const Sizes& sizes);

std::vector<DataType> identityTypes(Level level);
std::vector<uint32_t> identityRanks(Level level);
std::span<const Constraint> identityConstraints();
ElementWiseIdentity generateIdentity(Choices& choices, const Wanted& wanted);
std::vector<Descriptor> simplerIdentities(const ElementWiseIdentity& op);

extern const FamilyParts kIdentityFamilies;

inline constexpr std::array<std::string_view, 1> kIdentityAttributes{"no attributes"};
inline constexpr std::array kIdentityTensors{&ElementWiseIdentity::input,
                                             &ElementWiseIdentity::output};

inline constexpr CaseEntry<ElementWiseIdentity> kIdentityCases{
    .facts = {.name = ElementWiseIdentity::name,
              .edition = 3,
              .indicesSlot = std::nullopt,
              .outputSlot = 1,
              .dataTypes = identityTypes,
              .indexTypes = [](Level) { return std::vector<DataType>(); },
              .dimensionCounts = identityRanks,
              .attributes = [] { return std::span<const std::string_view>(kIdentityAttributes); },
              .constraints = identityConstraints,
              .families = &kIdentityFamilies},
    .tensors = kIdentityTensors,
    .defaultType =
        [](const ElementWiseIdentity& op, size_t slot) {
          return slot == 1 ? std::optional(op.input.type) : std::nullopt;
        },
    .defaultSizes =
        [](const ElementWiseIdentity& op, size_t slot) {
          return slot == 1 ? std::optional(op.input.sizes) : std::nullopt;
        },
    .dimensionCounts = {},
    .defaultDimensionCounts = [](const ElementWiseIdentity&) { return std::vector<uint32_t>(); },
    .indexProblem = [](const ElementWiseIdentity&) { return std::optional<std::string>(); },
    .indexedDimensions = [](const ElementWiseIdentity&) { return std::vector<uint32_t>(); },
    .attributesOf = [](const ElementWiseIdentity&) { return uint8_t{0}; },
    .generate = generateIdentity,
    .simplest = [](DataType type, uint32_t rank) { return makeIdentity(type, Sizes(rank, 1)); },
    .simpler = simplerIdentities,
    .follow = nullptr,
    .fewer = nullptr,
    .plainFills = [] { return std::vector{FillKind::Values, FillKind::Ramp}; },
    .detours = {},
    .vacuous = [](const ElementWiseIdentity&,
                  std::span<const uint8_t>) { return std::string_view(); },
    .weak = [](const ElementWiseIdentity&, std::span<const uint8_t>,
               std::span<const ReferenceOutput>) { return std::string_view(); },
    .addRules =
        [](const ElementWiseIdentity&, const Case&, std::vector<std::string_view>& rules) {
          rules.push_back("element_wise_identity.copy");
        }};

}  // namespace dmlcts
