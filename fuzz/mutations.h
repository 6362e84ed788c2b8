#pragma once

#include "conformance/cases/case.h"
#include "conformance/cases/choices.h"

namespace dmlcts {

// Changes one thing in a case's level or descriptor, to a nearby or extreme value, valid or not. A
// total size may follow the change or not.
void mutate(Choices& choices, Case& testCase);

}  // namespace dmlcts
