#include "conformance/survey/question.h"

#include <algorithm>

#include "conformance/run/judging/poison.h"
#include "reference/element.h"
#include "reference/evaluate.h"

namespace dmlcts {

namespace {
constexpr uint64_t kOffset = 256;  // of every tensor in its buffer
}  // namespace

gpu::Request requestOf(Descriptor descriptor, const std::vector<std::vector<uint8_t>>& inputs) {
  gpu::Request request;
  request.descriptor = std::move(descriptor);
  size_t slot = 0;
  for (const TensorSlot& each : tensors(request.descriptor)) {
    if (!each.isOutput) {
      std::vector<uint8_t> bytes = inputs.at(slot);
      bytes.resize(each.desc->totalBytes);
      request.inputs.push_back(guardedInput(bytes, kOffset, slot + 1));
    } else {
      const uint64_t total = each.desc->totalBytes;
      const ReferenceOutput undefined{std::vector<uint8_t>(total),
                                      ByteStatuses(total, info(each.desc->type).bytes)};
      request.outputs.push_back(poisonedOutput(each.desc->type, undefined, kOffset, slot + 1));
    }
    ++slot;
  }
  return request;
}

std::vector<uint8_t> packed(DataType type, const std::vector<uint64_t>& elements) {
  const uint32_t width = info(type).bytes;
  std::vector<uint8_t> bytes(elements.size() * width);
  for (size_t i = 0; i < elements.size(); ++i) storeBits(bytes, i * width, width, elements[i]);
  return bytes;
}

uint64_t elementAt(const std::vector<uint8_t>& image, uint64_t offset, DataType type,
                   int64_t index) {
  const uint32_t width = info(type).bytes;
  return loadBits(image, offset + static_cast<uint64_t>(index) * width, width);
}

std::string touched(const gpu::Request& request, const gpu::Answer& answer, size_t output,
                    uint64_t from, uint64_t to) {
  const gpu::BufferImage& image = request.outputs[output];
  uint64_t changed = 0;
  for (uint64_t at = from; at < to; ++at) {
    changed += image.bytes[image.offset + at] != answer.outputs[output][image.offset + at];
  }
  // A written byte may equal the previous one, once in 256.
  return changed == 0 ? "untouched" : changed > (to - from) * 3 / 4 ? "written" : "partly written";
}

}  // namespace dmlcts
