#include "conformance/mutants/catalogue.h"

#include <algorithm>
#include <iterator>

namespace dmlcts {

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> joined;
    for (auto group :
         {valueMutants(), rowMutants(), indexMutants(), batchMutants(), memoryMutants(),
          acceptanceMutants(), behaviourMutants(), poisonMutants(), processMutants()}) {
      std::ranges::move(group, std::back_inserter(joined));
    }
    return joined;
  }();
  return all;
}

const std::vector<Mutant>& sequenceMutants() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> made;
    for (const gpu::SequenceMutantInfo& info : gpu::kSequenceMutants) {
      Mutant mutant{"sequence." + std::string(info.name), std::string(info.description), {}, {}};
      mutant.mutation.sequences = info.name;
      mutant.signs.where = Signs::Where::Nowhere;
      made.push_back(std::move(mutant));
    }
    return made;
  }();
  return all;
}

const Mutant* findMutant(std::string_view name) {
  for (const std::vector<Mutant>* all : {&mutants(), &sequenceMutants()}) {
    const auto found = std::ranges::find(*all, name, &Mutant::name);
    if (found != all->end()) return &*found;
  }
  return nullptr;
}

}  // namespace dmlcts
