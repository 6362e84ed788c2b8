#include "fuzz/finding.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/facts/explanation.h"
#include "conformance/language/case_string.h"
#include "conformance/run/replay/shrink.h"
#include "fuzz/generators.h"
#include "reference/counted.h"
#include "reference/tensor.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

constexpr int kBudget = 600;
constexpr int kSlowBudget = 40;              // if each try costs a worker or a deadline
constexpr int kFlakyBudget = 60;             // if each try is repeated many times
constexpr uint64_t kMostMoved = 72'000'000;  // moved in all tries together
constexpr int kFlakyAttempts = 100;          // each has three executions

bool isSlow(const Judgement& judgement) {
  return judgement.verdict == Verdict::Timeout || judgement.verdict == Verdict::Crash ||
         judgement.verdict == Verdict::DeviceRemoved || judgement.verdict == Verdict::InternalError;
}

// Determines how to reproduce the failure; false if it does not recur.
bool reproduce(Finding& finding, const std::vector<Case>& ranBefore, Tester& tester) {
  const auto fails = [&](const Subject& subject, int attempts) {
    if (tester.over()) return false;
    const Judgement judgement = tester.test(subject, attempts);
    if (!isFinding(judgement)) return false;
    finding.subject = subject;
    finding.attempts = attempts;
    finding.judgement = judgement;
    return true;
  };
  Subject subject = finding.subject;
  if (fails(subject, 1)) return true;
  if (subject.relation || subject.against) return fails(subject, kFlakyAttempts);
  for (size_t count = 1; !ranBefore.empty(); count *= 2) {
    count = std::min(count, ranBefore.size());
    subject.before.assign(ranBefore.end() - static_cast<ptrdiff_t>(count), ranBefore.end());
    if (fails(subject, 1)) return true;
    if (count == ranBefore.size()) break;
  }
  subject.before.clear();
  return fails(subject, kFlakyAttempts);
}

// Drops preceding cases that make no difference.
void shrinkBefore(Finding& finding, Tester& tester) {
  for (size_t i = 0; i < finding.subject.before.size() && !tester.over();) {
    Subject without = finding.subject;
    without.before.erase(without.before.begin() + static_cast<ptrdiff_t>(i));
    ++finding.tries;
    if (failureSignature(tester.test(without, finding.attempts)) == finding.kind) {
      finding.subject = without;
      ++finding.steps;
    } else {
      ++i;
    }
  }
}

// Shrinks the finding's case, and says which parts of it matter.
void shrinkSubject(Finding& finding, Tester& tester) {
  const auto judged = [&](const Subject& subject) {
    if (tester.over()) return Judgement{};
    return tester.test(subject, finding.attempts);
  };
  const bool slow = isSlow(finding.judgement) || !finding.subject.before.empty();
  const int budget = finding.attempts > 1 ? kFlakyBudget : slow ? kSlowBudget * 2 : kBudget;
  const auto with = [&](const Case& candidate) {
    Subject subject = finding.subject;
    subject.testCase = candidate;
    return subject;
  };
  const auto stillFails = [&](const Case& candidate) {
    return failureSignature(judged(with(candidate))) == finding.kind;
  };
  const std::string_view family = finding.subject.testCase.family;
  const Shrunk shrunk = shrink(finding.subject.testCase, stillFails, {budget, kMostMoved});
  finding.subject.testCase = shrunk.smallest;
  finding.steps += shrunk.steps;
  finding.tries += shrunk.tries;
  finding.subject.testCase.family = family;
  if (finding.attempts > 1 || finding.judgement.verdict == Verdict::Timeout) return;
  const Case smallest = finding.subject.testCase;
  const auto elements = elementCount(tensors(smallest.descriptor)[0].desc->sizes);
  const uint64_t most = kMostMoved / 8 / std::max<uint64_t>(1, elements.value_or(1));
  const auto test = [&](const Case& variant) {
    if (tester.over()) return Evidence::None;
    const Judgement of = judged(with(variant));
    if (of.verdict == Verdict::Pass) return Evidence::Passes;
    return failureSignature(of) == finding.kind ? Evidence::Fails : Evidence::None;
  };
  finding.matters = whatMatters(
      smallest, test, static_cast<int>(std::min<uint64_t>(slow ? kSlowBudget : kBudget, most)));
}

}  // namespace

