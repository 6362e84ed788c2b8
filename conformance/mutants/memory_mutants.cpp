// Mutants of memory access: strides ignored, gaps and neighbours overwritten.

#include <algorithm>

#include "conformance/language/operator_syntax.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/evaluate.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

Mutation stridesForgotten(std::string_view slotName) {
  return {.before = [slotName](Passage& passage) { forgetStrides(passage, slotName); }};
}

const Signs kAlsoGaps{.kinds = {kind::kWrongElements, kind::kPaddingBytes}};
const Signs kGaps{.kinds = {kind::kPaddingBytes}};
const Signs kOutside{.kinds = {kind::kGuardBytes}};

// Overwrites the output buffer bytes outside elements that `chosen` selects.
Mutation bytesOverwritten(bool (*chosen)(const gpu::BufferImage& image, uint64_t at,
                                         uint64_t elementsEnd)) {
  return {.after = [chosen](Passage& passage) {
    const auto expected = evaluate(passage.descriptor, passage.inputs);
    for (size_t i = 0; i < passage.outputs.size(); ++i) {
      gpu::BufferImage& image = passage.outputs[i];
      const auto& status = expected[i].status;
      uint64_t end = image.size;
      while (end > 0 && status[end - 1] == ByteStatus::Untouched) --end;
      for (uint64_t at = 0; at < image.bytes.size(); ++at) {
        const bool inTensor = at >= image.offset && at < image.offset + image.size;
        if (inTensor && status[at - image.offset] != ByteStatus::Untouched) continue;
        if (chosen(image, at, image.offset + end)) image.bytes[at] ^= 0xFF;
      }
    }
  }};
}

// Reads inputs as if their offsets were multiples of `multiple`, rounded down.
Mutation inputsAligned(uint64_t multiple) {
  return {.before = [multiple](Passage& passage) {
    for (size_t i = 0; i < passage.inputs.size(); ++i) {
      const gpu::BufferImage& image = passage.request.inputs[i];
      const auto begin =
          image.bytes.begin() + static_cast<ptrdiff_t>(image.offset / multiple * multiple);
      passage.inputs[i].assign(begin, begin + static_cast<ptrdiff_t>(image.size));
    }
  }};
}

// Takes tensor addresses modulo `bytes`.
Mutation addressesWrapped(uint64_t bytes) {
  return {.before =
              [bytes](Passage& passage) {
                for (std::vector<uint8_t>& input : passage.inputs) {
                  for (uint64_t at = bytes; at < input.size(); ++at) input[at] = input[at % bytes];
                }
              },
          .after =
              [bytes](Passage& passage) {
                for (size_t i = 0; i < passage.outputs.size(); ++i) {
                  gpu::BufferImage& image = passage.outputs[i];
                  if (image.size <= bytes) continue;
                  const std::vector<uint8_t>& before = passage.request.outputs[i].bytes;
                  for (uint64_t at = image.offset + bytes; at < image.offset + image.size; ++at) {
                    if (image.bytes[at] == before[at]) continue;  // not written
                    image.bytes[image.offset + (at - image.offset) % bytes] = image.bytes[at];
                    image.bytes[at] = before[at];
                  }
                }
              }};
}

}  // namespace

