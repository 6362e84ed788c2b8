// Every documented combination of operator, data type, dimension count and level. Each has three
// executed cases; shapes, fills, index types and layouts vary from cell to cell.

#include <algorithm>
#include <array>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"
#include "conformance/operators/generate.h"

namespace dmlcts {
namespace {

constexpr uint64_t kVariations = 10;
constexpr uint64_t kCasesPerCell = 3;  // cells take turns

// The variation of a cell's case: 3 is coprime to their number, so that neighbours differ.
uint64_t variationOf(Level level, DataType type, uint32_t rank, uint64_t number) {
  const uint64_t cell = static_cast<uint64_t>(level) + 3 * static_cast<uint64_t>(type) + 7 * rank;
  return (cell + 3 * number) % kVariations;
}

// Fixed choices per cell and variation, independent of list order. Sizes keep tensors of the cell's
// rank small.
class CellDraws final : public Draws {
 public:
  CellDraws(std::string_view op, Level level, DataType type, uint32_t rank, uint64_t variation)
      : Draws(((op.size() * 0x10000 + static_cast<uint64_t>(level)) * 0x100 +
               static_cast<uint64_t>(type)) *
                      0x100 +
                  rank,
              variation),
        rank_(rank) {}

  Sizes sizes(size_t count, uint64_t) override {
    constexpr std::array<uint32_t, 9> kLargest{1, 60, 24, 10, 6, 4, 3, 3, 3};
    Sizes sizes(count);
    for (uint32_t& size : sizes) size = between(1, kLargest[rank_]);
    return sizes;
  }

 private:
  uint32_t rank_;
};

// Builds a valid packed descriptor of the cell.
template <class Operator>
Operator generateOne(Level level, DataType type, DataType indexType, uint32_t rank,
                     uint64_t variation) {
  Wanted wanted = anythingAt(level, 1);
  at(wanted.labels, Parameter::Operator) = detail::Place<Operator, Descriptor>::value;
  at(wanted.labels, Parameter::InputType) = static_cast<uint8_t>(type);
  at(wanted.labels, Parameter::IndexType) = static_cast<uint8_t>(indexType);
  at(wanted.labels, Parameter::Rank) = static_cast<uint8_t>(rank);
  for (Parameter layout :
       {Parameter::InputLayout, Parameter::IndicesLayout, Parameter::OutputLayout}) {
    at(wanted.labels, layout) = NoStrides;
  }
  wanted.batches = 3;
  CellDraws draws(Operator::name, level, type, rank, variation);
  return std::get<Operator>(generate(draws, wanted));
}

template <class Operator>
void addGatherCell(CaseList& list, Level level, DataType type, uint32_t rank) {
  static const std::vector<FillKind> fills{
      FillKind::Unique, FillKind::Unique, FillKind::Unique, FillKind::Unique, FillKind::Unique,
      FillKind::Unique, FillKind::Mixed,  FillKind::NaNs,   FillKind::Random, FillKind::Denormals};
  static const std::vector<IndexKind> unsignedKinds{IndexKind::Random, IndexKind::Reversed,
                                                    IndexKind::Boundary, IndexKind::Identity,
                                                    IndexKind::Random};
  static const std::vector<IndexKind> signedKinds{IndexKind::Negative, IndexKind::AllNegative,
                                                  IndexKind::Boundary, IndexKind::Random,
                                                  IndexKind::Negative};
  for (uint64_t number = 0; number < kCasesPerCell; ++number) {
    const uint64_t i = variationOf(level, type, rank, number);
    const DataType indexType = rotate(indexTypes(level), i);
    Operator op = generateOne<Operator>(level, type, indexType, rank, i);
    if (i == 4) setLayout(op.input, LayoutKind::Perm, reversedAxes(rank));
    if (i == 5) setLayout(op.output, LayoutKind::Step, {2});
    if (i == 6) setLayout(op.indices, LayoutKind::Perm, rotatedAxes(rank));
    const auto& kinds = info(indexType).isSigned ? signedKinds : unsignedKinds;
    list.execute(level, op, fill(fills[i]), index(rotate(kinds, i / 2)), i);
  }
}

void addNonzeroCell(CaseList& list, Level level, DataType type, uint32_t rank) {
  static const std::vector<Fill> fills{fill(FillKind::Mixed),     density(500'000),
                                       fill(FillKind::All),       fill(FillKind::Last),
                                       fill(FillKind::Mixed),     density(100'000),
                                       fill(FillKind::NaNs),      fill(FillKind::Runs, 3),
                                       fill(FillKind::Denormals), fill(FillKind::Alternate)};
  for (uint64_t number = 0; number < kCasesPerCell; ++number) {
    const uint64_t i = variationOf(level, type, rank, number);
    auto op = generateOne<NonzeroCoordinates>(level, type, DataType::Unknown, rank, i);
    if (i == 4) setLayout(op.input, LayoutKind::Perm, reversedAxes(rank));
    if (i == 5) setLayout(op.coords, LayoutKind::Pad, {1});
    if (i == 7) setLayout(op.input, LayoutKind::Step, {3});
    list.execute(level, op, fills[i], {}, i);
  }
}

}  // namespace

void addMatrixCell(CaseList& list, const OperatorFacts& op, Level level, DataType type,
                   uint32_t rank) {
  visitKind(
      op,
      [&]<class Operator>(const Operator&) { addGatherCell<Operator>(list, level, type, rank); },
      [&](const auto&) { addNonzeroCell(list, level, type, rank); });
}

void addMatrix(CaseList& list) {
  for (Level level : kLevels) {
    for (DataType type : everyType()) {
      for (const OperatorFacts* op : list.operators()) {
        const auto types = op->dataTypes(level);
        if (std::ranges::find(types, type) == types.end()) continue;
        for (uint32_t rank : op->dimensionCounts(level)) {
          addMatrixCell(list, *op, level, type, rank);
        }
      }
    }
  }
}

}  // namespace dmlcts
