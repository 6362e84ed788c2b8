#include "conformance/cases/facts/explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "conformance/cases/facts/cover.h"
#include "conformance/cases/facts/measures.h"

namespace dmlcts {
namespace {

// Search bounds are step counts, not times, so that results are the same everywhere.
constexpr size_t kMostTerms = 5;      // per query
constexpr size_t kExhaustive = 2;     // up to this many terms, all combinations are tried
constexpr size_t kBeam = 16;          // conjunctions kept of each longer length
constexpr size_t kKept = 6;           // per length, of conjunctions that match no passing row
constexpr size_t kMostSearches = 40;  // beam searches of each kind
constexpr size_t kFew = 8;            // most queries that still count as an explanation

struct Term {
  std::string text;
  Bits failing;
  Bits passing;
  std::optional<size_t> measure;  // set for bounds only
};

// Terms by number, ascending, and the rows that match them all.
struct Conjunction {
  std::vector<size_t> terms;
  Bits failing;
  Bits passing;
  int64_t score = 0;  // only for conjunctions that also match passing rows
};

}  // namespace

class CauseSearch {
 public:
  CauseSearch(const Explainer& cases, std::span<const Evidence> evidence);
  std::vector<Cause> result();

 private:
  uint32_t cost(const Conjunction& conjunction) const;
  Conjunction everything() const {
    return {{}, Bits(failing_.size(), true), Bits(passing_.size(), true)};
  }
  Conjunction of(const std::vector<size_t>& terms) const;
  Conjunction with(const Conjunction& conjunction, size_t term) const;
  size_t bound(size_t measure, bool atLeast, uint64_t value);
  std::vector<size_t> boundsFor(const Conjunction& conjunction, size_t row);
  Conjunction general(Conjunction conjunction, size_t row);
  void search(size_t row, const Bits& wanted);
  void keep(Conjunction found, size_t row);
  std::vector<CoverSet> sets() const;
  std::vector<size_t> cover();
  int64_t score(uint64_t failing, uint64_t passing, uint64_t costs) const;
  Conjunction shorter(Conjunction conjunction) const;
  std::vector<Conjunction> likely();
  void widen(const std::vector<size_t>& chosen);
  uint64_t passingOf(const Conjunction& conjunction) const;
  Cause causeOf(const Conjunction& conjunction) const;

  bool isOf(size_t each, Evidence evidence) const { return evidence_[each] == evidence; }

