#pragma once

#include <optional>
#include <string>

#include "conformance/run/judging/judge.h"

namespace dmlcts {

// Returns "DML_OPERATOR_GATHER_ND" and the like.
std::string operatorConstant(const Descriptor& descriptor);

// Literal inputs of a model. Small: inputs up to 1 KiB; others are a bundle's INPUT.bytes.npy
// files. All: every input, each at most 1 KiB.
enum class Literal { Small, All };

// Returns a model that runs the case with Microsoft's DxDispatch (microsoft/DirectML,
// DxDispatch/models/_schema.json). A case about creation only gets inputs of zeros. With
// Literal::All, returns nothing if an input is larger or a tensor too large to create.
std::optional<std::string> dxDispatchModel(const PreparedCase& prepared, Literal literal);

}  // namespace dmlcts
