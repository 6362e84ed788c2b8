#pragma once

#include <string>
#include <vector>

#include "conformance/cases/language/case.h"

namespace dmlcts {

// Tells a program the rules to cite, and whether it shows a fault.
struct Shown {
  std::vector<std::string> rules = {};  // that are broken, by id; where nobody knows, none
  bool isLimit = false;                 // rather than a fault
};

// A C++ program of one file that does what the case does with DirectML's public API, for somebody
// who has neither this suite nor its worker. It needs <d3d12.h>, <DirectML.h>, the standard library
// and, when it runs, d3d12.dll and DirectML.dll; it compiles with Visual C++ and with MinGW. It
// prints what is expected and what is, and exits with
//
//   0  as documented
//   1  the fault shows: wrong bytes, an invalid descriptor accepted, or a call that failed
//   2  not tested: no device, or a call beside the tested ones failed
//
// Tensors are literals. An input that no few of them can describe is replaced by one of ones or by
// a ramp, which the program says; of such an output a part is compared.
// Throws std::invalid_argument where a case cannot be written like that, or has a caseProblem().
std::string reproducer(const Case& testCase, const Shown& shown = {});

}  // namespace dmlcts
