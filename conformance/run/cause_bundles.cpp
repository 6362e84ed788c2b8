#include "conformance/run/cause_bundles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "conformance/language/case_string.h"
#include "conformance/run/lane/company.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/replay/cases_before.h"
#include "conformance/run/replay/shrink.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr uint32_t kMostTries = 12;                     // of what fails only sometimes
constexpr ShrinkBudget kShrinkBudget{400, 72'000'000};  // some seconds for a large case

class Writer {
 public:
  explicit Writer(const CauseBundles& wanted) : wanted_(wanted) {
    options_ = wanted.options;
    options_.onWorkerFailure = {};
    for (size_t i = 0; i < wanted.schedule.cases.size(); ++i) {
      placeOf_.emplace(wanted.schedule.cases[i].text, i);
    }
    for (const auto& [text, bundle] : wanted.earlier) {
      const std::string_view number = std::string_view(bundle).substr(bundle.rfind('/') + 1);
      unsigned taken = 0;
      std::from_chars(number.data(), number.data() + number.size(), taken);
      next_ = std::max(next_, taken + 1);
    }
  }

  // Returns the bundle's path, or nothing for a case that cannot be written down.
  std::optional<std::string> write(const Report& report, const Cluster& cluster) {
    const JournalEntry& entry = report.cases[cluster.shortest];
    const auto place = placeOf_.find(entry.caseString);
    if (place == placeOf_.end()) return std::nullopt;
    const Case& testCase = wanted_.schedule.cases[place->second].testCase;
    const auto before = wanted_.earlier.find(entry.caseString);
    const bool isThere =
        before != wanted_.earlier.end() && isWholeBundle(wanted_.folder.path() / before->second);
    std::string path = isThere ? before->second : fmt::format("bundles/{:03}", next_++);
    if (!isThere &&
        !writeOne(path, entry, testCase, cluster.when, replayArguments(report, entry))) {
      return std::nullopt;
    }
    shrinkInto(path + "/shrunk", entry, testCase, cluster.when);
    return path;
  }

 private:
  Lane& lane() {
    if (!lane_) lane_.emplace(options_);
    return *lane_;
  }

  bool writeOne(const std::string& path, const JournalEntry& entry, const Case& testCase,
                const When& when, const std::string& replayArguments) {
    CaseOutcome trial{RunningCase(testCase), {}};
    if (losesWorker(entry.kinds)) {  // without an answer
      try {
        trial.prepared = prepare(testCase, 1, 1, 1, options_.mode);
      } catch (const std::exception&) {
        return false;  // too large to be written down
      }
    } else {
      trial = fail(testCase, entry, when);
    }
    if (trial.prepared.requests.empty()) return false;
    writeBundle(wanted_.folder, path,
                {trial.prepared, entry, lane().identity(), trial.answer ? &*trial.answer : nullptr,
                 "", replayArguments});
    return true;
  }

  // Runs the case in the circumstances in which it fails. The answer is kept only if it fails.
  CaseOutcome fail(const Case& testCase, const JournalEntry& entry, const When& when) {
    std::optional<Lane> fresh;
    std::optional<Company> company;
    if (when.occurs == Occurs::AfterRequests) {
      if (!tier_) tier_.emplace(*parseTier(wanted_.tier));
      fresh.emplace(options_).sendBefore(tier_->of(testCase, when.requests, [&](const Case& each) {
        return !options_.mode.descriptor(each) || lane().whyNotSent(each);
      }));
    } else if (when.occurs == Occurs::AfterCase) {
      const Case before = parseCase(when.after);
      fresh.emplace(options_).tryCase(before);
    } else if (when.occurs == Occurs::BesideWorkers) {
      company.emplace(options_, wanted_.schedule.cases, wanted_.jobs - 1);
    }
    const bool byChance = when.occurs == Occurs::Sometimes || when.occurs == Occurs::BesideWorkers;
    Lane& in = fresh ? *fresh : lane();
    for (uint32_t tries = byChance ? kMostTries : 1;; --tries) {
      CaseOutcome trial = in.tryCase(testCase);
      const bool fails = std::ranges::any_of(entry.kinds, [&](const auto& kind) {
        return trial.judgement.kinds.contains(kind.first);
      });
      if (!fails) trial.answer.reset();
      if (fails || tries <= 1) return trial;
    }
  }

  // A simpler case need not fail behind the same cases, or beside others.
  void shrinkInto(const std::string& path, const JournalEntry& entry, const Case& testCase,
                  const When& when) {
    const bool always = when.occurs == Occurs::Always || when.occurs == Occurs::Unknown;
    if (!always || entry.verdict == Verdict::Flaky || entry.verdict == Verdict::Timeout) return;
    if (isWholeBundle(wanted_.folder.path() / path)) return;
    const std::string signature = failureSignature(entry);
    const auto stillFails = [&](const Case& candidate) {
      return options_.mode.descriptor(candidate) &&
             failureSignature(lane().tryCase(candidate).judgement) == signature;
    };
    const Case smallest = shrink(testCase, stillFails, kShrinkBudget).smallest;
    if (smallest == testCase) return;
    const CaseOutcome trial = lane().tryCase(smallest);
    if (trial.prepared.requests.empty()) return;
    writeBundle(
        wanted_.folder, path,
        {trial.prepared, trial.judgement, lane().identity(),
         trial.answer ? &*trial.answer : nullptr, entry.caseString, wanted_.replayArguments});
  }

  const CauseBundles& wanted_;
  LaneOptions options_;
  std::unordered_map<std::string, size_t> placeOf_;
  std::optional<Lane> lane_;
  std::optional<CasesBefore> tier_;
  unsigned next_ = 1;
};

}  // namespace

void writeBundles(const CauseBundles& wanted, const Report& report,
                  const std::function<void(size_t entry, const std::string& bundle)>& take) {
  std::set<std::string> used;
  Writer writer(wanted);
  for (const Cluster& cluster : report.clusters) {
    if (used.size() >= wanted.most) break;
    const Verdict verdict = report.cases[cluster.shortest].verdict;
    if (!isFailure(verdict) || verdict == Verdict::UnexpectedPass) continue;
    if (const auto bundle = writer.write(report, cluster)) {
      used.insert(*bundle);
      take(cluster.shortest, *bundle);
    }
  }
  for (const auto& [text, bundle] : wanted.earlier) {
    if (!used.contains(bundle)) wanted.folder.removeFolder(bundle);
  }
}

}  // namespace dmlcts
