#include "conformance/run/investigation.h"

#include <algorithm>
#include <utility>

#include "conformance/language/case_string.h"
#include "conformance/run/lane/company.h"

namespace dmlcts {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kMostForAll{60};
constexpr seconds kMostForKind{20};
constexpr seconds kMostForTries{2};
constexpr uint64_t kTries = 8;   // in a used worker, each some milliseconds
constexpr uint64_t kTally = 10;  // tries of what fails only sometimes
constexpr uint64_t kTriesBeside = 30;
constexpr int kMostSearches = 20;     // new workers behind other cases, per kind
constexpr int kMostSlowSearches = 6;  // if each costs a deadline
constexpr int kMostOthers = 3;        // cases left out because they lose a worker by themselves
constexpr milliseconds kShortDeadline{5000};

bool hangs(const FailureSeen& seen) { return seen.kinds.contains(std::string(kind::kTimeout)); }

}  // namespace

void FailuresSeen::add(const JournalEntry& entry, size_t place, const Sent& sent) {
  if (!sent.process || !isFailure(entry.verdict) || entry.verdict == Verdict::UnexpectedPass) {
    return;
  }
  const std::string kind = failureKind(entry);
  if (kind.empty() || asked_.contains(kind)) return;
  const bool onlyTogether = entry.message.find(kTogether) != entry.message.npos;
  FailureSeen seen{place, entry.verdict, entry.kinds, onlyTogether, sent};
  const auto found = std::ranges::find(kinds_, kind, &OfKind::kind);
  if (found != kinds_.end()) {
    found->last = std::move(seen);
  } else if (kinds_.size() < kMost) {
    kinds_.push_back({kind, seen, seen});
  }
}

Investigation::Investigation(const LaneOptions& options, Lane& used, const Schedule& schedule,
                             const std::string& tier, uint32_t jobs)
    : options_(options),
      used_(used),
      schedule_(schedule),
      tier_(parseTier(tier).value_or(Tier::Default)),
      jobs_(jobs) {}

class Investigation::Fresh {
 public:
  Fresh(const Investigation& of, const FailureSeen& seen)
      : of_(of), seen_(seen), lane(of.optionsFor(seen)) {}

  bool fails(const FailureSeen& seen) {
    return of_.failsAgain(seen, lane.tryCase(of_.caseOf(seen)).judgement);
  }
  bool fails() { return fails(seen_); }  // the case that it is for

 private:
  const Investigation& of_;
  const FailureSeen& seen_;

 public:
  Lane lane;
};

void Investigation::ask(const FailuresSeen& failures,
                        const std::function<void(const JournalInvestigation&)>& take) {
  if (options_.command.onThread || failures.kinds().empty()) return;  // one process is all there is
  end_ = Clock::now() + kMostForAll;
  const auto tell = [&](const std::string& kind, const FailureSeen& seen, const When& when) {
    if (!cancelled()) take({schedule_.cases[seen.place].text, kind, when});
  };
  try {
    for (const FailuresSeen::OfKind& each : failures.kinds()) {
      if (Clock::now() >= end_ || cancelled()) break;
      const When first = askOne(each.first, &each.last);
      tell(each.kind, each.first, first);
      if (!lastPasses_) continue;
      const When last = askOne(each.last, nullptr);
      if (last.occurs != Occurs::Always) tell(each.kind, each.last, last);
    }
  } catch (const std::exception&) {
    // A worker did not start, say. The rest stays unknown; whoever needs a worker says why.
  }
}

bool Investigation::spent() const {
  return Clock::now() >= std::min(end_, endOfKind_) || cancelled();
}

bool Investigation::cancelled() const { return options_.cancel && *options_.cancel; }

const Case& Investigation::caseOf(const FailureSeen& seen) const {
  return schedule_.cases[seen.place].testCase;
}

LaneOptions Investigation::optionsFor(const FailureSeen& seen) const {
  LaneOptions options = options_;
  options.onWorkerFailure = {};
  if (hangs(seen)) options.timeout = std::min(options.timeout, kShortDeadline);
  return options;
}

