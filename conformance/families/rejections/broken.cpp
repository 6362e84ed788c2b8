#include "conformance/families/rejections/broken.h"

#include "conformance/language/operator_syntax.h"

namespace dmlcts {

std::vector<Broken> brokenBuffers(const Descriptor& control) {
  std::vector<Broken> all{{"tensor.total-bytes-cover", {}},
                          {"tensor.total-elements", {}},
                          {"tensor.base-offset-alignment", {}},
                          {"tensor.flags", {}}};
  for (size_t slot = 0; slot < tensors(control).size(); ++slot) {
    const TensorSlot tensor = tensors(control)[slot];
    const uint64_t width = info(tensor.desc->type).bytes;
    const auto add = [&](size_t broken, auto TensorDesc::* field, auto value) {
      Descriptor wrong = control;
      mutableTensors(wrong)[slot]->*field = value;
      all[broken].variants.push_back(std::move(wrong));
    };
    add(0, &TensorDesc::totalBytes, tensor.desc->totalBytes - 4);
    for (const uint64_t bits : {32, 59}) add(1, &TensorDesc::totalBytes, width << bits);
    for (const uint32_t value : {12u, 24u}) add(2, &TensorDesc::baseOffsetAlignment, value);
    if (tensor.isOutput) add(3, &TensorDesc::flags, kOwnedByDml);
  }
  return all;
}

}  // namespace dmlcts
