#pragma once

#include <optional>
#include <string>

#include "conformance/run/judge.h"

namespace dmlcts {

// "DML_OPERATOR_GATHER_ND"
std::string operatorConstant(const Descriptor& descriptor);

// Which inputs of a model are literals: those of at most 1 KiB, the others being files of a bundle,
// INPUT.bytes.npy; or all, of at most 1 KiB each.
enum class Literal { Small, All };

// A model that runs the case with Microsoft's DxDispatch (microsoft/DirectML,
// DxDispatch/models/_schema.json). A case that is about creation alone has inputs of zeros. With
// Literal::All nothing where an input is larger, or a tensor too large to be made at all.
std::optional<std::string> dxDispatchModel(const PreparedCase& prepared, Literal literal);

}  // namespace dmlcts
