#pragma once

#include <rapidcheck/Random.h>

#include <utility>

#include "conformance/cases/choices.h"

namespace dmlcts {

// Choices from rapidcheck's generator: the same on every platform for the same seed.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(const rc::Random& random) : random_(random) {}

  uint64_t below(uint64_t bound) override { return random_.next() % bound; }

 private:
  rc::Random random_;
};

}  // namespace dmlcts
