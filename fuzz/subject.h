#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/lane.h"
#include "fuzz/relations.h"

namespace dmlcts {

// Something that a target can fail: a case by itself, a case after others, a relation, or a case
// that another target answers differently.
struct Subject {
  Case testCase;
  std::vector<Case> before;            // run first, in a fresh worker; usually none
  const Relation* relation = nullptr;  // of testCase; null for the case itself
  bool against = false;                // whether the other target answers the same
};

// Whether a judgement is something that fuzzing looks for.
bool isFinding(const Judgement& judgement);

// What an answer says about the case, as a number: whether it was accepted, and the bits of what
// the reference finds defined in the outputs. Equal for targets that agree. Nothing where the
// target does not support the case.
std::optional<uint64_t> fingerprint(const PreparedCase& prepared, const Judgement& judgement,
                                    const gpu::Answer* answer);

// What two targets that answer differently are judged by; `there` is of the target named `other`.
Judgement disagreement(const Judgement& here, const Judgement& there, const std::string& other);

// Tests subjects one by one, each execution three times over with different poison.
class Tester {
 public:
  // `against`: the other target, or nullptr.
  Tester(LaneOptions target, const LaneOptions* against);

  // The judgement of the subject: the first failure of at most `attempts`.
  Judgement test(const Subject& subject, int attempts = 1);

  // Runs a relation for its first time. When one of its cases fails by itself, `subject` becomes
  // that case, and the judgement is about it. Nothing when the target does not support it.
  std::optional<Judgement> explore(Subject& subject);

  // The last case that was run, for a failure bundle.
  const std::optional<Lane::Trial>& lastTrial() const { return trial_; }
  const gpu::Identity& identity() { return lane().identity(); }
  uint64_t executions() const { return executions_; }

 private:
  Lane& lane();
  Judgement testOnce(const Subject& subject);
  Judgement testCase(const Case& testCase);
  Judgement compareTargets(const Case& testCase);

  LaneOptions options_;
  std::optional<LaneOptions> againstOptions_;
  std::optional<Lane> lane_;
  std::optional<Lane> against_;
  std::optional<Case> trialCase_;  // the trial's prepared case points here
  std::optional<Lane::Trial> trial_;
  uint64_t executions_ = 0;
};

}  // namespace dmlcts
