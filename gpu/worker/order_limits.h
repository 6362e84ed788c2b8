#pragma once

#include <string>

#include "gpu/wire/protocol.h"

// Numbers of an order that a driver would not survive. Each function says why the order is refused,
// "" if it is not.

namespace dmlcts::gpu {

std::string whyBeyondLimits(const Time& time);
std::string whyBeyondLimits(const Copy& copy);
std::string whyBeyondLimits(const Piece& piece);

// Copies and tensors that are bound must lie in the buffers.
std::string whyBeyondLimits(const RunSequence& run);

template <class AnyOther>
std::string whyBeyondLimits(const AnyOther&) {
  return "";
}

}  // namespace dmlcts::gpu
