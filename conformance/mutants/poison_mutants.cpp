// Mutants that use previous contents of output buffers, or that are correct only at some binding
// offsets.

#include <algorithm>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/evaluate.h"

namespace dmlcts {
namespace {

// Computes an output byte from its previous and its correct value.
using Mix = uint8_t (*)(uint8_t before, uint8_t right);

Mutation mixed(Mix mix) {
  return {.after = [mix](Passage& passage) {
    const auto expected = evaluate(passage.descriptor, passage.inputs);
    for (size_t i = 0; i < passage.outputs.size(); ++i) {
      gpu::BufferImage& image = passage.outputs[i];
      for (size_t at = 0; at < image.size && at < expected[i].status.size(); ++at) {
        if (expected[i].status[at] != ByteStatus::Defined) continue;
        uint8_t& byte = image.bytes[image.offset + at];
        byte = mix(passage.request.outputs[i].bytes[image.offset + at], byte);
      }
    }
  }};
}

// Writes outputs as if their offset were a multiple of `alignment`, rounded down.
Mutation alignedDown(uint64_t alignment) {
  return {.after = [alignment](Passage& passage) {
    for (size_t i = 0; i < passage.outputs.size(); ++i) {
      gpu::BufferImage& image = passage.outputs[i];
      const uint64_t shift = image.offset % alignment;
      if (shift == 0) continue;
      const auto begin = image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset);
      const std::vector<uint8_t> written(begin, begin + static_cast<std::ptrdiff_t>(image.size));
      image.bytes = passage.request.outputs[i].bytes;
      std::ranges::copy(written,
                        image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset - shift));
    }
  }};
}

const Signs kAnywhere{.kinds = {kind::kWrongElements, kind::kPaddingBytes, kind::kGuardBytes}};

}  // namespace

std::vector<Mutant> poisonMutants() {
  return {
      {"poison-complemented", "Complements what lies in the output buffers.", kValues,
       mixed([](uint8_t before, uint8_t) { return static_cast<uint8_t>(~before); })},
      {"poison-incremented", "Adds one to every byte that lies in the output buffers.", kValues,
       mixed([](uint8_t before, uint8_t) { return static_cast<uint8_t>(before + 1); })},
      {"poison-xored", "XORs its results into what lies in the output buffers.", kValues,
       mixed([](uint8_t before, uint8_t right) { return static_cast<uint8_t>(before ^ right); })},
      {"poison-added", "Adds its results to what lies in the output buffers.", kValues,
       mixed([](uint8_t before, uint8_t right) { return static_cast<uint8_t>(before + right); })},
      {"offset-multiple-of-32",
       "Binds outputs at multiples of 32 bytes.",
       {"tensor.no-write-outside-total"},
       alignedDown(32),
       kAnywhere},
      {"zeroes",
       "Leaves zeros in its outputs and in 509 bytes behind them.",
       {"tensor.no-write-outside-total"},
       {.after =
            [](Passage& passage) {
              for (gpu::BufferImage& image : passage.outputs) {
                const uint64_t end =
                    std::min<uint64_t>(image.offset + image.size + 509, image.bytes.size());
                std::fill(image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset),
                          image.bytes.begin() + static_cast<std::ptrdiff_t>(end), uint8_t{0});
              }
            }},
       kAnywhere},
  };
}

}  // namespace dmlcts
