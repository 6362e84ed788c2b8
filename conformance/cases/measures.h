#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/cases/case.h"

// Numbers of a case that queries can test but case strings do not contain.

namespace dmlcts {

struct Measure {
  std::string_view key;
  uint64_t (*of)(const Case& testCase);
};

// elements    of the input tensor, at most UINT64_MAX
// denormals   number of denormals in the input; 0 for integer types and rejections
// room        elements that fit into a tensor's total size; the largest over all tensors
// outputs     elements of the output that follows the input
// tuple       coordinates per index tuple; 0 for operators that gather nothing, like the next two
// batches     number of batches
// slice       elements that one tuple selects
std::optional<Measure> findMeasure(std::string_view key);

// Measures that a cause of failures (explanation.h) may bound.
inline constexpr std::array<std::string_view, 6> kBoundable{"elements", "room",    "outputs",
                                                            "tuple",    "batches", "slice"};

}  // namespace dmlcts
