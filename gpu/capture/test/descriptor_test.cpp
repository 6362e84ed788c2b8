#include "gpu/capture/descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/inputs/inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/tiers/tiers.h"
#include "gpu/capture/comparison.h"
#include "gpu/directml/operators.h"
#include "reference/evaluate.h"

namespace dmlcts::gpu {
namespace {

// Describes the operator as an application does, and reads it back.
std::optional<RecordedOperator> recorded(const Descriptor& descriptor, Level level) {
  std::vector<dml::BufferTensorDesc> buffers;
  std::vector<dml::TensorDesc> described;
  const auto slots = tensors(descriptor);
  buffers.reserve(slots.size());
  for (const TensorSlot& slot : slots) {
    const TensorDesc& desc = *slot.desc;
    buffers.push_back({static_cast<uint32_t>(desc.type), desc.flags,
                       static_cast<UINT>(desc.sizes.size()), desc.sizes.data(),
                       desc.strides ? desc.strides->data() : nullptr, desc.totalBytes,
                       desc.baseOffsetAlignment});
    described.push_back({dml::kTensorTypeBuffer, &buffers.back()});
  }
  return visitEntry(kDirectMl, descriptor, [&](const auto& entry, const auto& op) {
    const auto desc = entry.desc(op, described);
    return recordedOperator({entry.type, desc.get()}, level);
  });
}

TEST(RecordedOperator, IsTheDescriptorThatTheApplicationFilled) {
  size_t runnable = 0;
  for (const Case& testCase : cases(Tier::Smoke)) {
    const std::string text = caseString(testCase);
    const auto op = recorded(testCase.descriptor, testCase.level);
    ASSERT_TRUE(op) << text;
    Descriptor expected = testCase.descriptor;
    const auto slots = tensors(testCase.descriptor);
    const auto descs = mutableTensors(expected);
    for (size_t i = 0; i < descs.size(); ++i) {
      if (!slots[i].isOutput && descs[i]->flags == kOwnedByDml) descs[i]->flags = 0;
    }
    EXPECT_EQ(op->testCase.descriptor, expected) << text;
    EXPECT_EQ(op->testCase.expect == Expect::Reject, testCase.expect == Expect::Reject) << text;
    if (!op->problem.empty()) continue;
    ++runnable;
    EXPECT_EQ(parseCase(op->text().substr(0, op->text().find("  #"))), op->testCase) << text;
  }
  EXPECT_GE(runnable, 600u);
}

TEST(RecordedOperator, IsNothingWithoutAnOperatorOfOurs) {
  const dml::NonzeroCoordinatesDesc none{};
  EXPECT_FALSE(recordedOperator({dml::kOperatorElementWiseIdentity, &none}, Level::L6_4));
  EXPECT_FALSE(recordedOperator({dml::kOperatorNonzeroCoordinates, &none}, Level::L6_4));
  EXPECT_FALSE(recordedOperator({dml::kOperatorNonzeroCoordinates, nullptr}, Level::L6_4));
}

TEST(CaseWithValues, HasTheElementsOfItsInputs) {
  const Case testCase = parseCase(
      "gather_nd1 level=6.4 input=f16:2x3x4 indices=i64:1x2x1 output=1x2x4 dims=3,2,1 fill=mixed "
      "index=negative seed=3 layout.input=pad(1)");
  const auto op = recorded(testCase.descriptor, testCase.level);
  const auto inputs = makeInputs(testCase);
  std::map<std::string, std::string> files;
  const Case same = parseCase(
      caseWithValues(*op, inputs, [&](auto name, auto content) { files.emplace(name, content); }));
  size_t slot = 0;
  for (const NpyFill* npy : {&same.fill.npy, &same.index.npy}) {
    const TensorDesc& tensor = *tensors(same.descriptor)[slot].desc;
    const auto elements = packedElements(tensor, inputs[slot++]);
    EXPECT_EQ(readNpy(files.at(npy->file), tensor.type, tensor.sizes), elements);
    EXPECT_EQ(npyHash(tensor.type, tensor.sizes, elements), npy->hash);
  }
}

TEST(FirstDifference, NamesTheElement) {
  const Case testCase =
      parseCase("nonzero_coordinates level=6.4 input=f32:1x4 coords=4x1 fill=values(0,1,0,3)");
  const auto inputs = makeInputs(testCase);
  std::vector<std::vector<uint8_t>> outputs;
  for (const ReferenceOutput& each : evaluate(testCase.descriptor, inputs)) {
    outputs.push_back(each.bytes);
  }
  outputs[1][8] = 7;  // a row past the count
  EXPECT_EQ(firstDifference(testCase.descriptor, inputs, outputs), "");
  outputs[1][4] = 2;
  EXPECT_EQ(firstDifference(testCase.descriptor, inputs, outputs), "coords[1,0] is 2, expected 3");
  outputs[0][0] = 1;
  EXPECT_EQ(firstDifference(testCase.descriptor, inputs, outputs), "count[0,0] is 1, expected 2");
}

}  // namespace
}  // namespace dmlcts::gpu