bool Investigation::failsAgain(const FailureSeen& seen, const Judgement& judgement) const {
  return isFailure(judgement.verdict) && std::ranges::any_of(seen.kinds, [&](const auto& kind) {
           return judgement.kinds.contains(kind.first);
         });
}

Investigation::Tally Investigation::tryAlone(const FailureSeen& seen, Lane& lane, uint64_t most) {
  Tally tally;
  const auto end = Clock::now() + kMostForTries;
  while (tally.tries < most && (tally.tries == 0 || Clock::now() < end) && !cancelled()) {
    ++tally.tries;
    if (failsAgain(seen, lane.tryCase(caseOf(seen)).judgement)) ++tally.failed;
  }
  return tally;
}

// Tries on, so that the numbers mean something.
When Investigation::sometimes(const FailureSeen& seen, Lane& lane, Tally tally) {
  if (tally.tries < kTally) {
    const Tally more = tryAlone(seen, lane, kTally - tally.tries);
    tally.failed += more.failed;
    tally.tries += more.tries;
  }
  return {.occurs = Occurs::Sometimes, .failed = tally.failed, .tries = tally.tries};
}

// `last`: another failure of the kind. Where the case always fails, lastPasses_ tells if that one
// does not: it may be of a second fault, which depends on history or on company.
When Investigation::askOne(const FailureSeen& seen, const FailureSeen* last) {
  lastPasses_ = false;
  endOfKind_ = Clock::now() + kMostForKind;
  searches_ = hangs(seen) ? kMostSlowSearches : kMostSearches;
  Tally alone;
  if (!hangs(seen)) alone = tryAlone(seen, used_, losesWorker(seen.kinds) ? 1 : kTries);
  if (alone.mixed()) return sometimes(seen, used_, alone);
  const bool failsInUsed = alone.always();
  const bool passesInUsed = alone.tries > 0 && !failsInUsed;
  used_.rest();  // new workers are to be alone

  Fresh fresh(*this, seen);
  const auto tryNew = [&] {
    const bool fails = fresh.fails();
    ++alone.tries;
    alone.failed += fails ? 1 : 0;
    return fails;
  };
  if (tryNew()) {
    if (passesInUsed) return sometimes(seen, fresh.lane, alone);
    lastPasses_ = last && last->place != seen.place && !fresh.fails(*last) && !spent();
    return {.occurs = Occurs::Always, .failed = alone.failed, .tries = alone.tries};
  }
  const bool failsSecond = tryNew();
  fresh.lane.rest();  // further new workers are to be alone, too
  if (failsSecond) {
    Fresh another(*this, seen);
    if (another.fails() || !another.fails()) return sometimes(seen, another.lane, alone);
    return {.occurs = Occurs::AfterCase,
            .after = schedule_.cases[seen.place].text,
            .failed = 2,
            .tries = 2};
  }
  if (auto when = askHistory(seen)) return *when;
  if (failsInUsed) {
    return {.occurs = Occurs::AfterRequests,
            .requests = std::max<uint64_t>(1, seen.sent.before),
            .failed = alone.failed,
            .tries = alone.failed};
  }
  if (auto when = askCompany(seen)) return *when;
  if (spent() || seen.onlyTogether) return {};
  return sometimes(seen, fresh.lane, alone);
}

bool Investigation::failsBehind(const FailureSeen& seen, std::vector<const Case*>& before) {
  for (int others = 0; others < kMostOthers && !spent(); ++others) {
    --searches_;
    Fresh fresh(*this, seen);
    const auto lost = fresh.lane.sendBefore(before);
    if (spent()) return false;
    if (!lost) return fresh.fails();
    if (!failsAgain(seen, lost->judgement)) return false;
    fresh.lane.rest();
    Lane alone(optionsFor(seen));
    const auto at = before.begin() + static_cast<std::ptrdiff_t>(lost->position);
    if (!failsAgain(seen, alone.tryCase(**at).judgement)) {
      before.erase(at, before.end());
      return true;
    }
    before.erase(at);  // it does so without history
  }
  return false;
}

