#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/oracle_target.h"
#include "reports/journal/kinds.h"
#include "reports/journal/verdict.h"

// The deliberately wrong implementations that the suite must catch, by what is wrong with them.

namespace dmlcts {

// How the suite must catch a mutant. Anything else, a timeout or an internal error above all, is
// not what it was made for, and does not count.
struct Signs {
  enum class Where : uint8_t {
    InCases,       // cases fail
    BetweenCases,  // no case need fail: its worker does, and so does the run
    InIdentity,    // two of its processes say that they are different devices: nothing runs
    Nowhere,       // it is right, and awkward: it must come out as the reference does
  };
  std::vector<Verdict> verdicts{Verdict::Fail};               // one of these
  std::vector<std::string_view> kinds{kind::kWrongElements};  // these and no others
  Where where = Where::InCases;
};

// The rules of which reports must name one as broken; none where nobody can tell which it is.
using Breaks = std::vector<std::string_view>;
inline const Breaks kMoved{"gather_nd.gather", "gather_nd1.gather"};
inline const Breaks kValues{"gather_nd.gather", "gather_nd1.gather", "nonzero_coordinates.nonzero",
                            "nonzero_coordinates.count", "nonzero_coordinates.coordinates"};

struct Mutant {
  std::string name;         // as in "mutant:NAME"
  std::string description;  // what it does wrong, one sentence
  Breaks breaks;
  Mutation mutation;
  Signs signs = {};
  // The tier whose tensors alone show it; "" for one that all but these two show.
  std::string_view needsTier = {};  // "", "large", "huge"
};

// Each group lives in a file of its own; mutants() joins them.
std::vector<Mutant> valueMutants();       // which elements count as non-zero, which bits move
std::vector<Mutant> rowMutants();         // order of rows, counts, columns, boundaries
std::vector<Mutant> indexMutants();       // sign, width and place of indices
std::vector<Mutant> batchMutants();       // batch dimensions, elements of 64 bits
std::vector<Mutant> memoryMutants();      // strides, gaps, neighbours, inputs
std::vector<Mutant> acceptanceMutants();  // wrong acceptance, wrong rejection, level gates
std::vector<Mutant> behaviourMutants();   // stale state, nondeterminism, crash, hang, removal
std::vector<Mutant> poisonMutants();      // use of what lies in outputs, or of where they lie
std::vector<Mutant> processMutants();     // what only messages and processes show

const std::vector<Mutant>& mutants();

// Those that are wrong in sequences of calls alone, named "sequence.…": mutants() has none of them.
const std::vector<Mutant>& sequenceMutants();

// The mutant with that name, of either, or nullptr.
const Mutant* findMutant(std::string_view name);

}  // namespace dmlcts
