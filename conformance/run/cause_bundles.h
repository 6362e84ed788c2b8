#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "reports/journal/folder.h"
#include "reports/summary/summary.h"

// The failure bundles of a run: of each cause, the shortest case.

namespace dmlcts {

struct CauseBundles {
  const LaneOptions& options;
  const Schedule& schedule;
  const std::string& tier;
  uint32_t jobs = 1;
  const Folder& folder;
  const std::string& replayArguments;  // of `dmlcts replay`, without the case
  size_t most = 10;
  // Bundles that an earlier session wrote, by case string.
  std::map<std::string, std::string> earlier = {};
};

// Writes the bundles of the first causes, and shrinks the cases that always fail. Calls `take` for
// each one, once it is on the disk. Bundles of earlier sessions stay if they are still wanted, and
// are removed otherwise.
void writeBundles(const CauseBundles& wanted, const Report& report,
                  const std::function<void(size_t entry, const std::string& bundle)>& take);

}  // namespace dmlcts
