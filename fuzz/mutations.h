#pragma once

#include "conformance/cases/case.h"
#include "fuzz/choice.h"

namespace dmlcts {

// Changes one thing in a case's level or descriptor, to a neighbouring or an extreme value, without
// asking whether that is valid. A total size follows the change or stays behind.
void mutate(Choice& choice, Case& testCase);

}  // namespace dmlcts
