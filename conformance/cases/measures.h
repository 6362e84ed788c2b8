#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/cases/case.h"

// Numbers that a query can ask for and that no case string spells out.

namespace dmlcts {

struct Measure {
  std::string_view key;
  uint64_t (*of)(const Case& testCase);
};

// elements    of the input tensor; UINT64_MAX where there are more
// denormals   how many of them are denormal numbers; 0 for integer types and rejections
// room        elements that the total size of a tensor has room for, of the tensor with most room
// outputs     elements of the output that follows the input
// tuple       coordinates of an index tuple,
// batches     batches, and
// slice       elements that a tuple selects; 0 of operators that gather nothing
std::optional<Measure> findMeasure(std::string_view key);

// Those of which a cause of failures (explanation.h) may be a bound.
inline constexpr std::array<std::string_view, 6> kBoundable{"elements", "room",    "outputs",
                                                            "tuple",    "batches", "slice"};

}  // namespace dmlcts
