#include "conformance/cases/families/broken.h"

#include "conformance/cases/operator_syntax.h"

namespace dmlcts {

std::vector<Broken> brokenBuffers(const Descriptor& control) {
  std::vector<Broken> all{{"tensor.total-bytes-cover", {}},
                          {"tensor.total-elements", {}},
                          {"tensor.base-offset-alignment", {}},
                          {"tensor.flags", {}}};
  Broken& uncovered = all[0];
  Broken& huge = all[1];
  Broken& alignment = all[2];
  Broken& flags = all[3];
  const size_t slots = tensors(control).size();
  for (size_t slot = 0; slot < slots; ++slot) {
    Descriptor wrong = control;
    mutableTensors(wrong)[slot]->totalBytes -= 4;
    uncovered.variants.push_back(wrong);
    if (mutableTensors(wrong)[slot]->totalBytes == 0) continue;
    mutableTensors(wrong)[slot]->totalBytes = 0;
    uncovered.variants.push_back(wrong);
  }
  for (size_t slot = 0; slot < slots; ++slot) {
    const uint64_t width = info(tensors(control)[slot].desc->type).bytes;
    for (uint64_t elements : {uint64_t{1} << 32, uint64_t{1} << 33, uint64_t{1} << 59}) {
      Descriptor wrong = control;
      mutableTensors(wrong)[slot]->totalBytes = elements * width;
      huge.variants.push_back(std::move(wrong));
    }
  }
  for (size_t slot = 0; slot < slots; ++slot) {
    const TensorSlot tensor = tensors(control)[slot];
    const auto variant = [&](Broken& broken, uint32_t TensorDesc::* field, uint32_t value) {
      Descriptor wrong = control;
      mutableTensors(wrong)[slot]->*field = value;
      broken.variants.push_back(std::move(wrong));
    };
    const uint32_t width = info(tensor.desc->type).bytes;
    for (uint32_t value : {3u, 12u, 24u, 48u, UINT32_MAX, width / 2}) {
      if (value > 0) variant(alignment, &TensorDesc::baseOffsetAlignment, value);
    }
    if (tensor.isOutput) variant(flags, &TensorDesc::flags, kOwnedByDml);
  }
  return all;
}

}  // namespace dmlcts
