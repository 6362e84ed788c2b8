// Buffer properties besides elements: the binding offset, a GuaranteedBaseOffsetAlignment that the
// binding just meets, OWNED_BY_DML on inputs, and the largest possible total. The last two are
// created but not executed: one is bound at initialization, the other fits no device.

#include <algorithm>
#include <set>

#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"

namespace dmlcts {
namespace {

void addBufferCases(CaseList& list, Level level, const Descriptor& control, FillKind contents) {
  const auto slots = tensors(control);
  const auto inputs = std::ranges::count(slots, false, &TensorSlot::isOutput);
  for (size_t slot = 0; slot <= slots.size(); ++slot) {  // each alone, then all of them
    const auto changed = [&](const auto& change) {
      Descriptor descriptor = control;
      const auto descs = mutableTensors(descriptor);
      for (size_t i = 0; i < descs.size(); ++i) {
        if (slot == i || slot == slots.size()) change(*descs[i], slots[i].isOutput);
      }
      return descriptor;
    };
    for (uint32_t alignment : {0u, 16u, 32u, 64u, 256u, 4096u, 65536u}) {
      // 0 stands for the element's own width.
      list.execute(level, changed([alignment](TensorDesc& tensor, bool) {
                     tensor.baseOffsetAlignment =
                         alignment == 0 ? info(tensor.type).bytes : alignment;
                   }),
                   fill(contents));
    }
    if (slot == slots.size() ? inputs > 1 : !slots[slot].isOutput) {
      list.accept(level, changed([](TensorDesc& tensor, bool isOutput) {
                    if (!isOutput) tensor.flags = kOwnedByDml;
                  }));
    }
    list.accept(level, changed([](TensorDesc& tensor, bool) {
                  // The largest multiple of 4 that is no more than 2^32 - 1 elements.
                  tensor.totalBytes = uint64_t{UINT32_MAX} * info(tensor.type).bytes / 4 * 4;
                }));
  }
}

// Offsets at and next to those that a driver may assume: each tensor alone, then all.
void addOffsetCases(CaseList& list, const Descriptor& control, FillKind contents) {
  std::vector<uint32_t> offsets;
  for (uint32_t offset = 0; offset <= 256; offset += 16) offsets.push_back(offset);
  for (uint32_t page : {4096u, 65536u}) {
    for (uint32_t offset : {page - 16, page, page + 16}) offsets.push_back(offset);
  }
  const size_t slots = tensors(control).size();
  for (size_t slot = 0; slot <= slots; ++slot) {
    for (uint32_t offset : offsets) {
      list.execute(kLevels.back(), control, fill(contents));
      for (size_t i = 0; i < slots; ++i) {
        if (slot == i || slot == slots) list.bindAt(i, offset);
      }
    }
  }
}

}  // namespace

void addBuffers(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    addBufferCases(list, kLevels.back(),
                   partsOf(*op).breakable(DataType::Float32, 8, kLevels.back()).front().control,
                   partsOf(*op).controlFill);
    std::set<uint32_t> widths;  // widths already covered by offset cases
    for (DataType type : op->dataTypes(kLevels.back())) {
      for (Level level : {kLevels.front(), Level::L3_0, kLevels.back()}) {
        const auto types = op->dataTypes(level);
        if (std::ranges::find(types, type) == types.end()) continue;
        const auto control = partsOf(*op).breakable(type, 4, level).front().control;
        addBufferCases(list, level, control, partsOf(*op).controlFill);
        if (level == kLevels.back() && widths.insert(info(type).bytes).second) {
          addOffsetCases(list, control, partsOf(*op).controlFill);
        }
      }
    }
  }
}

}  // namespace dmlcts
