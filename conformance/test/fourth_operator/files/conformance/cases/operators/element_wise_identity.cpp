#include "conformance/cases/operators/element_wise_identity.h"

#include <algorithm>

#include "conformance/cases/families/broken.h"
#include "conformance/cases/families/case_list.h"
#include "conformance/cases/operators/smaller_sizes.h"

namespace dmlcts {

using P = Parameter;

ElementWiseIdentity makeIdentity(DataType type, const Sizes& sizes) {
  ElementWiseIdentity op;
  op.input.type = op.output.type = type;
  resize(op.input, sizes);
  resize(op.output, sizes);
  return op;
}

std::vector<DataType> identityTypes(Level level) {
  return level < Level::L4_0 ? std::vector<DataType>() : documentedTypes();
}

std::vector<uint32_t> identityRanks(Level level) {
  return level < Level::L4_0 ? std::vector<uint32_t>()
                             : std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8};
}

std::span<const Constraint> identityConstraints() {
  static const std::vector<Constraint> all{
      {"a single dimension is packed, step or broadcast",
       {P::Rank, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && needsTwoDimensions(at(l, P::OutputLayout));
       }},
      {"one element is packed in any order",
       {P::Size, P::OutputLayout},
       [](const Labels& l) { return at(l, P::Size) == One && isPerm(at(l, P::OutputLayout)); }},
      {"elements of an output do not share an address",
       {P::Rank, P::Size, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && at(l, P::Size) != One &&
                at(l, P::OutputLayout) == static_cast<uint8_t>(LayoutKind::Broadcast);
       }},
  };
  return all;
}

ElementWiseIdentity generateIdentity(Choices& choices, const Wanted& wanted) {
  const uint32_t rank = at(wanted.labels, P::Rank);
  return makeIdentity(static_cast<DataType>(at(wanted.labels, P::InputType)),
                      choices.sizes(rank, drawElements(choices, wanted)));
}

std::vector<Descriptor> simplerIdentities(const ElementWiseIdentity& op) {
  std::vector<Descriptor> all;
  const auto add = [&](const Sizes& sizes, size_t) {
    all.emplace_back(makeIdentity(op.input.type, sizes));
  };
  forSmaller(op.input.sizes, add);
  if (op.input.sizes.size() > 1) forFewer(op.input.sizes, add);
  return all;
}

namespace {

void add(CaseList& list, Level level, const ElementWiseIdentity& op, const Fill& values) {
  list.execute(level, op, values);
}

void addCell(CaseList& list, Level level, DataType type, uint32_t rank) {
  Sizes sizes(rank, 2);
  sizes.front() = 5;
  ElementWiseIdentity op = makeIdentity(type, sizes);
  list.execute(level, op, fill(FillKind::Unique));
  setLayout(op.input, LayoutKind::Perm, reversedAxes(rank));
  setLayout(op.output, LayoutKind::Step, {2});
  list.execute(level, op, fill(FillKind::Mixed), {}, 1);
}

void addLayouts(CaseList& list, bool isOutput, uint64_t& i) {
  for (LayoutKind kind : {LayoutKind::Perm, LayoutKind::Pad, LayoutKind::Step}) {
    for (DataType type : documentedTypes()) {
      ElementWiseIdentity op = makeIdentity(type, {3, 4, 5});
      setLayout(isOutput ? op.output : op.input, kind,
                kind == LayoutKind::Perm ? rotatedAxes(3) : Sizes{3});
      add(list, Level::L4_0, op, fill(FillKind::Unique));
      ++i;
    }
  }
}

void addTotals(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i) {
  if (which >= 4) return;  // the third tensor
  ElementWiseIdentity op = makeIdentity(rotate(documentedTypes(), i), {length, 3});
  if ((which & 1) != 0) op.input.totalBytes += excess;
  if ((which & 2) != 0) op.output.totalBytes += excess;
  add(list, Level::L6_4, op, fill(FillKind::Unique));
}

std::vector<BreakableDescriptor> breakable(DataType type, uint32_t rank, Level) {
  const ElementWiseIdentity control = makeIdentity(type, Sizes(rank, 2));
  BreakableDescriptor result{control, brokenBuffers(control)};
  using Variants = BrokenVariants<ElementWiseIdentity>;
  const DataType other = type == DataType::UInt8 ? DataType::Int8 : DataType::UInt8;
  Variants("element_wise_identity.output-type", control)
      .add([&](ElementWiseIdentity& wrong) { retype(wrong.output, other); })
      .addTo(result.broken);
  Variants("element_wise_identity.output-sizes", control)
      .add([&](ElementWiseIdentity& wrong) {
        resize(wrong.output, withSize(wrong.output.sizes, 0, 3));
      })
      .addTo(result.broken);
  return {result};
}

void addLevels(CaseList& list, DataType type) {
  const ElementWiseIdentity op = makeIdentity(type, {2, 3});
  list.reject(Level::L3_1, op, "element_wise_identity.available");
  add(list, Level::L4_0, op, fill(FillKind::Unique));
}

void addTypes(CaseList& list, Level level) {
  if (level < Level::L4_0) return;
  for (DataType type : wideTypes()) {
    list.reject(level, makeIdentity(type, {4}), "element_wise_identity.data-types");
  }
}

void addRanks(CaseList& list, Level level, DataType type) {
  if (level < Level::L4_0) return;
  list.reject(level, makeIdentity(type, Sizes(9, 1)), "element_wise_identity.rank");
}

}  // namespace

const FamilyParts kIdentityFamilies{
    .documents =
        [](CaseList& list, Level level) {
          if (level >= Level::L4_0) {
            add(list, level, makeIdentity(DataType::Float32, {2, 2}), fill(FillKind::Ramp));
          }
        },
    .matrix = addCell,
    .attributes = nullptr,
    .columns = nullptr,
    .batches = nullptr,
    .values = [](CaseList& list, DataType type, const Fill& values, uint32_t count,
                 uint64_t) { add(list, Level::L5_0, makeIdentity(type, {count}), values); },
    .positions = nullptr,
    .nonzeroSizes = nullptr,
    .gatherSizes = nullptr,
    .indices = nullptr,
    .inputLayouts = [](CaseList& list, uint64_t& i) { addLayouts(list, false, i); },
    .outputLayouts = [](CaseList& list, uint64_t& i) { addLayouts(list, true, i); },
    .totals = addTotals,
    .breakable = breakable,
    .mostRejections = SIZE_MAX,
    .controlFill = FillKind::Unique,
    .levels = addLevels,
    .undocumentedTypes = addTypes,
    .undocumentedRanks = addRanks,
    .largeLayouts = [](CaseList&) {},
    .large =
        [](CaseList& list) {
          add(list, Level::L6_4, makeIdentity(DataType::UInt8, {1u << 24}), fill(FillKind::Random));
        },
    .largeStrided = [](CaseList&) {}};

}  // namespace dmlcts
