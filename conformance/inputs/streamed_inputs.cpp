#include "conformance/inputs/streamed_inputs.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/element_text.h"
#include "reference/address_runs.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// True if elements share addresses other than by a stride of 0.
bool overlapsByStrides(TensorDesc tensor) {
  if (!tensor.strides) return false;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if ((*tensor.strides)[axis] == 0) tensor.sizes[axis] = 1;
  }
  return elementsOverlap(tensor).value_or(true);
}

class Computed : public StreamedInput {
 public:
  Computed(const TensorDesc& tensor, InputContent content)
      : width_(info(tensor.type).bytes),
        total_(tensor.totalBytes),
        content_(std::move(content)),
        addresses_(tensor),
        repeats_(tensor.strides && std::ranges::find(*tensor.strides, 0u) != tensor.strides->end()),
        firstGap_(tensor.strides ? 0 : elementCount(tensor.sizes).value() * width_ / 8) {}

  void elements(uint64_t first, std::span<uint64_t> bits) const override {
    if (!repeats_) return content_.elements(first, 1, bits);
    for (uint64_t i = 0; i < bits.size(); ++i) {
      content_.elements(addresses_.lastAtSameAddress(first + i), 1, bits.subspan(i, 1));
    }
  }

  void bytes(uint64_t first, std::span<uint8_t> bytes) const override {
    const uint64_t end = first + bytes.size();
    for (uint64_t word = std::max(firstGap_, first / 8); word * 8 < end; ++word) {
      const auto count = static_cast<uint32_t>(std::min<uint64_t>(8, total_ - word * 8));
      storeBits(bytes, word * 8 - first,
                std::min<uint32_t>(count, static_cast<uint32_t>(end - word * 8)),
                content_.gap(word));
    }
    addresses_.within(first / width_, end / width_, [&](const AddressRun& run) {
      std::array<uint64_t, 1024> block;
      for (uint64_t from = 0; from < run.count; from += block.size()) {
        const auto bits =
            std::span(block).first(std::min<uint64_t>(block.size(), run.count - from));
        content_.elements(run.element + from * run.step, run.step, bits);
        for (uint64_t i = 0; i < bits.size(); ++i) {
          storeBits(bytes, (run.address + (from + i) * run.stride) * width_ - first, width_,
                    bits[i]);
        }
      }
    });
  }

 private:
  uint32_t width_;
  uint64_t total_;
  InputContent content_;
  AddressRuns addresses_;
  bool repeats_;
  uint64_t firstGap_;  // in words
};

class Held : public StreamedInput {
 public:
  Held(const TensorDesc& tensor, std::vector<uint8_t> bytes)
      : width_(info(tensor.type).bytes), addresses_(tensor), bytes_(std::move(bytes)) {}

  void elements(uint64_t first, std::span<uint64_t> bits) const override {
    for (uint64_t i = 0; i < bits.size(); ++i) {
      bits[i] = loadBits(bytes_, addresses_.addressOf(first + i) * width_, width_);
    }
  }

  void bytes(uint64_t first, std::span<uint8_t> bytes) const override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(first), bytes.size(), bytes.begin());
  }

 private:
  uint32_t width_;
  AddressRuns addresses_;
  std::vector<uint8_t> bytes_;
};

// True if the fill can produce a NaN or a denormal of the type. Inferred rules explain these
// (explain() in evaluate.h), which needs whole tensors.
bool needsExplanation(const Fill& fill, DataType type) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
    case FillKind::Ones:
    case FillKind::Ramp:
      return false;
    case FillKind::Values:
      return std::ranges::any_of(fill.values, [type](uint64_t bits) {
        return floatFormat(type).isNan(bits) || floatFormat(type).isDenormal(bits);
      });
    default:
      return true;
  }
}

}  // namespace

uint64_t tensorBytes(const Case& testCase) {
  uint64_t bytes = 0;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) bytes += slot.desc->totalBytes;
  return bytes;
}

std::optional<std::string> streamProblem(const Case& testCase) {
  if (tensorBytes(testCase) <= kMostHeldBytes) return std::nullopt;
  const std::string why = "its tensors are too large to be held, and ";
  if (!streams(testCase.descriptor)) {
    return why + std::string(operatorName(testCase.descriptor)) + " is evaluated as a whole only";
  }
  const auto slots = tensors(testCase.descriptor);
  for (const TensorSlot& slot : slots) {
    if (!slot.isOutput && overlapsByStrides(*slot.desc)) {
      return why + "the strides of " + std::string(slot.name) + " make elements share addresses";
    }
  }
  if (needsExplanation(testCase.fill, slots[0].desc->type)) {
    return why + "fill=" + std::string(info(testCase.fill.kind).name) +
           " has NaNs or denormals, of which only whole tensors tell what became; zeros, "
           "minuszero, ones, ramp and values(…) have none";
  }
  return std::nullopt;
}

std::vector<std::unique_ptr<StreamedInput>> streamInputs(const Case& testCase) {
  if (const auto problem = inputProblem(testCase)) throw std::invalid_argument(*problem);
  if (const auto problem = streamProblem(testCase)) throw std::invalid_argument(*problem);
  std::vector<std::unique_ptr<StreamedInput>> inputs;
  const auto slots = tensors(testCase.descriptor);
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot].isOutput) continue;
    const TensorDesc& tensor = *slots[slot].desc;
    if (overlapsByStrides(tensor)) {
      inputs.push_back(std::make_unique<Held>(tensor, makeInputs(testCase)[slot]));
    } else {
      inputs.push_back(std::make_unique<Computed>(tensor, inputContent(testCase, slot)));
    }
  }
  return inputs;
}

}  // namespace dmlcts
