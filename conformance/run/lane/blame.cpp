#include "conformance/run/lane/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/run/replay/shrink.h"

namespace dmlcts {
namespace {

using Clock = std::chrono::steady_clock;

// Limits the search for a batch's smallest subset that reproduces a worker failure.
constexpr int kMostSearches = 40;
constexpr int kMostSlowSearches = 4;  // if each costs a deadline
constexpr int kMostSets = 2;          // sets found before cases are sent one by one

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

bool Blame::sendsOneByOne() const { return setsFound_ >= kMostSets; }

// Finds a small subset of a batch that reproduces the worker failure in one message, or nothing.
// The cases do not fail alone. `failure` becomes the reproduced one.
std::vector<size_t> Blame::searchSet(Batch& batch, WorkerFailure& failure,
                                     const std::function<bool()>& over) {
  const bool slow = failure.judgement.verdict == Verdict::Timeout;
  return smallestSet(batch.size(), slow ? kMostSlowSearches : kMostSearches,
                     [&](const std::vector<size_t>& set) {
                       worker_.forgiveLosses();
                       if (over() || worker_.tooManyLost()) return false;
                       Batch part;
                       for (size_t i : set) part.push_back(std::move(batch[i]));
                       std::vector<gpu::Answer> answers;
                       const auto again = exchange_.runOnce(part, answers);
                       for (size_t i = 0; i < set.size(); ++i) batch[set[i]] = std::move(part[i]);
                       if (again) failure = *again;
                       return again.has_value();
                     });
}

void Blame::blameSet(Batch& batch, const std::vector<size_t>& set, const WorkerFailure& failure,
                     const Callbacks& callbacks) {
  for (size_t i : set) {
    batch[i].attempts.emplace_back("alone: answered");
    Attempt attempt{failure.judgement, {}, failure.workerStderr, 0};
    attempt.judgement.message +=
        fmt::format("{}{} cases, none of which does it alone)", kTogether, set.size());
    callbacks.blamed(batch[i], std::move(attempt));
  }
  // No single case is at fault, and so no level. While this is in the journal, no level conforms.
  worker_.report("in a message of several cases", failure);
  setsFound_ += failure.judgement.verdict == Verdict::Timeout ? kMostSets : 1;
}

void Blame::investigate(Batch batch, const WorkerFailure& failure, const Callbacks& callbacks) {
  const std::string together = attemptText(inAMessageOf(batch.size()), failure.judgement);
  for (Item& item : batch) {
    item.attempts.push_back(together);
    if (!item.failedAs) item.failedAs = item.sent;
  }
  std::vector<std::optional<Attempt>> attempts(batch.size());
  bool explained = false;
  for (size_t i = 0; i < batch.size() && !callbacks.over(); ++i) {
    Batch alone;
    alone.push_back(std::move(batch[i]));
    const auto start = Clock::now();
    std::vector<gpu::Answer> answers;
    const auto again = exchange_.runOnce(alone, answers);
    batch[i] = std::move(alone.front());
    if (callbacks.over()) return;
    if (!again) {
      attempts[i] = exchange_.judge(batch[i], answers);
      attempts[i]->seconds = secondsSince(start);
      attempts[i]->workerStderr = worker_->takeStderr();
      continue;
    }
    explained = true;
    batch[i].attempts.push_back(attemptText("again, alone", again->judgement));
    callbacks.blamed(batch[i], {again->judgement, {}, again->workerStderr, secondsSince(start)});
    if (worker_.tooManyLost()) break;
  }
  if (callbacks.over()) return;

  std::optional<size_t> keeper;  // the case that gets an unexplained failure
  if (!explained) {
    WorkerFailure shown = failure;
    std::vector<size_t> set;
    if (batch.size() > 1) set = searchSet(batch, shown, callbacks.over);
    if (callbacks.over()) return;
    for (size_t i : set) attempts[i].reset();
    if (!set.empty()) {
      blameSet(batch, set, shown, callbacks);
    } else {
      // One case must take the blame, preferably one without a failure of its own.
      const auto spotless = std::ranges::find_if(
          attempts, [](const auto& each) { return each && !isFailure(each->judgement.verdict); });
      if (spotless != attempts.end()) {
        keeper = static_cast<size_t>(spotless - attempts.begin());
        batch[*keeper].attempts.emplace_back("again, alone: answered");
        (*spotless)->judgement = flaky(inAMessageOf(batch.size()), failure.judgement);
        if (failure.judgement.verdict == Verdict::Timeout) {
          (*spotless)->judgement.message +=
              fmt::format("; the second try took {:.1f} s", (*spotless)->seconds);
        }
        (*spotless)->workerStderr = failure.workerStderr;
      }
    }
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!attempts[i]) continue;
    if (i != keeper) {  // nothing happened to it alone
      std::erase(batch[i].attempts, together);
      batch[i].failedAs.reset();
    }
    callbacks.answered(batch[i], std::move(*attempts[i]));
  }
}

std::string inAMessageOf(size_t cases) {
  return cases == 1 ? "alone" : fmt::format("in a message of {} cases", cases);
}

std::string attemptText(std::string_view circumstance, const Judgement& judgement) {
  return fmt::format("{}: {}{}{}", circumstance, name(judgement.verdict),
                     judgement.message.empty() ? "" : ", ", judgement.message);
}

Judgement flaky(std::string_view circumstance, const Judgement& once) {
  Judgement judgement = once;
  judgement.verdict = Verdict::Flaky;
  judgement.message =
      fmt::format("{} {}, not again: {}", name(once.verdict), circumstance, once.message);
  return judgement;
}

}  // namespace dmlcts
