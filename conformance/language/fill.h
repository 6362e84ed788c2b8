#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// Recipes for the elements of a case's input tensors, as data. value_fill.h and index_fill.h turn a
// recipe into elements; inputs.h produces whole tensors.

namespace dmlcts {

enum class FillKind : uint8_t {
  Random,      // any bits
  Zeros,       // +0 throughout
  MinusZero,   // +0 and -0 mixed (integers: 0)
  Ones,        // 1
  Ramp,        // 1, 2, 3, … wrapping where the type can no longer represent each integer
  Unique,      // a different pattern per element, as far as the width allows
  Mixed,       // every class of value of the type, about a third of them zeros
  OneBit,      // exactly one bit set
  Denormals,   // smallest, largest and random denormals of both signs (integers: like OneBit)
  NaNs,        // quiet and signalling, both signs, random payloads (integers: like Random)
  Infinities,  // both signs, and zeros between them (integers: like Extremes)
  Extremes,    // smallest, largest and next-to-extreme values of both signs
  All,         // like Mixed without the zeros
  First,       // zeros but for the first element
  Last,        // zeros but for the last element
  Alternate,   // every second element non-zero, from the second on
  Single,      // single(k): zeros but for element k (modulo the element count)
  Runs,        // runs(k): k non-zero, k zero elements, and so on
  Edges,       // edges(k): non-zero on both sides of every multiple of k
  Density,     // density(p): each element non-zero with probability p
  Values,      // values(v,…): these, repeated as often as needed
  Npy,         // npy(FILE,HASH): the elements of a NumPy array
};

// The file of an Npy fill. A case is the same one whether or not the file was read.
struct NpyFill {
  std::string file;  // as spelledFile() gives it
  std::string hash;  // npyHash() of its content; "" in a case string that takes any
  std::shared_ptr<const std::vector<uint8_t>>
      elements;  // null until NpyFiles reads them (run/replay/case_file.h)

  bool operator==(const NpyFill& other) const { return file == other.file && hash == other.hash; }
};

struct Fill {
  FillKind kind = FillKind::Random;
  uint64_t number = 0;           // Single, Runs, Edges: k. Density: p in millionths
  std::vector<uint64_t> values;  // Values: the bits of each element
  NpyFill npy = {};              // Npy

  bool operator==(const Fill&) const = default;
};

enum class IndexKind : uint8_t {
  Random,       // any index of the dimension
  Identity,     // tuples count through the input in order
  Reversed,     // tuples count through the input from its end
  Repeated,     // the same random tuple throughout
  First,        // index 0
  Last,         // the last index of the dimension
  Boundary,     // first or last index; in both spellings if negative ones are allowed
  Negative,     // any index, half of them spelled from the end of the dimension
  AllNegative,  // any index, all of them spelled from the end of the dimension
  Wild,         // any bits: mostly out of range, so undefined; never in a conformance case
  Values,       // values(v,…): these, repeated as often as needed
  Npy,          // npy(FILE,HASH): the elements of a NumPy array
};

struct IndexFill {
  IndexKind kind = IndexKind::Random;
  std::vector<uint64_t> values;  // Values: the bits of each element
  NpyFill npy = {};              // Npy

  bool operator==(const IndexFill&) const = default;
};

enum class FillArgument : uint8_t { None, Number, Probability, Values, File };

template <class Kind>
struct FillKindInfo {
  Kind kind;
  std::string_view name;
  FillArgument argument = FillArgument::None;
};

// The one list of value fills, in the order of the enumeration.
inline constexpr std::array<FillKindInfo<FillKind>, 22> kFillKinds{{
    {FillKind::Random, "random"},
    {FillKind::Zeros, "zeros"},
    {FillKind::MinusZero, "minuszero"},
    {FillKind::Ones, "ones"},
    {FillKind::Ramp, "ramp"},
    {FillKind::Unique, "unique"},
    {FillKind::Mixed, "mixed"},
    {FillKind::OneBit, "onebit"},
    {FillKind::Denormals, "denormals"},
    {FillKind::NaNs, "nans"},
    {FillKind::Infinities, "infinities"},
    {FillKind::Extremes, "extremes"},
    {FillKind::All, "all"},
    {FillKind::First, "first"},
    {FillKind::Last, "last"},
    {FillKind::Alternate, "alternate"},
    {FillKind::Single, "single", FillArgument::Number},
    {FillKind::Runs, "runs", FillArgument::Number},
    {FillKind::Edges, "edges", FillArgument::Number},
    {FillKind::Density, "density", FillArgument::Probability},
    {FillKind::Values, "values", FillArgument::Values},
    {FillKind::Npy, "npy", FillArgument::File},
}};

// The one list of index fills, in the order of the enumeration.
inline constexpr std::array<FillKindInfo<IndexKind>, 12> kIndexKinds{{
    {IndexKind::Random, "random"},
    {IndexKind::Identity, "identity"},
    {IndexKind::Reversed, "reversed"},
    {IndexKind::Repeated, "repeated"},
    {IndexKind::First, "first"},
    {IndexKind::Last, "last"},
    {IndexKind::Boundary, "boundary"},
    {IndexKind::Negative, "negative"},
    {IndexKind::AllNegative, "allnegative"},
    {IndexKind::Wild, "wild"},
    {IndexKind::Values, "values", FillArgument::Values},
    {IndexKind::Npy, "npy", FillArgument::File},
}};

constexpr const FillKindInfo<FillKind>& info(FillKind kind) {
  return kFillKinds[static_cast<size_t>(kind)];
}
constexpr const FillKindInfo<IndexKind>& info(IndexKind kind) {
  return kIndexKinds[static_cast<size_t>(kind)];
}

}  // namespace dmlcts
