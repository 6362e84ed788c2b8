// Interprets bytes as a descriptor that is valid or a few changes away. check() accepts any. The
// d3d12 planner accepts exactly the valid ones. Valid ones can be planned for any limits and, if
// small, evaluated with any inputs. Memory use is bounded by the descriptor.

#include <fuzzer/FuzzedDataProvider.h>
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/generate.h"
#include "fuzz/libfuzzer/one_second.h"
#include "gpu/operators/operators.h"
#include "reference/evaluate.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace {

using namespace dmlcts;

constexpr uint64_t kMostEvaluated = 1 << 16;  // bytes of all tensors
constexpr uint64_t kMostToCheck = 1 << 16;    // bytes allocated, mainly for messages
constexpr uint64_t kMostPlanned = 16;  // windows of a view; more take long and test nothing more

// Total bytes allocated since `watching` began, an upper bound for memory in use.
uint64_t allocated = 0;
bool watching = false;

void countAllocation(const volatile void*, size_t size) {
  if (watching) allocated += size;
}
void ignoreFree(const volatile void*) {}

template <class Work>
void allocatesAtMost(uint64_t bytes, const char* what, const Work& work) {
  [[maybe_unused]] static const int hooks =
      __sanitizer_install_malloc_and_free_hooks(countAllocation, ignoreFree);
  allocated = 0;
  watching = true;
  work();
  watching = false;
  if (allocated > bytes) {
    std::fprintf(stderr, "%s allocated %llu bytes, more than %llu\n", what,
                 static_cast<unsigned long long>(allocated),
                 static_cast<unsigned long long>(bytes));
    std::abort();
  }
}

class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(FuzzedDataProvider& bytes) : bytes_(bytes) {}

  uint64_t below(uint64_t bound) override {
    return bytes_.ConsumeIntegralInRange<uint64_t>(0, bound - 1);
  }

 private:
  FuzzedDataProvider& bytes_;
};

uint32_t number(FuzzedDataProvider& bytes) {
  return bytes.ConsumeIntegralInRange(0, 7) != 0 ? bytes.ConsumeIntegralInRange<uint32_t>(0, 9)
                                                 : bytes.ConsumeIntegral<uint32_t>();
}

Descriptor valid(FuzzedDataProvider& bytes, Level level) {
  ByteChoices choices(bytes);
  const uint64_t most = choices.oneIn(4) ? uint64_t{1} << 31 : 256;
  return generate(choices, anythingAt(level, 1 + choices.below(most)));
}

void change(FuzzedDataProvider& bytes, Descriptor& descriptor) {
  const auto all = mutableTensors(descriptor);
  TensorDesc& tensor = *all[bytes.ConsumeIntegralInRange<size_t>(0, all.size() - 1)];
  const auto any = [&](std::vector<uint32_t>& list) -> uint32_t* {
    return list.empty() ? nullptr : &list[bytes.ConsumeIntegralInRange<size_t>(0, list.size() - 1)];
  };
  switch (bytes.ConsumeIntegralInRange(0, 8)) {
    case 0:
      tensor.type = static_cast<DataType>(bytes.ConsumeIntegralInRange<int>(0, 12));
      break;
    case 1:
      if (uint32_t* size = any(tensor.sizes)) *size = number(bytes);
      break;
    case 2:
      tensor.strides.emplace(bytes.ConsumeIntegralInRange<size_t>(0, 9));
      for (uint32_t& stride : *tensor.strides) stride = number(bytes);
      break;
    case 3:
      if (tensor.strides && any(*tensor.strides)) *any(*tensor.strides) = number(bytes);
      break;
    case 4: {
      const auto strides = layoutStrides({LayoutKind::Packed, {}}, tensor.sizes);
      tensor.strides = strides;
      if (strides && !strides->empty()) {
        for (uint32_t& stride : *tensor.strides) stride *= bytes.ConsumeIntegralInRange(1, 3);
      }
      break;
    }
    case 5:
      tensor.sizes.resize(bytes.ConsumeIntegralInRange<size_t>(0, 9), 1);
      break;
    case 6:
      tensor.totalBytes = bytes.ConsumeBool() ? bytes.ConsumeIntegral<uint64_t>()
                                              : tensor.totalBytes + number(bytes);
      return;
    case 7:
      tensor.baseOffsetAlignment = number(bytes);
      tensor.flags = bytes.ConsumeIntegralInRange<uint32_t>(0, 3);
      return;
    default:
      for (uint32_t* count : dimensionCounts(descriptor)) *count = number(bytes);
  }
  if (bytes.ConsumeBool()) tensor.totalBytes = defaultTotalBytes(tensor);
}

