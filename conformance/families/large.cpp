// Tensors of many million elements: more groups than one dispatch dimension, more tile counts than
// one scan pass, long rows, far indices. Needs gigabytes of memory; not run routinely.

#include <array>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

constexpr uint32_t kMillion = 1'000'000;
// Usual group sizes, in threads. One dispatch dimension has at most 65,535 groups.
constexpr std::array<uint32_t, 4> kGroups{128, 256, 512, 1024};

void addNonzero(CaseList& list, DataType type, const Sizes& sizes, const Fill& positions) {
  list.execute(kNewestLevel, makeNonzero(type, sizes, static_cast<uint32_t>(sizes.size())),
               positions);
}

template <class Operator>
void addGather(CaseList& list, DataType type, DataType indexType, const Sizes& input,
               const Sizes& tuples, uint32_t tupleSize, IndexKind kind) {
  const size_t rank = std::max(input.size(), tuples.size() + input.size() - tupleSize);
  list.execute(kNewestLevel,
               makeVaried<Operator>(type, indexType, std::max(rank, tuples.size() + 1), input,
                                    tuples, tupleSize, 0),
               fill(FillKind::Unique), index(kind));
}

void addNonzeroLarge(CaseList& list) {
  constexpr uint32_t k24 = uint32_t{1} << 24;
  constexpr uint32_t k26 = uint32_t{1} << 26;  // 16,384 tiles of 4,096

  for (DataType type : documentedTypes()) {
    for (uint32_t count : {k24 - 1, k24, k24 + 1}) {
      addNonzero(list, type, {count}, density(500'000));
    }
    addNonzero(list, type, {16, 1024, 1025}, fill(FillKind::Mixed));
  }
  for (const Fill& positions : {fill(FillKind::Zeros), fill(FillKind::All), fill(FillKind::Last),
                                density(10), density(10'000), density(990'000),
                                fill(FillKind::Edges, 4096), fill(FillKind::Runs, 4096)}) {
    addNonzero(list, DataType::Float32, {4, 128, 129, 255}, positions);
    addNonzero(list, DataType::UInt8, {k24 + 3}, positions);
  }
  for (uint32_t power = 1u << 17; power <= k26; power *= 2) {
    for (uint32_t count : {power - 1, power, power + 1}) {
      addNonzero(list, DataType::UInt8, {count}, fill(FillKind::Mixed));
    }
  }
  // Just fills a dispatch dimension, and one element more, for usual group sizes.
  for (uint32_t group : {64u, 128u, 256u, 512u, 1024u}) {
    for (uint32_t count : {65'535 * group, 65'535 * group + 1}) {
      addNonzero(list, DataType::UInt8, {count}, fill(FillKind::All));
    }
  }
  for (uint32_t count : {k26 - 4096, k26, k26 + 1, k26 + 4097}) {
    addNonzero(list, DataType::UInt8, {count}, density(10'000));
    addNonzero(list, DataType::Int8, {count}, fill(FillKind::Last));
  }
  addNonzero(list, DataType::Float16, {8, 8, 8, 8, 8, 8, 8, 9}, density(500'000));
  addNonzero(list, DataType::Int16, {2, 3, 5, 7, 11, 13, 17, 19}, density(100'000));
  addNonzero(list, DataType::UInt32, {1, 1, 3, 5'592'407}, density(500'000));
}

template <class Operator>
void addGatherLarge(CaseList& list) {
  constexpr uint32_t k24 = uint32_t{1} << 24;
  for (DataType type : sweptTypes<Operator>()) {
    addGather<Operator>(list, type, DataType::UInt32, {1000, 1003}, {k24 + 1}, 2,
                        IndexKind::Random);
    addGather<Operator>(list, type, DataType::Int64, {k24 + 7}, {kMillion}, 1, IndexKind::Negative);
    addGather<Operator>(list, type, DataType::Int32, {4099, 4096}, {5000}, 1, IndexKind::Negative);
  }
  addGather<Operator>(list, DataType::Float32, DataType::UInt64, {kMillion, 16}, {kMillion}, 1,
                      IndexKind::Reversed);
  addGather<Operator>(list, DataType::UInt8, DataType::UInt32, {3, k24 + 13}, {4}, 1,
                      IndexKind::Random);
  addGather<Operator>(list, DataType::Float16, DataType::UInt32, {3, k24 + 13}, {4}, 1,
                      IndexKind::Random);
  addGather<Operator>(list, DataType::Float32, DataType::UInt32, {3, k24 + 4}, {2}, 1,
                      IndexKind::Last);
  addGather<Operator>(list, DataType::Int16, DataType::Int64, {7, 11, 13, 17, 19}, {2100, 1001}, 3,
                      IndexKind::Negative);
  addGather<Operator>(list, DataType::UInt32, DataType::Int32, {5, 6, 7, 8, 9, 10, 11, 6}, {19}, 1,
                      IndexKind::Negative);
}

// Strided inputs: every second element, column-major, one row broadcast.
void addNonzeroLargeStrided(CaseList& list) {
  NonzeroCoordinates stepped = makeNonzero(DataType::UInt16, {4096, 4097}, 2);
  setLayout(stepped.input, LayoutKind::Step, {2});
  list.execute(kNewestLevel, stepped, density(300'000));
  NonzeroCoordinates columns = makeNonzero(DataType::Float32, {4096, 4097}, 2);
  setLayout(columns.input, LayoutKind::Perm, {1, 0});
  list.execute(kNewestLevel, columns, density(300'000));
  NonzeroCoordinates broadcast = makeNonzero(DataType::Float32, {4096, 4097}, 2);
  setLayout(broadcast.input, LayoutKind::Broadcast, {0});
  list.execute(kNewestLevel, broadcast, density(300'000));
  for (uint32_t group : kGroups) {
    NonzeroCoordinates op = makeNonzero(DataType::UInt8, {65'535 * group + 1}, 1);
    setLayout(op.input, LayoutKind::Step, {2});
    list.execute(kNewestLevel, op, density(500'000));
  }
}

template <class Operator>
void addGatherLargeStrided(CaseList& list) {
  Operator transposed =
      makeVaried<Operator>(DataType::Float16, DataType::UInt32, 2, {4096, 4097}, {4096}, 1, 1);
  setLayout(transposed.output, LayoutKind::Perm, reversedAxes(transposed.output.sizes.size()));
  list.execute(kNewestLevel, transposed, fill(FillKind::Unique), index(IndexKind::Random));
  // One scalar more than 65,535 groups have threads, adjacent and strided.
  for (uint32_t group : kGroups) {
    const auto scalars = makeVaried<Operator>(DataType::UInt8, DataType::UInt32, 2, {251},
                                              {65'535 * group / largeBatches<Operator> + 1}, 1, 0);
    Operator apart = scalars;
    setLayout(apart.output, LayoutKind::Step, {2});
    for (const Operator& op : {scalars, apart}) {
      list.execute(kNewestLevel, op, fill(FillKind::Unique), index(IndexKind::Random));
    }
  }
}

}  // namespace

void addLarge(CaseList& list) {
  for (const OperatorFacts* op : list.operatorsBackwards()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherLarge<Operator>(list); },
        [&](const auto&) { addNonzeroLarge(list); });
  }
  for (const OperatorFacts* op : list.operatorsBackwards()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherLargeStrided<Operator>(list); },
        [&](const auto&) { addNonzeroLargeStrided(list); });
  }
}

}  // namespace dmlcts