  const Explainer& cases_;
  std::span<const Evidence> evidence_;
  std::vector<size_t> failing_;  // rows without a passing case, and with a failing one
  std::vector<size_t> passing_;  // rows with a passing case
  // The rows' values of each measure.
  std::array<std::vector<uint64_t>, kBoundable.size()> ofFailing_, ofPassing_;
  std::vector<Term> terms_;
  std::vector<std::vector<size_t>> termsOf_;  // of each failing row
  std::map<std::tuple<size_t, bool, uint64_t>, size_t> bounds_;
  std::vector<Conjunction> found_;  // these match no passing row
  std::set<std::vector<size_t>> known_;
  Conjunction likeliest_;  // from the last search
  size_t searches_ = 0;
};

// Among terms that match the same rows, keeps the one nearest to a cause.
CauseSearch::CauseSearch(const Explainer& cases, std::span<const Evidence> evidence)
    : cases_(cases), evidence_(evidence) {
  for (size_t i = 0; i < cases.rows_.size(); ++i) {
    const auto any = [&](Evidence wanted) {
      return std::ranges::any_of(cases.rows_[i].cases,
                                 [&](size_t each) { return isOf(each, wanted); });
    };
    if (any(Evidence::Passes)) {
      passing_.push_back(i);
    } else if (any(Evidence::Fails)) {
      failing_.push_back(i);
    }
  }
  for (size_t measure = 0; measure < kBoundable.size(); ++measure) {
    const auto values = [&](const std::vector<size_t>& rows) {
      std::vector<uint64_t> all;
      for (size_t row : rows) all.push_back(cases.rows_[row].label.measures[measure]);
      return all;
    };
    ofFailing_[measure] = values(failing_);
    ofPassing_[measure] = values(passing_);
  }
  std::vector<Term> all(cases.terms_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = {cases.terms_.text(static_cast<uint32_t>(i)),
              Bits(failing_.size()),
              Bits(passing_.size()),
              {}};
  }
  for (size_t i = 0; i < failing_.size(); ++i) {
    for (uint32_t term : cases.rows_[failing_[i]].label.terms) all[term].failing.set(i);
  }
  for (size_t i = 0; i < passing_.size(); ++i) {
    const LabelledCase& label = cases.rows_[passing_[i]].label;
    for (uint32_t term : label.terms) all[term].passing.set(i);
    if (label.inputsKnown) continue;
    // Inputs not examined: the case might match any term about inputs.
    for (Term& term : all) {
      if (asksForInputs(term.text)) term.passing.set(i);
    }
  }
  std::erase_if(all, [&](const Term& term) {
    return !term.failing.any() || term.passing.count() == passing_.size();
  });
  std::ranges::sort(all, [](const Term& a, const Term& b) {
    return std::tuple<uint32_t, size_t, const std::string&>(costOf(a.text), a.text.size(), a.text) <
           std::tuple<uint32_t, size_t, const std::string&>(costOf(b.text), b.text.size(), b.text);
  });
  std::set<std::pair<Bits, Bits>> seen;
  for (Term& term : all) {
    if (seen.emplace(term.failing, term.passing).second) terms_.push_back(std::move(term));
  }
  termsOf_.resize(failing_.size());
  for (size_t i = 0; i < terms_.size(); ++i) {
    terms_[i].failing.forEach([&](size_t row) { termsOf_[row].push_back(i); });
  }
}

uint32_t CauseSearch::cost(const Conjunction& conjunction) const {
  uint32_t sum = 0;
  for (size_t term : conjunction.terms) sum += costOf(terms_[term].text);
  return sum;
}

Conjunction CauseSearch::with(const Conjunction& conjunction, size_t term) const {
  Conjunction longer = conjunction;
  longer.terms.insert(std::ranges::upper_bound(longer.terms, term), term);
  longer.failing &= terms_[term].failing;
  longer.passing &= terms_[term].passing;
  return longer;
}

Conjunction CauseSearch::of(const std::vector<size_t>& terms) const {
  Conjunction all = everything();
  for (size_t term : terms) all = with(all, term);
  return all;
}

// Returns the number of the term "elements>=4096"; created once.
size_t CauseSearch::bound(size_t measure, bool atLeast, uint64_t value) {
  const auto [place, fresh] = bounds_.emplace(std::tuple(measure, atLeast, value), terms_.size());
  if (!fresh) return place->second;
  Term term{std::string(kBoundable[measure]) + (atLeast ? ">=" : "<=") + std::to_string(value),
            Bits(failing_.size()), Bits(passing_.size()), measure};
  const auto holds = [&](uint64_t of) { return atLeast ? of >= value : of <= value; };
  for (size_t i = 0; i < failing_.size(); ++i) {
    if (holds(ofFailing_[measure][i])) term.failing.set(i);
  }
  for (size_t i = 0; i < passing_.size(); ++i) {
    if (holds(ofPassing_[measure][i])) term.passing.set(i);
  }
  terms_.push_back(std::move(term));
  return place->second;
}

// Returns the widest bounds that keep the row and exclude all passing rows beyond it.
std::vector<size_t> CauseSearch::boundsFor(const Conjunction& conjunction, size_t row) {
  std::vector<size_t> made;
  for (size_t measure = 0; measure < kBoundable.size(); ++measure) {
    const uint64_t own = ofFailing_[measure][row];
    std::optional<uint64_t> below, above;  // nearest passing values
    conjunction.passing.forEach([&](size_t i) {
      const uint64_t value = ofPassing_[measure][i];
      if (value < own) below = std::max(below.value_or(0), value);
      if (value > own) above = std::min(above.value_or(UINT64_MAX), value);
    });
    uint64_t least = own, most = own;
    conjunction.failing.forEach([&](size_t i) {
      const uint64_t value = ofFailing_[measure][i];
      if (!below || value > *below) least = std::min(least, value);
      if (!above || value < *above) most = std::max(most, value);
    });
    if (below) made.push_back(bound(measure, true, least));
    if (above) made.push_back(bound(measure, false, most));
  }
  return made;
}

// Drops each term that is not needed to exclude passing rows, farthest from a cause first. Then
// widens bounds as far as possible.
Conjunction CauseSearch::general(Conjunction conjunction, size_t row) {
  std::vector<size_t> order = conjunction.terms;
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return costOf(terms_[a].text) > costOf(terms_[b].text); });
  for (size_t term : order) {
    std::vector<size_t> others = conjunction.terms;
    std::erase(others, term);
    Conjunction without = of(others);
    if (!without.passing.any()) {
      conjunction = std::move(without);
    } else if (terms_[term].measure) {
      for (size_t wider : boundsFor(without, row)) {
        Conjunction widened = with(without, wider);
        if (terms_[wider].measure != terms_[term].measure || widened.passing.any()) continue;
        if (widened.failing.count() > conjunction.failing.count()) conjunction = widened;
      }
    }
  }
  return conjunction;
}

