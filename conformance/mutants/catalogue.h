#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/oracle_target.h"
#include "reports/journal/verdict.h"

// The deliberately faulty implementations that the suite must detect, by fault.

namespace dmlcts {

// Required symptoms of a mutant. Others, such as a timeout or internal error, do not count.
struct Signs {
  enum class Where : uint8_t {
    InCases,        // cases fail
    BetweenCases,   // its worker fails, and so the run; cases need not
    InIdentity,     // two processes report different devices, so nothing runs
    BesideWorkers,  // cases fail while another worker runs
    Nowhere,        // correct but unusual: results must equal the reference's
  };
  std::vector<Verdict> verdicts{Verdict::Fail};               // one of these
  std::vector<std::string_view> kinds{kind::kWrongElements};  // only these
  Where where = Where::InCases;
};

// Reports must name one of these rules as broken; empty if the rule cannot be determined.
using Breaks = std::vector<std::string_view>;
inline const Breaks kMoved{"gather_nd.gather", "gather_nd1.gather"};
inline const Breaks kValues{"gather_nd.gather", "gather_nd1.gather", "nonzero_coordinates.nonzero",
                            "nonzero_coordinates.count", "nonzero_coordinates.coordinates"};

struct Mutant {
  std::string name;         // as in "mutant:NAME"
  std::string description;  // its fault, in one sentence
  Breaks breaks;
  Mutation mutation;
  Signs signs = {};
  std::string_view needsTier = {};  // of default, large and huge, the only one to show it; "": any
};

// Each group has its own file; mutants() joins them.
std::vector<Mutant> valueMutants();       // which elements count as non-zero, which bits move
std::vector<Mutant> rowMutants();         // order of rows, counts, columns, boundaries
std::vector<Mutant> indexMutants();       // sign, width and place of indices
std::vector<Mutant> batchMutants();       // batch dimensions, elements of 64 bits
std::vector<Mutant> memoryMutants();      // strides, gaps, neighbours, inputs
std::vector<Mutant> acceptanceMutants();  // wrong acceptance, wrong rejection, level gates
std::vector<Mutant> behaviourMutants();   // stale state, nondeterminism, crash, hang, removal
std::vector<Mutant> poisonMutants();      // use of previous output contents, or of binding offsets
std::vector<Mutant> processMutants();     // faults visible only in messages and processes
std::vector<Mutant> historyMutants();     // faults that come with requests, company or chance

const std::vector<Mutant>& mutants();

// Returns the mutant of that name, or nullptr.
const Mutant* findMutant(std::string_view name);

}  // namespace dmlcts
