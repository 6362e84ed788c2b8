#pragma once

#include <string>
#include <string_view>

#include "conformance/run/judge.h"
#include "gpu/worker/outcome.h"

// Verdicts for worker failures and for cases sent more than once.

namespace dmlcts {

Judgement judgementOf(const gpu::Failure& failure);

// Returns "alone" or "in a message of 3 cases".
std::string inAMessageOf(size_t cases);

// Returns an attempt's outcome, for JournalEntry::attempts.
std::string attemptText(std::string_view circumstance, const Judgement& judgement);

// The judgement of a failure that happened once, in `circumstance`, and did not recur.
Judgement flaky(std::string_view circumstance, const Judgement& once);

}  // namespace dmlcts