void CauseSearch::keep(Conjunction found, size_t row) {
  found = general(std::move(found), row);
  if (known_.insert(found.terms).second) found_.push_back(std::move(found));
}

// Beam search for conjunctions that match the failing row, no passing row, and many wanted rows.
void CauseSearch::search(size_t row, const Bits& wanted) {
  struct Candidate {
    size_t from;
    size_t term;
    double gain;
  };
  struct Pure {
    size_t from;
    size_t term;
    uint64_t failing;
    uint32_t cost;
  };
  ++searches_;
  const size_t before = found_.size();
  likeliest_ = Conjunction();
  const double all = std::max<double>(1, static_cast<double>(wanted.count()));
  const double prior = std::log2(all / (all + static_cast<double>(passing_.size())));
  std::vector<Conjunction> beam{everything()};
  if (passing_.empty()) return keep(beam.front(), row);
  for (size_t length = 1; length <= kMostTerms && !beam.empty(); ++length) {
    if (length > 3 && found_.size() > before) return;
    std::vector<Candidate> candidates;
    std::set<std::vector<size_t>> made;
    std::vector<Pure> pure;
    for (size_t i = 0; i < beam.size(); ++i) {
      std::vector<size_t> terms = termsOf_[row];
      if (i < kBeam) {
        for (size_t more : boundsFor(beam[i], row)) terms.push_back(more);
      }
      const uint64_t passing = beam[i].passing.count();
      for (size_t term : terms) {
        if (std::ranges::binary_search(beam[i].terms, term)) continue;
        const uint64_t n = beam[i].passing.countIn(terms_[term].passing);
        if (n == passing) continue;
        Bits failing = beam[i].failing;
        failing &= terms_[term].failing;
        const uint64_t fail = failing.countIn(wanted);
        const int64_t its = score(fail, n, cost(beam[i]) + costOf(terms_[term].text));
        if (its > likeliest_.score) {
          likeliest_ = with(beam[i], term);
          likeliest_.score = its;
        }
        std::vector<size_t> numbers = beam[i].terms;
        numbers.insert(std::ranges::upper_bound(numbers, term), term);
        if (!made.insert(std::move(numbers)).second) continue;
        if (n == 0) {
          pure.push_back({i, term, fail, cost(beam[i]) + costOf(terms_[term].text)});
          continue;
        }
        const auto p = static_cast<double>(fail) + 1;
        candidates.push_back({i, term, p * (std::log2(p / (p + static_cast<double>(n))) - prior)});
      }
    }
    // Keep those that cover most at this length.
    std::ranges::stable_sort(pure, [](const Pure& a, const Pure& b) {
      return std::tuple(b.failing, a.cost) < std::tuple(a.failing, b.cost);
    });
    for (size_t i = 0; i < std::min<size_t>(pure.size(), kKept); ++i) {
      keep(with(beam[pure[i].from], pure[i].term), row);
    }
    const size_t most = length < kExhaustive ? candidates.size() : kBeam;
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::gain);
    if (candidates.size() > most) candidates.resize(most);
    std::vector<Conjunction> next;
    for (const Candidate& each : candidates) next.push_back(with(beam[each.from], each.term));
    beam = std::move(next);
  }
}

