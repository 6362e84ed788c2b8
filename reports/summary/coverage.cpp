#include "reports/summary/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "conformance/families/combinations.h"

namespace dmlcts {
namespace {

// Two decimals, and 100 only if complete.
std::string percentText(const Coverage& coverage) {
  const double percent = coverage.percent();
  return fmt::format("{:.2f} %", coverage.missing.empty() ? 100 : std::min(percent, 99.99));
}

}  // namespace

std::string textOf(const PartialLabels& labels) {
  std::string out;
  for (size_t i = 0; i < kParameters; ++i) {
    if (labels[i] == kAny) continue;
    const auto parameter = static_cast<Parameter>(i);
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name(parameter),
                       valuesOf(parameter)[labels[i]]);
  }
  return out;
}

double Coverage::percent() const {
  return possible ? 100.0 * static_cast<double>(covered) / static_cast<double>(possible) : 100;
}

bool countsForCoverage(const JournalEntry& entry) {
  return entry.executed && !entry.weak && entry.verdict != Verdict::NotSupported &&
         entry.verdict != Verdict::NotAsked && entry.verdict != Verdict::Skipped;
}

std::set<Labels> labelsOf(const std::vector<JournalEntry>& cases) {
  CoveringLabels covering;
  std::unordered_set<std::string_view> seen;
  for (const JournalEntry& entry : cases) {
    if (countsForCoverage(entry) && seen.insert(entry.labels).second) covering.add(entry);
  }
  return covering.get();
}

bool CoveringLabels::add(const JournalEntry& entry) {
  if (!countsForCoverage(entry)) return false;
  const auto labels = parseLabels(entry.labels);
  return labels && add(*labels, [] { return false; });
}

bool CoveringLabels::add(const Labels& labels, const std::function<bool()>& isWeak) {
  const Constraint* broken = brokenConstraint(labels);
  if (broken && !broken->isOfWorth) return false;
  bool addsCoverage = false;
  size_t first = 0;  // number of the first triple of the three parameters
  const auto size = [](size_t i) { return valuesOf(static_cast<Parameter>(i)).size(); };
  for (size_t a = 0; a < kParameters; ++a) {
    for (size_t b = a + 1; b < kParameters; ++b) {
      for (size_t c = b + 1; c < kParameters; ++c) {
        const size_t triple = first + (labels[a] * size(b) + labels[b]) * size(c) + labels[c];
        first += size(a) * size(b) * size(c);
        if (seen_.size() < first) seen_.resize(first);
        if (seen_[triple]) continue;
        if (!addsCoverage && isWeak()) return false;
        addsCoverage = true;
        seen_[triple] = true;
      }
    }
  }
  if (addsCoverage) kept_.insert(labels);
  return addsCoverage;
}

Coverage measureCoverage(const std::set<Labels>& seen, uint32_t strength, Tier tier) {
  Coverage coverage;
  coverage.strength = strength;
  for (const Combinations& combinations : combinationsOfRows(tier, strength)) {
    size_t numbers = 1;
    for (Parameter parameter : combinations.parameters) numbers *= valuesOf(parameter).size();
    const auto numberOf = [&](const Labels& labels) {
      size_t number = 0;
      for (Parameter parameter : combinations.parameters) {
        number = number * valuesOf(parameter).size() + at(labels, parameter);
      }
      return number;
    };
    std::vector<bool> covered(numbers);
    for (const Labels& labels : seen) covered[numberOf(labels)] = true;
    for (const PartialLabels& possible : combinations.possible) {
      ++coverage.possible;
      if (covered[numberOf(possible)]) {
        ++coverage.covered;
      } else {
        coverage.missing.push_back(possible);
      }
    }
  }
  return coverage;
}

std::string coverageLine(const Coverage& pairs) {
  return fmt::format("coverage: {} of {} pairs of parameter values", percentText(pairs),
                     pairs.possible);
}

}  // namespace dmlcts