gpu::PlanLimits limits(FuzzedDataProvider& bytes) {
  gpu::PlanLimits all;
  if (bytes.ConsumeBool()) return all;
  all.maxGroupsPerDimension = bytes.ConsumeIntegralInRange<uint32_t>(512, 65535);
  all.maxViewTexels = bytes.ConsumeIntegralInRange<uint64_t>(1 << 14, all.maxViewTexels);
  all.maxViewBytes = bytes.ConsumeIntegralInRange<uint64_t>(1 << 18, all.maxViewBytes);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OneSecond limit;
  FuzzedDataProvider bytes(data, size);
  const Level level = kLevels[bytes.ConsumeIntegralInRange<size_t>(0, kLevels.size() - 1)];
  Descriptor descriptor = valid(bytes, level);
  for (int i = bytes.ConsumeIntegralInRange(0, 3); i > 0; --i) change(bytes, descriptor);

  bool isValid = false;
  bool isDecided = true;
  allocatesAtMost(kMostToCheck, "check", [&] {
    const auto broken = check(descriptor, level);
    isValid = broken.empty();
    isDecided = std::ranges::find(broken, "tensor.overlap-decided", [](const BrokenRule& each) {
                  return each.rule->id;
                }) == broken.end();
  });
  if (!isDecided) return 0;
  bool isAccepted = false;
  allocatesAtMost(1 << 14, "accepts", [&] { isAccepted = gpu::accepts(descriptor, level); });
  if (isAccepted != isValid) std::abort();
  if (!isValid) return 0;

  const gpu::PlanLimits planLimits = limits(bytes);
  uint64_t total = 0;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.desc->totalBytes > uint64_t{1} << 33) return 0;
    total += slot.desc->totalBytes;
  }
  if (total / planLimits.rawWindow() > kMostPlanned) return 0;
  gpu::Plan plan;
  try {
    plan = gpu::planOf(descriptor, planLimits);
  } catch (const std::length_error&) {
  }
  for (const gpu::Pass& pass : plan.passes) {
    if (pass.groupsX == 0 || pass.groupsX > planLimits.maxGroupsPerDimension || pass.groupsY == 0 ||
        pass.groupsY > planLimits.maxGroupsPerDimension) {
      std::abort();
    }
    const auto slots = tensors(descriptor);
    for (const gpu::Binding& binding : pass.bindings) {
      using Kind = gpu::Memory::Kind;
      const Kind kind = binding.memory.kind;
      uint64_t end = kind == Kind::State ? plan.stateBytes : plan.temporaryBytes;
      if (kind == Kind::Input || kind == Kind::Output) {
        const bool output = kind == Kind::Output;
        uint32_t number = binding.memory.slot;
        for (const TensorSlot& slot : slots) {
          if (slot.isOutput == output && number-- == 0) end = slot.desc->totalBytes;
        }
      }
      // A texel may begin inside the tensor and end in the executor's padding.
      if (binding.offset + binding.bytes > (end + 15) / 16 * 16) std::abort();
    }
  }

  if (total > kMostEvaluated) return 0;
  std::vector<std::vector<uint8_t>> inputs;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.isOutput) continue;
    auto input = bytes.ConsumeBytes<uint8_t>(slot.desc->totalBytes);
    input.resize(slot.desc->totalBytes);
    inputs.push_back(std::move(input));
  }
  allocatesAtMost(16 * total + (1 << 12) + kMostToCheck, "evaluate",
                  [&] { evaluate(descriptor, inputs); });
  return 0;
}