std::vector<CoverSet> CauseSearch::sets() const {
  std::vector<CoverSet> sets;
  for (const Conjunction& found : found_) sets.push_back({&found.failing, cost(found)});
  return sets;
}

// Greedy set cover: searches from the first uncovered row, then takes the query that covers most.
std::vector<size_t> CauseSearch::cover() {
  Bits left(failing_.size(), true);
  std::vector<size_t> chosen;
  while (const auto first = left.first()) {
    if (searches_ == kMostSearches) break;  // too many to explain anything
    search(*first, left);
    const bool explained = std::ranges::any_of(
        found_, [&](const Conjunction& found) { return found.failing.has(*first); });
    if (explained) {
      chosen.push_back(*mostCovering(sets(), left));
      left.remove(found_[chosen.back()].failing);
    } else {
      left.reset(*first);
    }
  }
  // Drop queries that later ones made superfluous.
  for (size_t i = chosen.size(); i-- > 0;) {
    Bits own = found_[chosen[i]].failing;
    for (size_t other = 0; other < chosen.size(); ++other) {
      if (other != i) own.remove(found_[chosen[other]].failing);
    }
    if (!own.any()) chosen.erase(chosen.begin() + static_cast<ptrdiff_t>(i));
  }
  return chosen;
}

// Scores a query: failing rows matched, minus passing rows matched, minus its cost. Above 0, most
// of its matches fail.
int64_t CauseSearch::score(uint64_t failing, uint64_t passing, uint64_t costs) const {
  const uint64_t each = std::max<uint64_t>(1, failing_.size() / 200);
  return static_cast<int64_t>(failing) - static_cast<int64_t>(passing + each * costs);
}

// Drops terms that exclude less than a third of the passing rows: they describe the cases rather
// than the cause.
Conjunction CauseSearch::shorter(Conjunction conjunction) const {
  std::vector<size_t> order = conjunction.terms;
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return costOf(terms_[a].text) > costOf(terms_[b].text); });
  for (size_t term : order) {
    if (conjunction.terms.size() == 1) break;
    std::vector<size_t> others = conjunction.terms;
    std::erase(others, term);
    Conjunction without = of(others);
    if (2 * without.passing.count() < 3 * conjunction.passing.count()) {
      conjunction = std::move(without);
    }
  }
  return conjunction;
}

// Returns queries most of whose matches fail. Each has the highest score found for the rows that
// earlier ones left.
std::vector<Conjunction> CauseSearch::likely() {
  Bits left(failing_.size(), true);
  std::vector<Conjunction> chosen;
  searches_ = 0;
  while (chosen.size() < kFew && searches_ < kMostSearches) {
    Conjunction best;
    std::vector<size_t> rows;
    left.forEach([&](size_t row) { rows.push_back(row); });
    if (rows.empty()) break;
    constexpr size_t kFrom = 6;  // rows, spread evenly
    for (size_t i = 0; i < std::min(kFrom, rows.size()); ++i) {
      search(rows[rows.size() * i / std::min(kFrom, rows.size())], left);
      if (likeliest_.score > best.score) best = likeliest_;
    }
    if (best.score <= 0) break;
    best = shorter(std::move(best));
    left.remove(best.failing);
    chosen.push_back(std::move(best));
  }
  return chosen;
}

