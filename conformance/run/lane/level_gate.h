#pragma once

#include <functional>
#include <optional>

#include "conformance/run/lane/exchange.h"

namespace dmlcts {

// Tells whether a device rejects features that it has but the case's level lacks. Tries fixed
// descriptors of that kind, once.
class LevelGate {
 public:
  // All must outlive this.
  LevelGate(const LaneOptions& options, KeptWorker& worker, Exchange& exchange)
      : options_(options), worker_(worker), exchange_(exchange) {}

  // Nothing before ask().
  const std::optional<bool>& known() const { return known_; }

  // Returns the answer. Nothing may be in flight. False once it is over.
  bool ask(const std::function<bool()>& over);

 private:
  const LaneOptions& options_;
  KeptWorker& worker_;
  Exchange& exchange_;
  std::optional<bool> known_;
};

}  // namespace dmlcts
