#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/cases/parameter_space.h"
#include "conformance/cases/tiers.h"
#include "reports/journal/journal.h"

// Combinatorial coverage (Kuhn, Mendonza, Kacker, Lei 2013, "Combinatorial coverage measurement
// concepts and applications"): which of the possible combinations of the values of any two, or any
// three, parameters occur together in some case that executed.

namespace dmlcts {

struct Coverage {
  uint32_t strength = 2;  // 2: pairs, 3: triples
  uint64_t possible = 0;
  uint64_t covered = 0;
  std::vector<PartialLabels> missing;  // in the order of parameters and values

  double percent() const;
};

// "level 3.0, rank 5"
std::string textOf(const PartialLabels& labels);

// Whether a target executed the case, and its data could tell a wrong answer.
bool countsForCoverage(const JournalEntry& entry);

// Labels that cover what the cases do that a target executed and that are not weak, as the journals
// say. None where those do not: older ones do not.
std::set<Labels> labelsOf(const std::vector<JournalEntry>& cases);
std::set<Labels> labelsOf(std::span<const Journal> journals);

// Of any number of labels, some that cover what all of them do: at most one for each triple.
class CoveringLabels {
 public:
  // Of a case that executes. Weak cases (cases/weak.h) are left out, and labels of what cannot be,
  // as indices out of range. `isWeak` may take its time: it is asked where the labels add
  // something.
  void add(const Labels& labels, const std::function<bool()>& isWeak);

  const std::set<Labels>& get() const { return kept_; }

 private:
  std::vector<bool> seen_;  // triples, by number
  std::set<Labels> kept_;
};

// Of the combinations that the tier has: Default, or pairs of Large.
Coverage measureCoverage(const std::set<Labels>& seen, uint32_t strength,
                         Tier tier = Tier::Default);

// "coverage: 100.00 % of 2784 pairs, 98.61 % of 54258 triples of parameter values".
std::string coverageLine(const Coverage& pairs, const Coverage& triples);

// A line for pairs, a line for triples, and under each at most `most` missing combinations; of no
// labels, that no coverage was recorded.
std::string coverageText(const std::set<Labels>& seen, size_t most);

}  // namespace dmlcts
