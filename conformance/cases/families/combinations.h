#pragma once

#include <cstdint>
#include <span>

#include "conformance/cases/choices.h"
#include "conformance/cases/parameter_space.h"
#include "conformance/cases/tiers.h"

// The combinations that the default and the large tier have a case of. Finding them takes many
// seconds, so combination_rows.inc has them; write_combination_rows.cpp writes that file.

namespace dmlcts {

// A row of a covering array (covering_array.h), and where the choices of its case begin.
struct CombinationRow {
  Labels labels;
  uint32_t firstChoice;  // kNoCase where none was found
};
inline constexpr uint32_t kNoCase = UINT32_MAX;

// Rows whose combinations are all possible ones of an edition's operators: of any three parameters
// with defaultValues() (Tier::Default), of any two with largeValues() (Tier::Large). None of an
// edition that the file does not have yet.
std::span<const CombinationRow> combinationRows(Tier tier, uint32_t edition);

// All possible combinations of the values of that many parameters, as possibleCombinations() finds
// them: at most three of Tier::Default, at most two of Tier::Large.
std::vector<Combinations> combinationsOfRows(Tier tier, uint32_t strength);

// The choices of one row: sizes whose product is about as many elements as wanted.
class RowDraws final : public Draws {
 public:
  explicit RowDraws(uint64_t row, uint64_t next = 0) : Draws(row, 4, next) {}

  std::vector<uint32_t> sizes(size_t count, uint64_t elements) override;
};

// A case of that seed that executes. Not all choices lead to one that is valid and has the labels.
Case drawCombination(RowDraws& draws, const Labels& labels, uint64_t seed);

}  // namespace dmlcts
