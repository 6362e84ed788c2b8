#include "fuzz/subject.h"

#include <fmt/format.h>

#include "conformance/language/case_string.h"
#include "conformance/language/hash.h"
#include "conformance/language/npy.h"
#include "reference/tensor.h"
#include "reports/journal/verdict.h"

namespace dmlcts {
namespace {

constexpr uint32_t kRepeat = 3;

}  // namespace

bool isFinding(const Judgement& judgement) {
  return isFailure(judgement.verdict) || judgement.verdict == Verdict::InternalError;
}

std::optional<uint64_t> fingerprint(const PreparedCase& prepared, const Judgement& judgement,
                                    const std::optional<gpu::Answer>& answer) {
  if (judgement.verdict == Verdict::NotSupported || judgement.verdict == Verdict::NotAsked ||
      judgement.verdict == Verdict::Skipped) {
    return std::nullopt;
  }
  Fnv1a hash;
  if (!answer) {
    hash.add(static_cast<uint8_t>(judgement.verdict));
    return hash.value();
  }
  hash.add(static_cast<uint8_t>(answer->status));
  if (answer->status != gpu::Status::Executed) return hash.value();
  for (size_t i = 0; i < answer->outputs.size() && i < prepared.expected.size(); ++i) {
    const ReferenceOutput& expected = prepared.expected[i];
    const uint64_t offset = prepared.requests.front().outputs[i].offset;
    for (size_t at = 0; at < expected.status.size(); ++at) {
      if (expected.status[at] == ByteStatus::Defined) hash.add(answer->outputs[i].at(offset + at));
    }
  }
  return hash.value();
}

Judgement disagreement(const Judgement& here, const Judgement& there, const std::string& other) {
  const auto text = [](const Judgement& judgement) {
    return fmt::format("{}{}{}", name(judgement.verdict), judgement.message.empty() ? "" : ", ",
                       judgement.message);
  };
  Kinds kinds = here.kinds;
  for (const auto& [kind, count] : there.kinds) kinds[kind] = std::max(kinds[kind], count);
  // No ":" before the text that distinguishes kinds of disagreement.
  return {Verdict::Fail,
          fmt::format("differs from {}, there {} - here {}", other, text(there), text(here)),
          here.differences.empty() ? there.differences : here.differences, std::move(kinds)};
}

Tester::Tester(LaneOptions target, const LaneOptions* against, std::function<bool()> over)
    : options_(std::move(target)), over_(std::move(over)) {
  options_.repeat = kRepeat;
  if (against) againstOptions_ = *against;
}

Lane& Tester::lane() {
  if (!lane_) lane_.emplace(options_);
  return *lane_;
}

Judgement Tester::testCase(const Case& testCase) {
  ++executions_;
  trialCase_ = testCase;
  trial_ = lane().tryCase(*trialCase_);
  return trial_->judgement;
}

Judgement Tester::compareTargets(const Case& testCase) {
  this->testCase(testCase);
  const auto here = fingerprint(trial_->prepared, trial_->judgement, trial_->answer);
  if (!against_) against_.emplace(*againstOptions_);
  const CaseOutcome other = against_->tryCase(*trialCase_);
  const auto there = fingerprint(other.prepared, other.judgement, other.answer);
  if (!here || !there || *here == *there) return {Verdict::Pass, "", {}};
  return disagreement(trial_->judgement, other.judgement, against_->identity().target);
}

Judgement Tester::testOnce(const Subject& subject) {
  if (!subject.before.empty()) lane_.reset();
  for (const Case& each : subject.before) testCase(each);
  if (subject.against) return compareTargets(subject.testCase);
  if (!subject.relation) return testCase(subject.testCase);
  if (!subject.relation->applies(subject.testCase)) return {Verdict::Pass, "", {}};
  return testRelation(subject, nullptr);
}

Judgement Tester::testRelation(const Subject& subject, Subject* failing) {
  unrelated_.reset();
  const std::string text = subject.relation->violation(subject.testCase, *this);
  if (!unrelated_) {
    if (text.empty()) return {Verdict::Pass, "", {}};
    return {Verdict::Fail, fmt::format("relation {}: {}", subject.relation->name, text), {}};
  }
  auto& [testCase, judgement] = *unrelated_;
  if (!isFinding(judgement)) {
    return {Verdict::NotAsked, "the target does not run all cases of the relation", {}};
  }
  if (!failing) return {Verdict::Pass, "", {}};
  testCase.family = subject.testCase.family;
  *failing = {std::move(testCase), {}, nullptr, false};
  return std::move(judgement);
}

Outputs Tester::outputs(const Case& testCase) {
  if (!unrelated_) {
    Judgement judgement{Verdict::NotAsked};
    if (!over()) judgement = test({testCase, {}, nullptr, false});
    // An arguable result follows another reading of the documents, so it has no relation to others.
    const bool relates =
        judgement.verdict == Verdict::Pass || judgement.verdict == Verdict::Vacuous;
    const bool executed =
        relates && trial_->answer && trial_->answer->status == gpu::Status::Executed;
    if (!executed) unrelated_.emplace(testCase, std::move(judgement));
  }
  Outputs outputs;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    if (!slot.isOutput) continue;
    if (unrelated_) {
      outputs.emplace_back(elementCount(slot.desc->sizes).value() * info(slot.desc->type).bytes);
      continue;
    }
    const gpu::Request& request = trial_->prepared.requests.front();
    const gpu::BufferImage& image = request.outputs[outputs.size()];
    const std::vector<uint8_t>& bytes = trial_->answer->outputs[outputs.size()];
    outputs.push_back(
        packedElements(*slot.desc, std::span(bytes).subspan(image.offset, image.size)));
  }
  return outputs;
}

Judgement Tester::test(const Subject& subject, int attempts) {
  Judgement judgement;
  for (int i = 0; i < attempts; ++i) {
    judgement = testOnce(subject);
    if (isFinding(judgement) || over()) break;
  }
  return judgement;
}

}  // namespace dmlcts
