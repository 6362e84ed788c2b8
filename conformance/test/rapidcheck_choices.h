#pragma once

#include <rapidcheck.h>

#include "conformance/cases/choices.h"

namespace dmlcts {

// For properties: choices by rapidcheck, which it shrinks one by one.
class RapidcheckChoices final : public Choices {
 public:
  uint64_t below(uint64_t bound) override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<uint64_t>(0, bound));
  }
};

}  // namespace dmlcts
