// Every class of value of every data type, through every operator. Checks which values count as
// zero, and that a gather moves bits, not numbers. Covers all 65,536 patterns of 16-bit types.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"
#include "conformance/language/element_text.h"

namespace dmlcts {
namespace {

const std::vector<FillKind> kValueKinds{FillKind::Random, FillKind::Zeros,      FillKind::MinusZero,
                                        FillKind::Ones,   FillKind::Ramp,       FillKind::Unique,
                                        FillKind::Mixed,  FillKind::OneBit,     FillKind::Denormals,
                                        FillKind::NaNs,   FillKind::Infinities, FillKind::Extremes,
                                        FillKind::All};

const std::vector<uint32_t> kCounts{1, 3, 8, 33, 130, 515};

// Every pattern with a single bit set, each next to a zero; both signs for floats.
Fill singleBits(DataType type) {
  const uint32_t width = 8 * info(type).bytes;
  const uint64_t sign = info(type).isFloat ? floatFormat(type).sign() : 0;
  Fill bits{FillKind::Values, 0, {}};
  for (uint32_t bit = 0; bit < width; ++bit) {
    bits.values.push_back(uint64_t{1} << bit);
    bits.values.push_back(sign);
    if (sign != 0) bits.values.push_back(sign | uint64_t{1} << bit);
  }
  return bits;
}

// The patterns around every border between classes of floating-point values, in both signs.
Fill floatBorders(DataType type) {
  const FloatFormat format = floatFormat(type);
  const uint64_t smallestNormal = uint64_t{1} << format.mantissaBits;
  const uint64_t quiet = format.infinity() | (smallestNormal >> 1);
  Fill borders{FillKind::Values, 0, {}};
  for (uint64_t magnitude :
       {uint64_t{0}, uint64_t{1}, smallestNormal - 1, smallestNormal, format.infinity() - 1,
        format.infinity(), format.infinity() + 1, quiet - 1, quiet, format.sign() - 1}) {
    borders.values.push_back(magnitude);
    borders.values.push_back(format.sign() | magnitude);
  }
  return borders;
}

// If all elements had the same bits, any index would do.
bool tellsElementsApart(FillKind kind, DataType type) {
  if (kind == FillKind::MinusZero) return info(type).isFloat;
  return kind != FillKind::Zeros && kind != FillKind::Ones;
}

void addNonzeroValues(CaseList& list, DataType type, const Fill& values, uint32_t count,
                      uint64_t i) {
  // Without non-zeros, more sizes test nothing more.
  if (values.kind == FillKind::Zeros && count % 2 == 0) return;
  list.execute(rotate(nonzeroLevels(1), i), makeNonzero(type, {count}, 1), values, {}, i % 3);
  list.execute(rotate(nonzeroLevels(4), i), makeNonzero(type, {1, 1, count, 2}, 2), values, {},
               i % 3);
}

template <class Operator>
void addGatherValues(CaseList& list, DataType type, const Fill& values, uint32_t count,
                     uint64_t i) {
  if (!tellsElementsApart(values.kind, type)) return;
  // Reversed scalars, and rows: most implementations have separate paths for them. Types not swept
  // elsewhere alternate.
  const auto& swept = sweptTypes<Operator>();
  const bool both = std::ranges::find(swept, type) != swept.end();
  const Level level = rotate(levelsOf<Operator>(type, 4), i);
  const DataType indexType = rotate(indexTypes(level), i);
  if (both || i % 2 == 0) {
    list.execute(level, makeVaried<Operator>(type, indexType, 4, {count}, {count}, 1, i), values,
                 index(IndexKind::Reversed), i % 3);
  }
  if (both || i % 2 == 1) {
    list.execute(level, makeVaried<Operator>(type, indexType, 4, {3, count}, {2}, 1, i), values,
                 index(IndexKind::Random), i % 3);
  }
}

}  // namespace

void addValues(CaseList& list) {
  uint64_t i = 0;
  for (DataType type : everyType()) {
    const auto add = [&](const Fill& values, uint32_t count) {
      for (const OperatorFacts* op : list.operatorsBackwards()) {
        const auto types = op->dataTypes(kLevels.back());
        if (std::ranges::find(types, type) == types.end()) continue;
        visitKind(
            *op,
            [&]<class Operator>(const Operator&) {
              addGatherValues<Operator>(list, type, values, count, i);
            },
            [&](const auto&) { addNonzeroValues(list, type, values, count, i); });
      }
      ++i;
    };
    for (FillKind kind : kValueKinds) {
      for (uint32_t count : kCounts) add(fill(kind), count);
    }
    add(singleBits(type), static_cast<uint32_t>(singleBits(type).values.size()));
    if (info(type).isFloat) {
      add(floatBorders(type), static_cast<uint32_t>(floatBorders(type).values.size()));
    }
    if (info(type).bytes > 2) continue;
    // Unique produces every pattern once.
    add(fill(FillKind::Unique), uint32_t{1} << (8 * info(type).bytes));
  }
}

}  // namespace dmlcts
