#pragma once

#include <string>

#include "conformance/run/program.h"

namespace dmlcts {

// A C++ program of one file that makes the calls of a sequence by DirectML's and Direct3D 12's
// public API, and compares every byte that the documents define: what reproducer.h is for cases,
// with the same exit statuses. A call that fails is a fault, too.
// Throws std::invalid_argument where the sequence is not valid, or its buffers are too large to be
// literals.
std::string reproducer(const Program& program);

}  // namespace dmlcts
