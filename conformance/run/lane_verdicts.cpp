#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/cases/tiers/tiers.h"
#include "conformance/run/lane.h"
#include "conformance/run/replay/shrink.h"

// From answers, and worker failures, to verdicts.

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

// Runs a batch alone, with new poison.
std::optional<Lane::WorkerFailure> Lane::runOnce(Batch& batch, std::vector<gpu::Answer>& answers) {
  std::optional<WorkerFailure> workerFailure;
  do {
    for (Item& item : batch) {
      poisonAgain(item.prepared, nextId_, options_.poison);
      nextId_ += item.prepared.requests.size();
    }
    send(batch);
    workerFailure = receive(batch, answers);
    if (workerFailure && tooManyLost()) return workerFailure;  // another worker would not help
    if (workerFailure) restart();
  } while (workerFailure && workerFailure->unrelated && !over());
  return workerFailure;
}

Lane::Settled Lane::settle(const Item& item, std::span<gpu::Answer> answers) {
  Settled settled;
  if (item.inPieces) {
    settled.judgement = *item.inPieces;
    return settled;
  }
  try {
    settled.judgement = judge(item.prepared, answers, identity_->maxLevel, options_.strictness);
  } catch (const std::exception& error) {
    settled.judgement = {Verdict::InternalError, error.what(), {}};
  }
  settled.answer = std::move(answers.front());
  return settled;
}

// Delivers a verdict, or first queues a Fail to be repeated alone. `together`: number of cases in
// the answered message.
void Lane::tell(Item& item, Settled settled, size_t together, const Sink& sink) {
  if (stopped_) return;
  if (acceptedAboveItsLevel(settled.judgement)) {
    if (!levelGate_) {
      undecided_.push_back({std::move(item), std::move(settled), together});
      return;
    }
    if (*levelGate_) {
      settled.judgement = leaked(std::move(settled.judgement), options_.strictness);
    }
  }
  Judgement& judgement = settled.judgement;
  const std::string circumstance = inAMessageOf(together);
  // With `repeat`, a Fail may mean that runs differ; another run proves nothing new.
  const bool differs = judgement.kinds.contains(std::string(kind::kUnequalRuns));
  if (!item.first && judgement.verdict == Verdict::Fail && !differs) {
    item.attempts.push_back(attemptText(circumstance, judgement));
    item.first = std::move(judgement);
    item.firstTogether = together;
    alone_.push_back(std::move(item));
    return;
  }
  if (item.first) {
    item.attempts.push_back(attemptText("again, alone", judgement));
    if (judgement.verdict == Verdict::Fail) {
      for (const auto& [which, count] : item.first->kinds) {
        uint64_t& most = judgement.kinds[which];
        most = std::max(most, count);
      }
    } else if (!isFailure(judgement.verdict)) {
      judgement = flaky(inAMessageOf(item.firstTogether), *item.first);
    }
  }
  const bool passed = judgement.verdict == Verdict::Pass;
  sink({item.index, item.prepared, std::move(judgement),
        settled.answer ? &*settled.answer : nullptr, item.attempts,
        passed ? "" : settled.workerStderr, settled.seconds});
}

bool Lane::gatesLevels() {
  if (levelGate_) return *levelGate_;
  bool found = false;
  std::set<std::tuple<std::string, Level, std::string_view>> asked;
  for (const Case& probe : cases(Tier::Smoke)) {
    if (over()) return false;
    if (found || tooManyLost()) break;
    if (!rejectedByLevelOnly(probe, identity_->maxLevel) || !options_.mode.descriptor(probe) ||
        notAsked(probe) ||
        !asked.emplace(probe.rejectBy, probe.level, operatorName(probe.descriptor)).second) {
      continue;
    }
    Batch alone(1);
    alone.front().prepared = prepare(probe, nextId_, 1, options_.poison, options_.mode);
    std::vector<gpu::Answer> answers;
    if (const auto workerFailure = runOnce(alone, answers)) {
      report("while its level gate was looked for", *workerFailure);
    } else {
      found = settle(alone.front(), answers).judgement.verdict == Verdict::Pass;
    }
  }
  levelGate_ = found;
  return found;
}

void Lane::deliverUndecided(const Sink& sink) {
  gatesLevels();
  if (over()) return;
  for (Undecided& each : std::exchange(undecided_, {})) {
    tell(each.item, std::move(each.settled), each.together, sink);
  }
}

void Lane::deliver(Batch& batch, std::vector<gpu::Answer>& answers, double seconds,
                   const Sink& sink) {
  std::string words = worker_->takeStderr();
  const double each = seconds / static_cast<double>(batch.size());
  if (!batch.front().first && !goesAlone(batch.front()))
    secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  size_t at = 0;
  for (Item& item : batch) {
    if (stopped_) return;
    Settled settled = settle(item, std::span(answers).subspan(at, item.prepared.requests.size()));
    at += item.prepared.requests.size();
    settled.seconds = each;
    // The stderr text may be about any case of the batch; the first non-passing case gets it.
    if (settled.judgement.verdict != Verdict::Pass) settled.workerStderr = std::exchange(words, {});
    tell(item, std::move(settled), batch.size(), sink);
    if (worker_->usable()) worker_->progress();
  }
}