std::vector<std::string> whatMatters(const Case& testCase,
                                     const std::function<Evidence(const Case&)>& test, int budget) {
  Explainer explainer;
  explainer.add(testCase, quickTraitsOf(testCase));
  std::vector<Evidence> evidence{Evidence::Fails};
  std::vector<std::string> any;  // parts whose every value fails
  for (const Variants& part : variantsOf(testCase)) {
    size_t fail = 0;
    size_t pass = 0;
    for (const Case& each : part.cases) {
      if (budget-- <= 0) break;
      explainer.add(each, quickTraitsOf(each));
      evidence.push_back(test(each));
      fail += evidence.back() == Evidence::Fails ? 1 : 0;
      pass += evidence.back() == Evidence::Passes ? 1 : 0;
    }
    if (budget < 0) break;  // nothing is known of the rest of this part
    if (fail > 0 && pass == 0) any.push_back(part.part);
  }
  std::vector<std::string> lines;
  for (const Cause& cause : explainer.explain(evidence)) {
    if (std::ranges::find(cause.cases, size_t{0}) == cause.cases.end() || cause.terms.empty()) {
      continue;
    }
    lines.push_back(fmt::format("{}: {} of {} {}", cause.text(), cause.cases.size(),
                                counted(cause.cases.size() + cause.passing, "variant"),
                                cause.cases.size() == 1 ? "fails" : "fail"));
    for (const Cause::Term& term : cause.terms) {
      lines.push_back(passWithout(term.passWithout, "variant", term.text, cause.terms.size() > 1));
    }
  }
  if (!any.empty()) lines.push_back(fmt::format("any {}", fmt::join(any, ", any ")));
  return lines;
}

std::optional<Finding> investigate(const Subject& found, const Judgement& judgement,
                                   const std::vector<Case>& ranBefore, const std::string& foundAs,
                                   Tester& tester) {
  if (tester.over()) return std::nullopt;
  Finding finding;
  finding.subject = found;
  finding.judgement = judgement;
  finding.foundAs = foundAs;
  finding.confirmed = reproduce(finding, ranBefore, tester);
  finding.kind = failureSignature(finding.judgement);
  if (!finding.confirmed && tester.over()) return std::nullopt;
  if (!finding.confirmed) return finding;

  shrinkBefore(finding, tester);
  shrinkSubject(finding, tester);
  finding.cut = tester.over();
  if (finding.cut) finding.matters.clear();  // of some of the variants
  // Last, so that the tester's last trial is the finding's.
  const Judgement last = tester.test(finding.subject, finding.attempts);
  if (isFinding(last)) finding.judgement = last;
  return finding;
}

std::string describe(const Finding& finding, const std::string& arguments) {
  const Subject& subject = finding.subject;
  const std::string smallest = caseString(subject.testCase);
  std::string text = fmt::format("{}: {}\n", name(finding.judgement.verdict),
                                 plainLine(finding.judgement.message));
  text += fmt::format("  found as  {}\n", finding.foundAs);
  for (const Case& each : subject.before) text += fmt::format("  after     {}\n", caseString(each));
  text += fmt::format("  smallest  {}\n            ({}, {})\n", smallest,
                      counted(finding.steps, "step"),
                      finding.tries == 1 ? "1 try" : grouped(finding.tries) + " tries");
  if (subject.relation) {
    text += fmt::format("  relation  {} ({}: {})\n", subject.relation->statement,
                        subject.relation->name, subject.relation->because);
  }
  text += fmt::format(
      "  replay    {}\n",
      replayLine(fmt::format("{} --repeat {}", arguments, 3 * finding.attempts), smallest));
  if (!finding.confirmed) text += "  it did not happen again\n";
  if (finding.cut) text += "  the time was up: it may get smaller\n";
  if (finding.attempts > 1) text += "  it is intermittent: not every run shows it\n";
  for (const Difference& each : finding.judgement.differences) {
    text += fmt::format("  differs   {}\n", plainLine(each.text()));
  }
  for (const std::string& line : finding.matters) text += fmt::format("  matters   {}\n", line);
  return text;
}

}  // namespace dmlcts