// Searches for replacements, starting from rows that only one chosen query matches.
void CauseSearch::widen(const std::vector<size_t>& chosen) {
  const Bits all(failing_.size(), true);
  for (size_t which : chosen) {
    Bits own = found_[which].failing;
    for (size_t other : chosen) {
      if (other != which) own.remove(found_[other].failing);
    }
    const uint64_t count = own.count();
    uint64_t at = 0;
    std::vector<size_t> rows;
    own.forEach([&](size_t row) {
      if (at == 0 || at == count / 2 || at + 1 == count) rows.push_back(row);
      ++at;
    });
    for (size_t row : rows) {
      if (searches_ < kMostSearches) search(row, all);
    }
  }
}

uint64_t CauseSearch::passingOf(const Conjunction& conjunction) const {
  uint64_t pass = 0;
  conjunction.passing.forEach([&](size_t row) {
    for (size_t each : cases_.rows_[passing_[row]].cases) {
      pass += isOf(each, Evidence::Passes) ? 1 : 0;
    }
  });
  return pass;
}

Cause CauseSearch::causeOf(const Conjunction& conjunction) const {
  Cause cause;
  cause.passing = passingOf(conjunction);
  std::vector<size_t> terms = conjunction.terms;
  std::ranges::sort(terms, [&](size_t a, size_t b) {
    return std::pair<uint32_t, const std::string&>(placeOf(terms_[a].text), terms_[a].text) <
           std::pair<uint32_t, const std::string&>(placeOf(terms_[b].text), terms_[b].text);
  });
  for (size_t term : terms) {
    std::vector<size_t> others = conjunction.terms;
    std::erase(others, term);
    cause.terms.push_back({terms_[term].text, passingOf(of(others)) - cause.passing});
  }
  conjunction.failing.forEach([&](size_t row) {
    for (size_t each : cases_.rows_[failing_[row]].cases) {
      if (isOf(each, Evidence::Fails)) cause.cases.push_back(each);
    }
  });
  std::ranges::sort(cause.cases);
  return cause;
}

std::vector<Cause> CauseSearch::result() {
  std::vector<size_t> chosen = cover();
  if (chosen.size() > 1 && chosen.size() <= kFew) {
    widen(chosen);
    chosen = smallerCover(sets(), chosen);
  }
  Bits left(failing_.size(), true);
  std::vector<Conjunction> all;
  for (size_t which : chosen) {
    left.remove(found_[which].failing);
    all.push_back(found_[which]);
  }
  const bool explains = all.size() <= kFew && left.count() * 20 <= failing_.size();
  if (!explains) all = likely();
  std::vector<Cause> causes;
  for (const Conjunction& each : all) causes.push_back(causeOf(each));
  std::ranges::stable_sort(causes, [](const Cause& a, const Cause& b) {
    return std::tuple(b.cases.size(), a.text()) < std::tuple(a.cases.size(), b.text());
  });
  return causes;
}

std::string Cause::text() const {
  std::string text;
  for (const Term& term : terms) text += (text.empty() ? "" : " ") + term.text;
  return text.empty() ? "*" : text;
}

void Explainer::add(const Case& testCase, const std::optional<Traits>& traits) {
  LabelledCase label = terms_.of(testCase, traits);
  std::string key(reinterpret_cast<const char*>(label.terms.data()),
                  label.terms.size() * sizeof(uint32_t));
  for (uint64_t measure : label.measures) key += std::to_string(measure) + ' ';
  const auto [found, fresh] = rowOf_.emplace(std::move(key), rows_.size());
  if (fresh) rows_.push_back({std::move(label), {}});
  rows_[found->second].cases.push_back(added_++);
}

std::vector<Cause> Explainer::explain(std::span<const Evidence> evidence) const {
  return CauseSearch(*this, evidence).result();
}

}  // namespace dmlcts
