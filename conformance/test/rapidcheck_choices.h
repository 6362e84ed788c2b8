#pragma once

#include <rapidcheck.h>

#include "conformance/inputs/choices.h"
#include "conformance/test/explores.h"

namespace dmlcts {

// For properties: choices by rapidcheck, which it shrinks one by one.
class RapidcheckChoices final : public Choices {
 public:
  uint64_t below(uint64_t bound) override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<uint64_t>(0, bound));
  }
  bool oneIn(uint64_t n) override { return below(n) == n - 1; }  // shrinks to the usual
};

// Tests a property that often with DMLCTS_EXPLORE, else a third as often, with the seed of
// RC_PARAMS. Prints what fails, shrunk.
template <class Property>
bool holds(const Property& property, int times) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = explores() ? times : (times + 2) / 3;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  rc::detail::printResultMessage(result, std::cerr);
  return result.template is<rc::detail::SuccessResult>();
}

}  // namespace dmlcts
