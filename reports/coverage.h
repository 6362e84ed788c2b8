#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/journal.h"

// How much of the space of parameters the executed cases of a report cover, counted as testers do:
// by pairs and triples of values.

namespace dmlcts {

struct SpaceParameter {
  std::string name;                 // "level", "fill", "layout.input", …
  std::vector<std::string> values;  // that occur, sorted
};

struct TupleCount {
  uint64_t covered = 0;
  uint64_t possible = 0;
};

struct SpaceCoverage {
  std::string op;
  std::vector<SpaceParameter> parameters;
  TupleCount pairs;
  TupleCount triples;
  std::vector<std::string> missingPairs;  // "level=2.1 fill=runs", at most 200
};

// One row per operator. A value is a level, type or rank of the input, the type of another tensor,
// the kind of a layout or of a fill: what case strings hold, arguments left out. Possible are all
// combinations of values that occur at all, less those of level, type and rank that the documents
// rule out.
std::vector<SpaceCoverage> coverParameters(const std::vector<JournalEntry>& cases);

}  // namespace dmlcts
