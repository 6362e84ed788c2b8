#include "fuzz/generators.h"

#include <algorithm>

#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"

namespace dmlcts {
namespace {

uint32_t nearby(Choices& choices, uint32_t value) {
  switch (choices.below(8)) {
    case 0:
    case 1:
      return value + 1;
    case 2:
    case 3:
      return value - 1;  // wraps from 0 to the largest
    case 4:
      return 0;
    case 5:
      return value * 2;
    case 6:
      return choices.between(0, 9);
    default:
      return choices.of({UINT32_MAX, 0x80000000u, 0x7fffffffu, 65536u});
  }
}

DataType otherType(Choices& choices) { return choices.of(kDataTypes).type; }

void changeTotal(Choices& choices, TensorDesc& tensor) {
  const uint64_t least = defaultTotalBytes(tensor);
  tensor.totalBytes = choices.of<uint64_t>(
      {least - 4, least + 4, least / 2, 0, 4, uint64_t{UINT32_MAX} - 3, uint64_t{1} << 32,
       (uint64_t{1} << 32) + least, (uint64_t{1} << 35) - 4, uint64_t{1} << 35, uint64_t{1} << 63});
}

// Changes GuaranteedBaseOffsetAlignment or Flags.
void changeBuffer(Choices& choices, TensorDesc& tensor) {
  if (choices.oneIn(2)) {
    tensor.flags ^= kOwnedByDml;
  } else {
    tensor.baseOffsetAlignment =
        choices.of({1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u, 32u, 48u, 256u, 65536u, UINT32_MAX});
  }
}

// Adds strides if there are none; else changes one or removes all.
void changeStrides(Choices& choices, TensorDesc& tensor) {
  if (tensor.sizes.empty()) return;
  if (!tensor.strides) {
    tensor.strides = layoutStrides({LayoutKind::Packed, {}}, tensor.sizes);
    if (!tensor.strides) tensor.strides.emplace(tensor.sizes.size(), 1);
  } else if (choices.oneIn(6)) {
    tensor.strides.reset();
    return;
  }
  uint32_t& stride = (*tensor.strides)[choices.below(tensor.strides->size())];
  stride = nearby(choices, stride);
}

void changeRank(Choices& choices, TensorDesc& tensor) {
  if (choices.oneIn(2)) {
    tensor.sizes.insert(tensor.sizes.begin(), 1);
    if (tensor.strides) tensor.strides->insert(tensor.strides->begin(), choices.between(0, 3));
  } else if (!tensor.sizes.empty()) {
    tensor.sizes.erase(tensor.sizes.begin());
    if (tensor.strides) tensor.strides->erase(tensor.strides->begin());
  }
}

}  // namespace

void mutate(Choices& choices, Case& testCase) {
  const auto descs = mutableTensors(testCase.descriptor);
  TensorDesc& tensor = *choices.of(descs);
  const auto counts = dimensionCounts(testCase.descriptor);
  const bool refit = !choices.oneIn(5);
  switch (choices.below(counts.empty() ? 10 : 12)) {
    case 0:
    case 1: {
      const DataType before = tensor.type;
      tensor.type = otherType(choices);
      if (choices.oneIn(2)) break;
      for (TensorDesc* each : descs) {  // keeps equal types equal
        if (each->type == before) each->type = tensor.type;
      }
      break;
    }
    case 2:
    case 3:
      if (!tensor.sizes.empty()) {
        uint32_t& size = tensor.sizes[choices.below(tensor.sizes.size())];
        size = nearby(choices, size);
      }
      break;
    case 4:
    case 5:
      changeStrides(choices, tensor);
      break;
    case 6:
      changeTotal(choices, tensor);
      return;
    case 7:
      if (choices.oneIn(2)) {
        changeRank(choices, tensor);
      } else {
        for (TensorDesc* each : descs) {
          each->sizes.insert(each->sizes.begin(), 1);
          if (each->strides) each->strides->insert(each->strides->begin(), 0);
        }
      }
      break;
    case 8:
      testCase.level = choices.of(kLevels);
      break;
    case 9:
      changeBuffer(choices, tensor);
      break;
    default: {
      uint32_t& count = *choices.of(counts);
      count = nearby(choices, count);
    }
  }
  if (refit) {
    for (TensorDesc* each : descs)
      each->totalBytes = std::max(each->totalBytes, defaultTotalBytes(*each));
    if (choices.oneIn(2)) tensor.totalBytes = defaultTotalBytes(tensor);
  }
}

}  // namespace dmlcts
