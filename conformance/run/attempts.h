#pragma once

#include <string>
#include <string_view>

#include "conformance/run/judge.h"
#include "gpu/worker/outcome.h"

// Verdicts of what happens to workers, and of cases that are sent more than once.

namespace dmlcts {

Judgement judgementOf(const gpu::Failure& failure);

// "alone", "in a message of 3 cases"
std::string inAMessageOf(size_t cases);

// How an attempt ended, for JournalEntry::attempts.
std::string attemptText(std::string_view circumstance, const Judgement& judgement);

// What went wrong `circumstance`, and did not come back.
Judgement flaky(std::string_view circumstance, const Judgement& once);

}  // namespace dmlcts
