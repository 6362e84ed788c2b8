// Mutants of our acceptance (conformance/mutants/generated): smoke catches nearly all of those that
// a drawn descriptor tells from the original. The others repeat a rule or shorten a search.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "conformance/language/case_string.h"
#include "conformance/mutants/generated/mutation.h"
#include "conformance/tiers/tiers.h"
#include "fuzz/generators.h"
#include "gpu/operators/operators.h"
#include "reference/rules.h"

namespace dmlcts {

// True if the chosen mutant answers a case otherwise: cases[*at]. It may crash or hang there, so it
// has a process of its own.
static bool differs(int mutant, const std::vector<Case>& cases, size_t* at) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(600);
    mutation::chosen() = mutant;
    for (*at = 0; *at < cases.size(); ++*at) {
      const Case& each = cases[*at];
      if (gpu::accepts(each.descriptor, each.level) != (each.expect != Expect::Reject)) break;
    }
    _exit(0);
  }
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  return *at < cases.size();
}

TEST(Acceptance, SmokeCatchesMutantsOfItsConditions) {
  void* const shared = mmap(nullptr, mutation::kMostMutants + sizeof(size_t),
                            PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const at = static_cast<size_t*>(shared);
  const std::vector<Case> smoke = cases(Tier::Smoke);
  std::vector<Case> drawn;
  for (uint64_t i = 0; i < 100'000; ++i) {
    const Case each = fuzzCase(1, i);
    if (check(each.descriptor, each.level).size() <= 1) drawn.push_back(each);
  }
  mutation::reached() = reinterpret_cast<char*>(at + 1);
  for (const Case& each : smoke) gpu::accepts(each.descriptor, each.level);
  const std::string reached(mutation::reached(), mutation::kMostMutants);
  mutation::reached() = nullptr;

  ASSERT_FALSE(differs(-1, smoke, at)) << caseString(smoke[*at]);
  ASSERT_FALSE(differs(-1, drawn, at)) << caseString(drawn[*at]);
  std::string missed;
  int caught = 0;
  int misses = 0;
  for (int mutant = 0; mutant < static_cast<int>(mutation::kMostMutants); ++mutant) {
    if (reached[static_cast<size_t>(mutant)] == 0) continue;
    if (differs(mutant, smoke, at)) {
      ++caught;
    } else if (differs(mutant, drawn, at)) {
      ++misses;
      missed += std::to_string(mutant) + ": " + caseString(drawn[*at]) + "\n";
    }
  }
  EXPECT_GT(caught, 500);
  EXPECT_GE(100 * caught, 99 * (caught + misses)) << missed;
}

}  // namespace dmlcts
