#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "conformance/cases/case_string.h"
#include "fuzz/generators.h"

namespace dmlcts {
namespace {

// Seed of the constructed cases; any other gives about the same.
constexpr uint64_t kSeed = 20070312;

// Parameters whose values are looked at together, and the number that stands for their values.
using Axes = std::vector<size_t>;

std::vector<Axes> chooseAxes(uint32_t strength) {
  std::vector<Axes> all;
  for (size_t a = 0; a < kParameters; ++a) {
    for (size_t b = a + 1; b < kParameters; ++b) {
      if (strength == 2) all.push_back({a, b});
      for (size_t c = b + 1; strength == 3 && c < kParameters; ++c) all.push_back({a, b, c});
    }
  }
  return all;
}

uint32_t numberOf(const Labels& labels, const Axes& axes) {
  uint32_t number = 0;
  for (size_t axis : axes) number = number << 8 | labels[axis];
  return number;
}

}  // namespace

std::string Combination::text() const {
  std::string out;
  for (size_t i = 0; i < parameters.size(); ++i) {
    out += fmt::format("{}{} {}", i ? ", " : "", name(parameters[i]),
                       valuesOf(parameters[i])[values[i]]);
  }
  return out;
}

double Coverage::percent() const {
  return valid ? 100.0 * static_cast<double>(covered) / static_cast<double>(valid) : 100;
}

std::vector<Labels> labelsOf(std::span<const Journal> journals) {
  std::set<Labels> points;
  for (const Journal& journal : journals) {
    for (const JournalEntry& entry : journal.entries) {
      if (entry.executed) points.insert(labelsOf(parseCase(entry.caseString)));
    }
  }
  return {points.begin(), points.end()};
}

std::vector<Labels> constructedLabels(uint64_t effort) {
  std::set<Labels> points;
  for (uint64_t index = 0; index < effort; ++index) {
    const Case testCase = fuzzCase(kSeed, index);
    if (testCase.family == "fuzz.valid") points.insert(labelsOf(testCase));
  }
  return {points.begin(), points.end()};
}

Coverage measureCoverage(std::span<const Labels> seen, std::span<const Labels> possible,
                         uint32_t strength) {
  Coverage coverage;
  coverage.strength = strength;
  for (const Axes& axes : chooseAxes(strength)) {
    std::unordered_set<uint32_t> covered;
    for (const Labels& labels : seen) covered.insert(numberOf(labels, axes));
    std::set<uint32_t> missing;
    for (const Labels& labels : possible) {
      const uint32_t number = numberOf(labels, axes);
      if (!covered.contains(number)) missing.insert(number);
    }
    coverage.covered += covered.size();
    coverage.valid += covered.size() + missing.size();
    for (uint32_t number : missing) {
      Combination combination;
      for (size_t i = 0; i < axes.size(); ++i) {
        combination.parameters.push_back(static_cast<Parameter>(axes[i]));
        const auto shift = static_cast<uint32_t>(8 * (axes.size() - 1 - i));
        combination.values.push_back(static_cast<uint8_t>(number >> shift));
      }
      coverage.missing.push_back(std::move(combination));
    }
  }
  return coverage;
}

}  // namespace dmlcts
