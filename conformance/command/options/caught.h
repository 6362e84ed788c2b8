#pragma once

#include <string>
#include <vector>

#include "conformance/mutants/catalogue.h"
#include "reports/journal/journal.h"

// Decides whether a target was caught. A deliberately faulty target is caught if a run with this
// journal would exit with status 1 and no level at which it failed conforms. Every failure must
// also have a verdict and kinds that the target declares, so a timeout counts only if declared.

namespace dmlcts {

// The journal of some cases, run with one worker.
struct Record {
  Journal journal;
  std::vector<size_t> index;  // place in the schedule, one per entry
  std::string refused;        // why nothing ran, or ""
};

struct Catch {
  std::string target;
  bool caught = false;    // for a right target: as expected
  size_t casesTaken = 0;  // until the first catch, inclusive
  std::string family;
  std::string rules;
  std::string caseText;
  std::string how;  // verdict and message; if not caught, the reason
  std::string verdict;
  Kinds kinds;
  size_t catches = 0;                  // number of catches examined
  std::vector<std::string> onlyRules;  // rules that every catch exercises
};

// Judges a target that declares these signs, which must not be Where::Nowhere.
Catch judgeWrong(const Signs& signs, const Record& record);

// Judges a right target: it must come out as the reference does.
Catch judgeRight(const Record& record);

// Makes the journal's cases its whole tier, so that its levels can conform.
void treatAsWholeTier(Journal& journal);

// "guard-bytes, wrong-elements"
std::string listKinds(const Kinds& kinds);

}  // namespace dmlcts
