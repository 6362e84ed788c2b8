#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/mutants/catalogue.h"
#include "reports/journal/journal.h"

// Whether a target was caught. A wrong one is caught when a run with this journal exits with status
// 1, no level that it breaks holds, and everything that went wrong has the verdict and the kinds
// that it declares. A timeout counts only if it declares one, an internal error never.

namespace dmlcts {

// What a run of some cases with one worker journals.
struct Record {
  Journal journal;
  std::vector<size_t> index;  // in the schedule, of each entry
  std::string refused;        // why nothing ran, where nothing did
};

struct Catch {
  std::string target;
  bool caught = false;    // or, of a right target, as expected
  size_t casesTaken = 0;  // until the first case that caught it, that one counted
  std::string family;
  std::string rules;
  std::string caseText;
  std::string how;  // verdict and message; where it was not caught, why not
  std::string verdict;
  Kinds kinds;
  size_t catches = 0;                  // that were looked at
  std::vector<std::string> onlyRules;  // that every one of them exercises
};

// Of a target that shows these signs, which are not Where::Nowhere.
Catch judgeWrong(const Signs& signs, const Record& record);

// Of a right one: whether it comes out as the reference does.
Catch judgeRight(const Record& record);

// Of a target of which nothing is known but that something was changed in it: anything but a pass
// catches it, a worker that does not start too.
Catch judgeChanged(const Record& record);

// Makes a journal of some cases one of a tier that has no others, so that its levels conform unless
// something keeps them from it.
void takeForWholeTier(Journal& journal);

// "guard-bytes, wrong-elements"
std::string listKinds(const Kinds& kinds);

}  // namespace dmlcts
