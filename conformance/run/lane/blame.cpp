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
                       const BatchOutcome outcome = exchange_.runOnce(part);
                       for (size_t i = 0; i < set.size(); ++i) batch[set[i]] = std::move(part[i]);
                       const auto* again = std::get_if<WorkerFailure>(&outcome);
                       if (again) failure = *again;
                       return again != nullptr;
                     });
}

void Blame::blameSet(Batch& batch, const std::vector<size_t>& set, const WorkerFailure& failure,
                     const Callbacks& callbacks) {
  for (size_t i : set) {
    batch[i].tries.push_back({"alone", {}, batch[i].sent});
    Attempt attempt{failure.judgement, {}, failure.workerStderr, 0};
    attempt.judgement.message +=
        fmt::format("{}{} cases, none of which does it alone)", kTogether, set.size());
    callbacks.blamed(std::move(batch[i]), std::move(attempt));
  }
  // No single case is at fault, and so no level. While this is in the journal, no level conforms.
  worker_.report("in a message of several cases", failure);
  setsFound_ += failure.judgement.verdict == Verdict::Timeout ? kMostSets : 1;
}

void Blame::assign(Batch batch, const WorkerFailure& failure, const Callbacks& callbacks) {
  const std::string together = inAMessageOf(batch.size());
  for (RunningCase& each : batch) each.tries.push_back({together, failure.judgement, each.sent});
  std::vector<std::optional<Attempt>> attempts(batch.size());
  bool explained = false;
  for (size_t i = 0; i < batch.size() && !callbacks.over(); ++i) {
    Batch alone;
    alone.push_back(std::move(batch[i]));
    const auto start = Clock::now();
    BatchOutcome outcome = exchange_.runOnce(alone);
    if (callbacks.over()) return;
    if (auto* executed = std::get_if<Executed>(&outcome)) {
      attempts[i] = std::move(exchange_.judge(alone, std::move(*executed)).front());
      attempts[i]->seconds = secondsSince(start);
      attempts[i]->workerStderr = worker_->takeStderr();
      batch[i] = std::move(alone.front());
      continue;
    }
    explained = true;
    const auto& again = std::get<WorkerFailure>(outcome);
    RunningCase& blamed = alone.front();
    blamed.tries.push_back({"again, alone", again.judgement, blamed.sent});
    callbacks.blamed(std::move(blamed),
                     {again.judgement, {}, again.workerStderr, secondsSince(start)});
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
        batch[*keeper].tries.push_back({"again, alone", {}, batch[*keeper].sent});
        (*spotless)->judgement = flaky(together, failure.judgement);
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
    if (i != keeper) batch[i].tries.pop_back();  // nothing happened to it alone
    callbacks.answered(std::move(batch[i]), std::move(*attempts[i]));
  }
}

std::string inAMessageOf(size_t cases) {
  return cases == 1 ? "alone" : fmt::format("in a message of {} cases", cases);
}

Judgement flaky(std::string_view circumstance, const Judgement& once) {
  Judgement judgement = once;
  judgement.verdict = Verdict::Flaky;
  judgement.message =
      fmt::format("{} {}, not again: {}", name(once.verdict), circumstance, once.message);
  return judgement;
}

}  // namespace dmlcts
