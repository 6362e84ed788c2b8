// Strided tensors larger than a tile of 16,384 elements, than 65,535 groups of one, and than 65,535
// groups of 16. A kernel then starts another tile, row of groups or pass, and computes addresses
// differently than for packed elements.

#include <array>
#include <bit>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

// A line and a rectangle with about the same number of elements.
struct Shape {
  uint32_t line;
  Sizes rectangle;
};
const std::array<Shape, 3> kLargeShapes{
    {{16'385, {145, 113}}, {65'537, {257, 256}}, {1'048'577, {1024, 1025}}}};

// Adds every type. The largest shape gets one type per layout, in rotation.
template <class Add>
void forEachType(const Shape& shape, const std::vector<DataType>& types, uint64_t& i,
                 const Add& add) {
  const bool isLargest = shape.line == kLargeShapes.back().line;
  for (size_t k = 0; k < types.size(); ++k) {
    if (!isLargest || k == i % types.size()) add(types[k]);
  }
  ++i;
}

template <class Operator>
void addGather(CaseList& list, Operator op, TensorDesc Operator::* tensor, LayoutKind kind,
               const Sizes& arguments) {
  setLayout(op.*tensor, kind, arguments);
  list.execute(kNewestLevel, std::move(op), fill(FillKind::Unique), index(IndexKind::Random));
}

// Adds columns first, of inputs that a kernel may read otherwise than small packed ones: strided,
// or of more than 2^21 elements.
void addNonzeroColumnsFirst(CaseList& list) {
  const auto add = [&list](NonzeroCoordinates op, uint64_t millionths) {
    setLayout(op.coords, LayoutKind::Perm, reversedAxes(op.coords.sizes.size()));
    list.execute(kNewestLevel, std::move(op), density(millionths));
  };
  const auto strided = [&](DataType type, const Sizes& sizes, LayoutKind kind,
                           const Sizes& arguments, uint64_t millionths) {
    auto op = makeNonzero(type, sizes, static_cast<uint32_t>(sizes.size()));
    setLayout(op.input, kind, arguments);
    add(std::move(op), millionths);
    list.keepInSmoke();
  };
  strided(DataType::UInt8, {145, 116}, LayoutKind::Pad, {5}, 500'000);
  strided(DataType::Float16, {33, 4, 173}, LayoutKind::Perm, {2, 0, 1}, 300'000);
  strided(DataType::Float32, {1, 68, 1031}, LayoutKind::Perm, {2, 1, 0}, 10'000);
  add(makeNonzero(DataType::UInt8, {1052, 2003}, 2), 500'000);
}

void addNonzeroLargeLayouts(CaseList& list) {
  using Op = NonzeroCoordinates;
  struct Large {
    TensorDesc Op::* tensor;
    LayoutKind kind;
    Sizes arguments;
    bool isKept = false;
  };
  // Element groups and columns that are strided. Smoke has no other such case of several tiles.
  const std::vector<Large> layouts{
      {&Op::input, LayoutKind::Step, {3}, true}, {&Op::input, LayoutKind::Perm, {1, 0}},
      {&Op::input, LayoutKind::Pad, {5}},        {&Op::input, LayoutKind::Broadcast, {0}},
      {&Op::coords, LayoutKind::Step, {2}},      {&Op::coords, LayoutKind::Perm, {1, 0}, true},
      {&Op::coords, LayoutKind::Pad, {1}}};
  const std::vector<DataType> types{DataType::UInt8, DataType::Float16, DataType::Float32};
  uint64_t i = 0;
  for (const Shape& shape : kLargeShapes) {
    for (const Large& large : layouts) {
      forEachType(shape, types, i, [&](DataType type) {
        Op op = large.kind == LayoutKind::Step ? makeNonzero(type, {shape.line}, 1)
                                               : makeNonzero(type, shape.rectangle, 2);
        setLayout(op.*large.tensor, large.kind, large.arguments);
        list.execute(kNewestLevel, std::move(op), density(300'000));
        if (large.isKept && &shape != &kLargeShapes.back()) list.keepInSmoke();
      });
    }
  }
  addNonzeroColumnsFirst(list);
}

template <class Operator>
void addGatherLargeLayouts(CaseList& list) {
  using Op = Operator;
  const std::vector<DataType> types{DataType::UInt8, DataType::Float16, DataType::UInt32,
                                    DataType::Float64};
  uint64_t i = 0;
  for (const Shape& shape : kLargeShapes) {
    const auto each = [&](const auto& add) { forEachType(shape, types, i, add); };
    const uint32_t line = shape.line / largeBatches<Op> + 1;
    const Sizes rectangle{shape.rectangle[0] / largeBatches<Op> + 1, shape.rectangle[1]};
    // For the largest shape, indices are most of the data. One operator uses 64-bit indices where
    // the other uses 32-bit ones.
    const auto indexTypeOf = [&](DataType type) {
      if (&shape != &kLargeShapes.back()) {
        return rotate(indexTypes(kNewestLevel), i + std::countr_zero(info(type).bytes));
      }
      const bool isNarrow = i % 2 == (largeBatches<Op> == 1 ? 0 : 1);
      return isNarrow ? rotate(std::vector{DataType::UInt32, DataType::Int32}, i)
                      : rotate(std::vector{DataType::UInt64, DataType::Int64}, i);
    };
    // `line` scalars from a small input.
    const auto scalars = [&](DataType type) {
      return makeVaried<Op>(type, indexTypeOf(type), 2, {19, 53}, {line}, 2, 0);
    };
    // Rows of a rectangle, to an output of the same size.
    const auto rows = [&](DataType type) {
      return makeVaried<Op>(type, indexTypeOf(type), 2, rectangle, {rectangle[0]}, 1, 0);
    };
    // 999 scalars from a rectangle.
    const auto sparse = [&](DataType type) {
      return makeVaried<Op>(type, indexTypeOf(type), 2, rectangle, {999}, 2, 0);
    };
    const auto reversed = [](const Op& op, TensorDesc Op::* tensor) {
      return reversedAxes((op.*tensor).sizes.size());
    };
    each([&](auto type) { addGather(list, scalars(type), &Op::indices, LayoutKind::Step, {2}); });
    each([&](auto type) {
      const Op op = scalars(type);
      addGather(list, op, &Op::indices, LayoutKind::Perm, reversed(op, &Op::indices));
    });
    each([&](auto type) { addGather(list, scalars(type), &Op::output, LayoutKind::Step, {3}); });
    for (LayoutKind kind : {LayoutKind::Perm, LayoutKind::Pad}) {
      for (auto tensor : {&Op::input, &Op::output}) {
        each([&](auto type) {
          const Op op = rows(type);
          addGather(list, op, tensor, kind,
                    kind == LayoutKind::Perm ? reversed(op, tensor) : Sizes{5});
          // Transposed blocks: tensors of other smoke cases are too small for them.
          if (&shape == kLargeShapes.data() && kind == LayoutKind::Perm && info(type).bytes >= 4) {
            list.keepInSmoke();
          }
        });
      }
      each([&](auto type) {
        const Op op = sparse(type);
        addGather(list, op, &Op::input, kind,
                  kind == LayoutKind::Perm ? reversed(op, &Op::input) : Sizes{5});
      });
    }
  }
}

}  // namespace

void addLargeLayouts(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherLargeLayouts<Operator>(list); },
        [&](const auto&) { addNonzeroLargeLayouts(list); });
  }
}

}  // namespace dmlcts
