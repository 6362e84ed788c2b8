#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/oracle_target.h"

// The deliberately wrong implementations that the suite must catch, by what is wrong with them.

namespace dmlcts {

struct Mutant {
  std::string name;         // as in "mutant:NAME"
  std::string description;  // what it does wrong, one sentence
  Mutation mutation;
};

// Each group lives in a file of its own; mutants() joins them.
std::vector<Mutant> valueMutants();       // which elements count as non-zero, which bits move
std::vector<Mutant> rowMutants();         // order of rows, counts, columns, boundaries
std::vector<Mutant> indexMutants();       // sign, width and place of indices
std::vector<Mutant> memoryMutants();      // strides, gaps, neighbours, inputs
std::vector<Mutant> acceptanceMutants();  // wrong acceptance, wrong rejection, level gates
std::vector<Mutant> behaviourMutants();   // stale state, nondeterminism, crash, hang, removal

const std::vector<Mutant>& mutants();

// The mutant with that name, or nullptr.
const Mutant* findMutant(std::string_view name);

}  // namespace dmlcts