// Finds a small subset of a batch that reproduces the worker failure in one message, or nothing.
// The cases do not fail alone. `workerFailure` becomes the reproduced one.
std::vector<size_t> Lane::searchSet(Batch& batch, WorkerFailure& workerFailure) {
  const bool slow = workerFailure.judgement.verdict == Verdict::Timeout;
  return smallestSet(batch.size(), slow ? kMostSlowSearches : kMostSearches,
                     [&](const std::vector<size_t>& set) {
                       lost_ = 0;  // deliberately lost workers do not count
                       if (over() || tooManyLost()) return false;
                       Batch part;
                       for (size_t i : set) part.push_back(std::move(batch[i]));
                       std::vector<gpu::Answer> answers;
                       const auto again = runOnce(part, answers);
                       for (size_t i = 0; i < set.size(); ++i) batch[set[i]] = std::move(part[i]);
                       if (again) workerFailure = *again;
                       return again.has_value();
                     });
}

// Finds the cases of a batch that caused its worker failure.
void Lane::investigate(Batch batch, const WorkerFailure& workerFailure, const Sink& sink) {
  const std::string together = attemptText(inAMessageOf(batch.size()), workerFailure.judgement);
  for (Item& item : batch) item.attempts.push_back(together);
  std::vector<std::optional<Settled>> settled(batch.size());
  bool explained = false;
  size_t keeper = 0;  // the case that gets an unexplained failure
  for (size_t i = 0; i < batch.size() && !over(); ++i) {
    Batch alone;
    alone.push_back(std::move(batch[i]));
    const auto start = Clock::now();
    std::vector<gpu::Answer> answers;
    const auto again = runOnce(alone, answers);
    batch[i] = std::move(alone.front());
    if (over()) return;
    if (!again) {
      settled[i] = settle(batch[i], answers);
      settled[i]->seconds = secondsSince(start);
      settled[i]->workerStderr = worker_->takeStderr();
      continue;
    }
    explained = true;
    batch[i].attempts.push_back(attemptText("again, alone", again->judgement));
    sink({batch[i].index, batch[i].prepared, again->judgement, nullptr, batch[i].attempts,
          again->workerStderr, secondsSince(start)});
    if (tooManyLost()) break;
  }
  if (over()) return;

  if (!explained) {
    WorkerFailure shown = workerFailure;
    std::vector<size_t> set;
    if (batch.size() > 1) set = searchSet(batch, shown);
    if (over()) return;
    for (size_t i : set) {
      batch[i].attempts.push_back("alone: answered");
      Judgement judgement = shown.judgement;
      judgement.message +=
          fmt::format(" ({}, none of which does it alone)", inAMessageOf(set.size()));
      sink({batch[i].index, batch[i].prepared, std::move(judgement), nullptr, batch[i].attempts,
            shown.workerStderr, 0});
      settled[i].reset();
    }
    if (!set.empty()) {
      // No single case is at fault, and so no level. While this is in the journal, no level
      // conforms.
      report("in a message of several cases", shown);
      // The failure is recorded. Sending one by one gives the other cases their verdicts.
      setsFound_ += shown.judgement.verdict == Verdict::Timeout ? kMostSets : 1;
      if (setsFound_ >= kMostSets) mostCases_ = 1;
    } else {
      // One case must take the blame, preferably one without a failure of its own.
      const auto spotless = std::ranges::find_if(
          settled, [](const auto& each) { return each && !isFailure(each->judgement.verdict); });
      if (spotless != settled.end()) {
        keeper = static_cast<size_t>(spotless - settled.begin());
        batch[keeper].attempts.push_back("again, alone: answered");
        (*spotless)->judgement = flaky(inAMessageOf(batch.size()), workerFailure.judgement);
        (*spotless)->workerStderr = workerFailure.workerStderr;
      }
    }
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!settled[i]) continue;
    if (explained || i != keeper)
      std::erase(batch[i].attempts, together);  // nothing happened to it alone
    tell(batch[i], std::move(*settled[i]), 1, sink);
  }
}

Judgement judgementOf(const gpu::Failure& failure) {
  const auto judgement = [&](Verdict verdict, std::string_view kind) {
    return Judgement{verdict, gpu::describe(failure), {}, {{std::string(kind), 1}}};
  };
  if (std::holds_alternative<gpu::TimedOut>(failure)) {
    return judgement(Verdict::Timeout, kind::kTimeout);
  }
  if (std::holds_alternative<gpu::ProtocolViolation>(failure)) {
    return judgement(Verdict::Fail, kind::kMalformedAnswer);
  }
  return judgement(Verdict::Crash, kind::kCrash);
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