std::vector<Mutant> memoryMutants() {
  return {
      {"address-wrapped-at-64-kib", "Takes addresses of tensors modulo 64 KiB.", kValues,
       addressesWrapped(uint64_t{1} << 16), kAlsoGaps},
      {"address-wrapped-at-2-gib", "Takes addresses of tensors modulo 2 GiB.", kValues,
       addressesWrapped(uint64_t{1} << 31), kAlsoGaps, "huge"},
      {"address-wrapped-at-4-gib", "Takes addresses of tensors modulo 4 GiB.", kValues,
       addressesWrapped(uint64_t{1} << 32), kAlsoGaps, "huge"},
      {"input-strides-ignored",
       "Reads the input as if it were packed.",
       {"tensor.strides"},
       stridesForgotten("input")},
      {"indices-strides-ignored",
       "Reads the indices as if they were packed.",
       {"tensor.strides", "gather_nd.gather", "gather_nd1.gather"},
       stridesForgotten("indices")},
      {"output-strides-ignored",
       "Writes GATHER_ND's output packed.",
       {"tensor.strides"},
       stridesForgotten("output"),
       kAlsoGaps},
      {"coords-strides-ignored",
       "Writes the coordinates packed.",
       {"tensor.strides"},
       stridesForgotten("coords"),
       kAlsoGaps},
      {"input-offset-of-32", "Takes the offsets of inputs for multiples of 32.", kValues,
       inputsAligned(32)},
      {"input-offset-of-4096",
       "Takes offsets of inputs past 2048 for multiples of 4096.",
       kValues,
       {.before =
            [](Passage& passage) {
              if (passage.request.inputs[0].offset > 2048) inputsAligned(4096).before(passage);
            }}},
      {"gap-overwritten",
       "Writes into the gaps between strided output elements.",
       {"tensor.untouched"},
       bytesOverwritten([](const gpu::BufferImage& image, uint64_t at, uint64_t end) {
         return at >= image.offset && at < end;
       }),
       kGaps},
      {"tail-overwritten",
       "Writes past the last element up to the next multiple of 4 bytes.",
       {"tensor.untouched"},
       bytesOverwritten([](const gpu::BufferImage&, uint64_t at, uint64_t end) {
         return at >= end && at < (end + 3) / 4 * 4;
       }),
       kGaps},
      {"excess-cleared",
       "Clears all of TotalTensorSizeInBytes behind the elements.",
       {"tensor.untouched"},
       bytesOverwritten([](const gpu::BufferImage& image, uint64_t at, uint64_t end) {
         return at >= (end + 3) / 4 * 4 && at < image.offset + image.size;
       }),
       kGaps},
      {"row-past-count-written",
       "Writes into the rows of the coordinates past the count.",
       {"nonzero_coordinates.rows-written"},
       {.after =
            [](Passage& passage) {
              const ByteStatuses status =
                  evaluate(passage.descriptor, passage.inputs).back().status;
              gpu::BufferImage& image = passage.outputs.back();
              for (uint64_t at = 0; at < status.size(); ++at)
                image.bytes[image.offset + at] ^= status[at] == ByteStatus::Undefined ? 0xFF : 0;
            }},
       kGaps},
      {"written-behind",
       "Writes 4 bytes behind the output.",
       {"tensor.no-write-outside-total"},
       bytesOverwritten([](const gpu::BufferImage& image, uint64_t at, uint64_t) {
         return at >= image.offset + image.size && at < image.offset + image.size + 4;
       }),
       kOutside},
      {"written-in-front",
       "Writes 4 bytes in front of the output.",
       {"tensor.no-write-outside-total"},
       bytesOverwritten([](const gpu::BufferImage& image, uint64_t at, uint64_t) {
         return at < image.offset && at + 4 >= image.offset;
       }),
       kOutside},
      {"input-overwritten",
       "Sorts its input in place: the first input byte changes.",
       {"tensor.inputs-unchanged"},
       {.after =
            [](Passage& passage) {
              gpu::BufferImage& image = passage.inputImages[0];
              image.bytes[image.offset] ^= 0xFF;
            }},
       {.kinds = {kind::kInputBytes}}},
      {"broadcast-tuple-as-1",
       "Takes a stride of 0 between a tuple's indices for a stride of 1.",
       {"tensor.input-overlap", "gather_nd.gather", "gather_nd1.gather"},
       {.before =
            [](Passage& passage) {
              TensorDesc* indices = tensorNamed(passage, "indices");
              if (!indices || !indices->strides || indices->strides->back() != 0) return;
              if (indices->sizes.back() < 2) return;
              indices->strides->back() = 1;
              indices->totalBytes =
                  std::max(indices->totalBytes, minimumTotalBytes(*indices).value());
              passage.inputs[1].resize(indices->totalBytes, 0);
            }}},
      {"broadcast-as-1",
       "Takes a stride of 0 for a stride of 1.",
       {"tensor.input-overlap"},
       {.before =
            [](Passage& passage) {
              TensorDesc* input = mutableTensors(passage.descriptor).front();
              if (!input->strides) return;
              bool any = false;
              for (size_t axis = 0; axis < input->sizes.size(); ++axis) {
                if ((*input->strides)[axis] != 0 || input->sizes[axis] < 2) continue;
                (*input->strides)[axis] = 1;
                any = true;
              }
              if (!any) return;
              input->totalBytes = std::max(input->totalBytes, minimumTotalBytes(*input).value());
              passage.inputs[0].resize(input->totalBytes, 0);
            }}},
  };
}

}  // namespace dmlcts
