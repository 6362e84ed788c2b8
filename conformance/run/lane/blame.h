#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/lane/exchange.h"

namespace dmlcts {

// Finds the cases of a batch that caused its worker failure. Runs them again one by one. If none
// fails alone, searches the smallest set that does together. If there is none, one case is Flaky.
class Blame {
 public:
  // Both must outlive this.
  Blame(KeptWorker& worker, Exchange& exchange) : worker_(worker), exchange_(exchange) {}

  struct Callbacks {
    std::function<void(RunningCase, Attempt)> blamed;    // its verdict is final
    std::function<void(RunningCase, Attempt)> answered;  // it was answered alone
    std::function<bool()> over;                          // no verdict is wanted any more
  };

  // Hands each case to a callback, until it is over or too many workers are lost.
  void assign(Batch batch, const WorkerFailure& failure, const Callbacks& callbacks);

  // True once sets of cases were found: further cases are to be sent one by one, which gives each
  // its own verdict.
  bool sendsOneByOne() const;

 private:
  std::vector<size_t> searchSet(Batch& batch, WorkerFailure& failure,
                                const std::function<bool()>& over);
  void blameSet(Batch& batch, const std::vector<size_t>& set, const WorkerFailure& failure,
                const Callbacks& callbacks);

  KeptWorker& worker_;
  Exchange& exchange_;
  int setsFound_ = 0;  // case sets that only together reproduce a worker failure
};

// Begins what a message says of cases that only together lose a worker.
inline constexpr std::string_view kTogether = " (in a message of ";

// Returns "alone" or "in a message of 3 cases".
std::string inAMessageOf(size_t cases);

// The judgement of a failure that happened once, in `circumstance`, and did not recur.
Judgement flaky(std::string_view circumstance, const Judgement& once);

}  // namespace dmlcts
