#pragma once

#include "conformance/cases/case.h"
#include "conformance/cases/choices.h"

namespace dmlcts {

// Changes one thing in a case's level or descriptor, to a value next to what it is or to an extreme
// one, without asking whether that is valid. A total size follows the change or stays behind.
void mutate(Choices& choices, Case& testCase);

}  // namespace dmlcts
