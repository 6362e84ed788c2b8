#pragma once

#include "conformance/cases/operators/element_wise_identity.h"
#include "fuzz/relations.h"

// What fuzzing knows of a copy.

namespace dmlcts {

inline std::string copyOfACopyDiffers(const Case& testCase, Executor& executor) {
  const Outputs once = executor.outputs(testCase);
  Case again = testCase;
  const TensorDesc& input = *tensors(testCase.descriptor)[0].desc;
  again.descriptor = makeIdentity(input.type, input.sizes);
  again.fill = {FillKind::Values, 0, elementsOf(input.type, once[0])};
  return executor.outputs(again) == once ? "" : "the copy of the copy differs";
}

inline std::vector<Relation> identityRelations() {
  return {{"copy-of-copy", "A copy of the copy is the copy.", "element_wise_identity.copy",
           [](const Case& testCase) {
             return testCase.expect == Expect::Execute &&
                    operatorName(testCase.descriptor) == ElementWiseIdentity::name &&
                    inputElements(testCase, 0).size() <= kMostExplicitElements;
           },
           copyOfACopyDiffers}};
}

}  // namespace dmlcts
