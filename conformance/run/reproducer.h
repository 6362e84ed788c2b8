#pragma once

#include <string>

#include "conformance/cases/case.h"

namespace dmlcts {

// A C++ program of one file that does what the case does with DirectML's public API, for somebody
// who has neither this suite nor its worker. It needs <d3d12.h>, <DirectML.h>, the standard library
// and, when it runs, d3d12.dll and DirectML.dll; it compiles with Visual C++ and with MinGW. It
// prints what is expected and what is, and exits with
//
//   0  as the document says
//   1  the fault shows: wrong bytes, an invalid descriptor accepted, or a valid one rejected
//   2  it could not be asked: no device, or another call failed
//
// Tensors are literals. An input that no few of them can describe is replaced by one of ones or by
// a ramp, which the program says; of such an output a part is compared.
// Throws std::invalid_argument where a case cannot be written like that, or has a caseProblem().
std::string reproducer(const Case& testCase);

}  // namespace dmlcts