std::vector<const Case*> Investigation::historyOf(const FailureSeen& seen) const {
  // A lost worker had got further cases; the one that lost it may be any of them.
  const auto& sent = seen.sent.process->cases;
  const size_t end =
      losesWorker(seen.kinds) ? sent.size() : std::min(seen.sent.before, sent.size());
  std::vector<const Case*> cases;
  for (size_t i = 0; i < end; ++i) cases.push_back(&schedule_.cases[sent[i]].testCase);
  return cases;
}

std::vector<const Case*> Investigation::tierBefore(const FailureSeen& seen, uint64_t count) {
  if (!before_) before_.emplace(tier_);
  return before_->of(caseOf(seen), count, [&](const Case& each) {
    return !options_.mode.descriptor(each) || used_.whyNotSent(each);
  });
}

std::optional<When> Investigation::askHistory(const FailureSeen& seen) {
  auto before = historyOf(seen);
  if (before.empty() || !failsBehind(seen, before)) return std::nullopt;
  if (!hangs(seen) && !failsBehind(seen, before)) return std::nullopt;  // by chance
  const uint64_t enough = before.size();
  if (enough == 0) return std::nullopt;

  // Does the number of cases suffice, whichever they are? Not every case need count, such as those
  // that execute nothing.
  const auto ofTier = [&](uint64_t count) { return tierBefore(seen, count); };
  for (uint64_t count = enough; count <= 4 * enough && !spent(); count *= 2) {
    auto tier = ofTier(count);
    if (failsBehind(seen, tier) && !tier.empty()) return fewestOf(seen, tier.size(), ofTier, true);
  }
  const auto ofHistory = [&](uint64_t count) {
    return std::vector<const Case*>(before.end() - static_cast<std::ptrdiff_t>(count),
                                    before.end());
  };
  return fewestOf(seen, enough, ofHistory, false);
}

// Halves the number of cases before. `enough` of them suffice; last(n): the last n.
std::optional<When> Investigation::fewestOf(
    const FailureSeen& seen, uint64_t enough,
    const std::function<std::vector<const Case*>(uint64_t)>& last, bool ofTier) {
  uint64_t few = enough, tooFew = 0;
  const auto canAsk = [&] { return searches_ > 0 && !spent(); };
  const auto ask = [&](uint64_t count) {
    auto before = last(count);
    if (failsBehind(seen, before) && !before.empty()) {
      few = std::clamp<uint64_t>(before.size(), tooFew + 1, few);
    } else if (!spent()) {
      tooFew = std::max(tooFew, count);
    }
  };
  const auto sufficesAlone = [&](const Case* one) {
    std::vector<const Case*> before{one};
    return canAsk() && failsBehind(seen, before);
  };
  // The first failure of a run is often the first possible one; else the case before matters most.
  if (few > 1 && canAsk()) ask(few - 1);
  if (few - tooFew > 1 && canAsk()) ask(1);
  while (few - tooFew > std::max<uint64_t>(1, few / 32) && canAsk()) {
    ask(tooFew + (few - tooFew) / 2);
  }
  const When byNumber{.occurs = Occurs::AfterRequests, .requests = few, .failed = 1, .tries = 1};
  if (few - tooFew > 1) return byNumber;
  const Case* const decisive = last(few).front();
  if (few > 1 && !sufficesAlone(decisive)) return byNumber;
  if (few == 1 && ofTier && sufficesAlone(last(2).front())) return byNumber;  // any other, too
  return When{.occurs = Occurs::AfterCase, .after = caseString(*decisive), .failed = 1, .tries = 1};
}

std::optional<When> Investigation::askCompany(const FailureSeen& seen) {
  if (jobs_ < 2 || spent()) return std::nullopt;
  Fresh fresh(*this, seen);
  Tally beside;
  {
    const Company company(options_, schedule_.cases, jobs_ - 1);
    beside = tryAlone(seen, fresh.lane, kTriesBeside);
  }
  if (beside.failed == 0) return std::nullopt;
  const Tally alone = tryAlone(seen, fresh.lane, beside.tries);
  if (alone.failed > 0) return sometimes(seen, fresh.lane, alone);
  return When{.occurs = Occurs::BesideWorkers,
              .workers = jobs_,
              .failed = beside.failed,
              .tries = beside.tries};
}

}  // namespace dmlcts
