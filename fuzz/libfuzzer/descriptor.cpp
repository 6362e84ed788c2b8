// Any descriptor can be checked; one that is valid and small can be evaluated with any inputs.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>

#include "conformance/cases/operator_syntax.h"
#include "reference/evaluate.h"
#include "reference/rules.h"

namespace {

using namespace dmlcts;

constexpr uint64_t kMostBytes = 1 << 16;

std::vector<uint32_t> numbers(FuzzedDataProvider& bytes, size_t count) {
  std::vector<uint32_t> all(count);
  for (uint32_t& number : all) {
    const bool small = bytes.ConsumeIntegralInRange(0, 7) != 0;
    number =
        small ? bytes.ConsumeIntegralInRange<uint32_t>(0, 5) : bytes.ConsumeIntegral<uint32_t>();
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider bytes(data, size);
  const auto names = operatorNames();
  Descriptor descriptor = *makeOperator(bytes.PickValueInArray({names[0], names[1]}));
  const size_t rank = bytes.ConsumeIntegralInRange<size_t>(0, 9);
  for (TensorDesc* tensor : mutableTensors(descriptor)) {
    tensor->type = static_cast<DataType>(bytes.ConsumeIntegralInRange<int>(0, 11));
    const bool same = bytes.ConsumeIntegralInRange(0, 7) != 0;
    tensor->sizes = numbers(bytes, same ? rank : bytes.ConsumeIntegralInRange<size_t>(0, 9));
    if (bytes.ConsumeBool()) tensor->strides = numbers(bytes, tensor->sizes.size());
    tensor->totalBytes = bytes.ConsumeBool() ? bytes.ConsumeIntegralInRange<uint64_t>(0, 64) * 4
                                             : bytes.ConsumeIntegral<uint64_t>();
  }
  for (uint32_t* count : dimensionCounts(descriptor)) *count = numbers(bytes, 1)[0];
  const Level level = kLevels[bytes.ConsumeIntegralInRange<size_t>(0, kLevels.size() - 1)];

  if (!check(descriptor, level).empty()) return 0;
  std::vector<std::vector<uint8_t>> inputs;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.desc->totalBytes > kMostBytes) return 0;
    if (slot.isOutput) continue;
    auto input = bytes.ConsumeBytes<uint8_t>(slot.desc->totalBytes);
    input.resize(slot.desc->totalBytes);
    inputs.push_back(std::move(input));
  }
  evaluate(descriptor, inputs);
  return 0;
}
