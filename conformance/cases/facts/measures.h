#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/cases/language/case.h"

// Numbers of a case that queries can test but case strings do not contain.

namespace dmlcts {

struct Measure {
  std::string_view key;
  uint64_t (*of)(const Case& testCase);
  std::string_view words;
};

std::span<const Measure> measures();

std::optional<Measure> findMeasure(std::string_view key);

// Measures that a cause of failures (explanation.h) may bound.
inline constexpr std::array<std::string_view, 6> kBoundable{"elements", "room",    "outputs",
                                                            "tuple",    "batches", "slice"};

}  // namespace dmlcts
