#pragma once

#include <string>

#include "conformance/run/judging/judge.h"

namespace dmlcts {

// Returns "DML_OPERATOR_GATHER_ND" and the like.
std::string operatorConstant(const Descriptor& descriptor);

// Returns a model that runs the case with Microsoft's DxDispatch (microsoft/DirectML,
// DxDispatch/models/_schema.json). It holds inputs up to 1 KiB; others are a bundle's
// INPUT.bytes.npy files. A case about creation only gets inputs of zeros.
std::string dxDispatchModel(const PreparedCase& prepared);

}  // namespace dmlcts
