// Mutants of our acceptance of descriptors (conformance/mutants/generated): the smoke tier tells
// nearly all of those from the original that any descriptor does. Drawn descriptors decide which
// ones do; the others repeat another rule, shorten a search or read past an end.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "conformance/cases/case_string.h"
#include "conformance/cases/tiers.h"
#include "conformance/mutants/generated/mutation.h"
#include "fuzz/generators.h"
#include "gpu/operators/operators.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr uint64_t kDrawn = 100'000;
constexpr unsigned kHangs = 600;  // seconds of a mutant

// Returns the first case that the chosen mutant answers otherwise, or nullptr. It may crash or
// hang: in a process of its own, which leaves the case it is at.
const Case* differing(int mutant, const std::vector<Case>& cases, size_t* at) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kHangs);
    mutants::chosen() = mutant;
    for (*at = 0; *at < cases.size(); ++*at) {
      const Case& each = cases[*at];
      if (gpu::accepts(each.descriptor, each.level) != (each.expect != Expect::Reject)) break;
    }
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return *at < cases.size() ? &cases[*at] : nullptr;
}

TEST(Acceptance, SmokeCatchesMutantsOfItsConditions) {
  void* const shared = mmap(nullptr, mutants::kMostMutants + sizeof(size_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const at = static_cast<size_t*>(shared);
  const std::vector<Case> smoke = cases(Tier::Smoke);
  std::vector<Case> drawn;
  for (uint64_t i = 0; i < kDrawn; ++i) {
    const Case each = fuzzCase(1, i);
    if (check(each.descriptor, each.level).size() <= 1) drawn.push_back(each);
  }
  mutants::reached() = reinterpret_cast<char*>(at + 1);
  for (const Case& each : smoke) gpu::accepts(each.descriptor, each.level);
  const std::string reached(mutants::reached(), mutants::kMostMutants);
  mutants::reached() = nullptr;

  constexpr int kNone = -1;
  ASSERT_EQ(differing(kNone, smoke, at), nullptr) << caseString(smoke[*at]);
  ASSERT_EQ(differing(kNone, drawn, at), nullptr) << caseString(drawn[*at]);
  size_t caught = 0;
  std::string missed;
  size_t misses = 0;
  for (size_t mutant = 0; mutant < reached.size(); ++mutant) {
    if (reached[mutant] == 0) continue;
    if (differing(static_cast<int>(mutant), smoke, at)) {
      ++caught;
    } else if (const Case* one = differing(static_cast<int>(mutant), drawn, at)) {
      ++misses;
      missed += std::to_string(mutant) + ": " + caseString(*one) + "\n";
    }
  }
  EXPECT_GT(caught, 500u);
  EXPECT_GE(100 * caught, 99 * (caught + misses)) << missed;
}

}  // namespace
}  // namespace dmlcts
