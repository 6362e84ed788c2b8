#include "reference/stream.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference/address_runs.h"
#include "reference/element.h"
#include "reference/operators.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Evaluates whole tensors at once and returns parts of the result.
class WholeStream : public OutputStream {
 public:
  WholeStream(const Descriptor& descriptor, const std::vector<InputElements>& elements) {
    std::vector<std::vector<uint8_t>> inputs;
    for (const TensorSlot& slot : tensors(descriptor)) {
      if (slot.isOutput) {
        widths_.push_back(info(slot.desc->type).bytes);
        continue;
      }
      const uint32_t width = info(slot.desc->type).bytes;
      std::vector<uint8_t>& bytes = inputs.emplace_back(slot.desc->totalBytes);
      const AddressRuns addresses(*slot.desc);
      const uint64_t count = elementCount(slot.desc->sizes).value();
      for (uint64_t element = 0; element < count; ++element) {
        uint64_t bits = 0;
        elements[inputs.size() - 1](element, {&bits, 1});
        storeBits(bytes, addresses.addressOf(element) * width, width, bits);
      }
    }
    outputs_ = evaluate(descriptor, inputs);
  }

  ReferenceOutput part(size_t output, uint64_t first, uint64_t count) const override {
    const ReferenceOutput& whole = outputs_[output];
    const uint32_t width = widths_[output];
    const auto begin = whole.bytes.begin() + static_cast<std::ptrdiff_t>(first);
    ReferenceOutput result{{begin, begin + static_cast<std::ptrdiff_t>(count)},
                           ByteStatuses(count, width)};
    const auto statuses = whole.status.elements().subspan(first / width);
    std::copy_n(statuses.begin(), result.status.elements().size(),
                result.status.elements().begin());
    return result;
  }

 private:
  std::vector<uint32_t> widths_;  // of the outputs' elements
  std::vector<ReferenceOutput> outputs_;
};

}  // namespace

void oneByOne(uint64_t count, const std::function<void(uint64_t)>& work) {
  for (uint64_t i = 0; i < count; ++i) work(i);
}

bool streams(const Descriptor& descriptor) {
  return visitEntry(kOracle, descriptor,
                    [](const auto& entry, const auto&) { return entry.stream != nullptr; });
}

std::unique_ptr<OutputStream> stream(const Descriptor& descriptor,
                                     std::vector<InputElements> inputs, const ForEach& forEach) {
  requireValid(descriptor);
  if (!streams(descriptor)) return std::make_unique<WholeStream>(descriptor, inputs);
  return visitEntry(kOracle, descriptor, [&](const auto& entry, const auto& op) {
    return entry.stream(op, std::move(inputs), forEach);
  });
}

}  // namespace dmlcts
