#include "conformance/mutants/catalogue.h"

#include <algorithm>
#include <iterator>

namespace dmlcts {

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> joined;
    for (auto group : {valueMutants(), rowMutants(), indexMutants(), batchMutants(),
                       memoryMutants(), acceptanceMutants(), behaviourMutants(), poisonMutants(),
                       processMutants(), historyMutants()}) {
      std::ranges::move(group, std::back_inserter(joined));
    }
    return joined;
  }();
  return all;
}

const Mutant* findMutant(std::string_view name) {
  const auto found = std::ranges::find(mutants(), name, &Mutant::name);
  return found == mutants().end() ? nullptr : &*found;
}

}  // namespace dmlcts
