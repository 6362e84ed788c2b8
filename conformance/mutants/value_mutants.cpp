// Mutants of element values: elements counted as non-zero, bits copied.

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/element.h"
#include "reference/operators/nonzero_coordinates.h"

namespace dmlcts {
namespace {

using MapBits = uint64_t (*)(const FloatFormat&, uint64_t bits);

// Changes floating-point inputs of NONZERO_COORDINATES.
Mutation floatsBefore(MapBits map) {
  return {.before = [map](Passage& passage) {
    const DataType type = inputTensor(passage).type;
    if (!nonzero(passage.descriptor) || !info(type).isFloat) return;
    mapInput(passage,
             [&](uint64_t, uint64_t, uint64_t bits) { return map(floatFormat(type), bits); });
  }};
}

// Changes gathered floating-point elements.
Mutation floatsAfter(MapBits map) {
  return {.after = [map](Passage& passage) {
    const DataType type = inputTensor(passage).type;
    if (!info(type).isFloat) return;
    mapOutput(passage,
              [&](uint64_t, uint64_t, uint64_t bits) { return map(floatFormat(type), bits); });
  }};
}

// Tests a neighbour instead of an element for zero, in inputs of `width` bytes.
Mutation neighbourTested(uint32_t width, uint64_t flip) {
  return {.before = [=](Passage& passage) {
    const TensorDesc tensor = inputTensor(passage);
    if (!nonzero(passage.descriptor) || info(tensor.type).bytes != width) return;
    std::vector<uint64_t> original;
    mapInput(passage, [&](uint64_t, uint64_t, uint64_t bits) {
      original.push_back(bits);
      return bits;
    });
    mapInput(passage, [&](uint64_t index, uint64_t count, uint64_t bits) {
      return (index ^ flip) < count ? original[index ^ flip] : bits;
    });
  }};
}

}  // namespace

std::vector<Mutant> valueMutants() {
  return {
      {"minus-zero-counted",
       "Counts -0 as non-zero.",
       {"nonzero_coordinates.signed-zero"},
       floatsBefore(
           [](const FloatFormat& f, uint64_t bits) { return bits == f.sign() ? 1 : bits; })},
      {"denormals-flushed",
       "Takes denormals for zero.",
       {"nonzero_coordinates.float32-denormals", "nonzero_coordinates.not-zero-values"},
       floatsBefore(
           [](const FloatFormat& f, uint64_t bits) { return f.isDenormal(bits) ? 0 : bits; })},
      {"denormals-flushed-in-vectors",
       "Takes FLOAT32 denormals for zero in whole vectors of four, and not behind the last.",
       {"nonzero_coordinates.float32-denormals"},
       {.before =
            [](Passage& passage) {
              if (!nonzero(passage.descriptor)) return;
              if (inputTensor(passage).type != DataType::Float32) return;
              const FloatFormat format = floatFormat(DataType::Float32);
              mapInput(passage, [&](uint64_t index, uint64_t count, uint64_t bits) {
                return index < count / 4 * 4 && format.isDenormal(bits) ? uint64_t{0} : bits;
              });
            }}},
      {"smallest-denormal-flushed",
       "Takes only the smallest denormal for zero.",
       {"nonzero_coordinates.float32-denormals", "nonzero_coordinates.not-zero-values"},
       floatsBefore([](const FloatFormat& f, uint64_t bits) {
         return (bits & ~f.sign()) == 1 ? uint64_t{0} : bits;
       })},
      {"nan-is-zero",
       "Takes NaNs for zero, as a comparison with < and > would.",
       {"nonzero_coordinates.not-zero-values"},
       floatsBefore([](const FloatFormat& f, uint64_t bits) { return f.isNan(bits) ? 0 : bits; })},
      {"infinity-is-zero",
       "Takes infinities for zero.",
       {"nonzero_coordinates.nonzero"},
       floatsBefore(
           [](const FloatFormat& f, uint64_t bits) { return f.isInfinity(bits) ? 0 : bits; })},
      {"integer-sign-ignored",
       "Masks the sign bit of integers too, so the smallest is zero.",
       {"nonzero_coordinates.nonzero"},
       {.before =
            [](Passage& passage) {
              const DataTypeInfo& type = info(inputTensor(passage).type);
              if (!nonzero(passage.descriptor) || type.isFloat) return;
              const uint64_t sign = uint64_t{1} << (8 * type.bytes - 1);
              mapInput(passage, [&](uint64_t, uint64_t, uint64_t bits) { return bits & ~sign; });
            }}},
      {"high-half-tested",
       "Tests only the upper half of 32-bit elements.",
       {"nonzero_coordinates.nonzero", "nonzero_coordinates.signed-zero"},
       {.before =
            [](Passage& passage) {
              if (!nonzero(passage.descriptor) || info(inputTensor(passage).type).bytes != 4)
                return;
              mapInput(passage, [](uint64_t, uint64_t, uint64_t bits) { return bits >> 16; });
            }}},
      {"halves-swapped",
       "Swaps the two 16-bit elements of a dword when testing them.",
       {"nonzero_coordinates.nonzero"},
       neighbourTested(2, 1)},
      {"tested-as-f16",
       "Takes FLOAT32 elements for zero that FLOAT16 rounds to zero.",
       {"nonzero_coordinates.nonzero", "nonzero_coordinates.float32-denormals"},
       {.before =
            [](Passage& passage) {
              if (!nonzero(passage.descriptor)) return;
              if (inputTensor(passage).type != DataType::Float32) return;
              constexpr uint64_t kMostThatVanishes = 0x33000000;  // 2 to the power of -25
              const FloatFormat format = floatFormat(DataType::Float32);
              mapInput(passage, [&](uint64_t, uint64_t, uint64_t bits) {
                return format.magnitude(bits) <= kMostThatVanishes ? uint64_t{0} : bits;
              });
            }}},
      {"bytes-swapped",
       "Tests the four bytes of a dword in the opposite order.",
       {"nonzero_coordinates.nonzero"},
       neighbourTested(1, 3)},
      {"nan-quieted",
       "Sets the quiet bit of the NaNs it moves.",
       {"gather_nd.nan-payload", "gather_nd1.nan-payload"},
       floatsAfter([](const FloatFormat& f, uint64_t bits) {
         return f.isNan(bits) ? bits | (f.mantissaMask() + 1) >> 1 : bits;
       })},
      {"minus-zero-lost", "Moves -0 as +0.", kMoved,
       floatsAfter([](const FloatFormat& f, uint64_t bits) {
         return bits == f.sign() ? uint64_t{0} : bits;
       })},
      {"moved-denormals-flushed",
       "Moves denormals as zeros.",
       {"gather_nd.float32-denormals", "gather_nd1.float32-denormals", "gather_nd.gather",
        "gather_nd1.gather"},
       floatsAfter([](const FloatFormat& f, uint64_t bits) {
         return f.isDenormal(bits) ? bits & f.sign() : bits;
       })},
      {"moved-as-f16",
       "Moves FLOAT32 with the precision of FLOAT16.",
       kMoved,
       {.after =
            [](Passage& passage) {
              if (inputTensor(passage).type != DataType::Float32) return;
              mapOutput(passage,
                        [](uint64_t, uint64_t, uint64_t bits) { return bits & 0xFFFFE000u; });
            }}},
      {"moved-as-i32",
       "Moves INT64 through 32 bits.",
       kMoved,
       {.after =
            [](Passage& passage) {
              if (inputTensor(passage).type != DataType::Int64) return;
              mapOutput(passage, [](uint64_t, uint64_t, uint64_t bits) {
                return static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)});
              });
            }}},
  };
}

}  // namespace dmlcts
