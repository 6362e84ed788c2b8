#pragma once

#include <string>

#include "conformance/cases/case.h"

namespace dmlcts {

// Returns a single-file C++ program that runs the case with DirectML's public API, for readers
// without this suite and its worker. It needs <d3d12.h>, <DirectML.h>, the standard library and, at
// run time, d3d12.dll and DirectML.dll. It compiles with Visual C++ and MinGW. It prints expected
// and actual values and exits with
//
//   0  as documented
//   1  the fault shows: wrong bytes, an invalid descriptor accepted, or a valid one rejected
//   2  not tested: no device, or another call failed
//
// Tensors are literals. An input that needs too many literals is replaced by ones or a ramp, and
// the program says so. Of a large output only a part is compared. Throws std::invalid_argument if
// the case cannot be written like that, or has a caseProblem().
std::string reproducer(const Case& testCase);

}  // namespace dmlcts
