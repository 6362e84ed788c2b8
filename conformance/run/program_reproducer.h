#pragma once

#include <string>

#include "conformance/run/program.h"

namespace dmlcts {

// Returns a single-file C++ program that makes the sequence's calls with the public APIs of
// DirectML and Direct3D 12, and compares every defined byte. It is the counterpart of reproducer.h,
// with the same exit statuses; a failing call is also a fault. Throws std::invalid_argument if the
// sequence is invalid or its buffers are too large for literals.
std::string reproducer(const Program& program);

}  // namespace dmlcts
