#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "fuzz/relations.h"

namespace dmlcts {

// Something that a target can fail: a single case, a case after others, a relation, or agreement
// with another target.
struct Subject {
  Case testCase;
  std::vector<Case> before;            // run first, in a fresh worker; usually none
  const Relation* relation = nullptr;  // relation to test on testCase; null for the case itself
  bool against = false;                // compares with the other target
};

// True for judgements that fuzzing searches for.
bool isFinding(const Judgement& judgement);

// Hashes an answer: acceptance, and the defined bits of the outputs. Equal for targets that agree.
// Nothing if the target does not support the case.
std::optional<uint64_t> fingerprint(const PreparedCase& prepared, const Judgement& judgement,
                                    const std::optional<gpu::Answer>& answer);

// Judges two targets that answer differently; `there` is from the target named `other`.
Judgement disagreement(const Judgement& here, const Judgement& there, const std::string& other);

// Tests subjects one by one, each with three executions with different poison.
class Tester {
 public:
  // `against`: the other target, or nullptr. `over`: nothing more should be tested; see over().
  Tester(LaneOptions target, const LaneOptions* against, std::function<bool()> over = {});

  // Tests take as long as they take: whoever makes many of them asks in between.
  bool over() const { return over_ && over_(); }

  // The judgement of the subject: the first failure of at most `attempts`, of one once over().
  Judgement test(const Subject& subject, int attempts = 1);

  // Tests a relation for the first time. If one of its cases fails by itself, `subject` becomes
  // that case. NotAsked if the target does not support the relation's cases.
  Judgement explore(Subject& subject) { return testRelation(subject, &subject); }

  // Returns the outputs of a case, to the relation that is tested. Once one of its cases fails by
  // itself or does not run, returns zeros: the relation then has no say.
  Outputs outputs(const Case& testCase);

  // The last case run, for a failure bundle.
  const std::optional<CaseOutcome>& lastTrial() const { return trial_; }
  const gpu::Identity& identity() { return lane().identity(); }
  uint64_t executions() const { return executions_; }

 private:
  Lane& lane();
  Judgement testOnce(const Subject& subject);
  Judgement testCase(const Case& testCase);
  Judgement compareTargets(const Case& testCase);
  // `failing` receives a case that fails by itself; without it, that is another failure.
  Judgement testRelation(const Subject& subject, Subject* failing);

  LaneOptions options_;
  std::function<bool()> over_;
  std::optional<LaneOptions> againstOptions_;
  std::optional<Lane> lane_;
  std::optional<Lane> against_;
  std::optional<Case> trialCase_;  // the trial's prepared case points here
  std::optional<CaseOutcome> trial_;
  std::optional<std::pair<Case, Judgement>> unrelated_;  // a relation's case without usable outputs
  uint64_t executions_ = 0;
};

}  // namespace dmlcts
