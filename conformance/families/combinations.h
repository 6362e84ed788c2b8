#pragma once

#include <cstdint>
#include <span>

#include "conformance/facts/parameter_space.h"
#include "conformance/families/case_list.h"
#include "conformance/inputs/choices.h"

// The combinations that the default and the large tier cover. Finding them takes many seconds, so
// combination_rows.inc stores them; tiers/test/write_combination_rows.cpp generates it.

namespace dmlcts {

// A row of a covering array (tiers/test/covering_array.h), and the first choice of its case.
struct CombinationRow {
  Labels labels;
  uint32_t firstChoice;  // kNoCase if no case was found
};
inline constexpr uint32_t kNoCase = UINT32_MAX;

// Rows that cover all possible combinations of an edition's operators: any three parameters of
// inputs of at most 65,535 groups of 64 threads (Tier::Default), any two of larger inputs
// (Tier::Large). Empty for an edition that the file lacks.
std::span<const CombinationRow> combinationRows(Tier tier, uint32_t edition);

// Returns all possible combinations of values of `strength` parameters, at most 3 for
// Tier::Default, 2 for Tier::Large.
std::vector<Combinations> combinationsOfRows(Tier tier, uint32_t strength);

// The choices of one row: sizes whose product is close to the wanted number of elements.
class RowDraws final : public Draws {
 public:
  explicit RowDraws(uint64_t row, uint64_t next = 0) : Draws(row, 4, next) {}

  std::vector<uint32_t> sizes(size_t count, uint64_t elements) override;
};

// Draws an executing case with that seed. The result may be invalid or miss some labels.
Case drawCombination(RowDraws& draws, const Labels& labels, uint64_t seed);

}  // namespace dmlcts
