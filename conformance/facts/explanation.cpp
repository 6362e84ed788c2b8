#include "conformance/facts/explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/facts/bits.h"

namespace dmlcts {
namespace {

// Search bounds are step counts, not times, so that results are the same everywhere.
constexpr size_t kMostTerms = 5;       // per query
constexpr size_t kExhaustive = 2;      // up to this many terms, all combinations are tried
constexpr size_t kBeam = 16;           // conjunctions kept of each longer length
constexpr size_t kKept = 6;            // per length, of conjunctions that match no passing row
constexpr size_t kMostSearches = 40;   // beam searches of each kind
constexpr size_t kFew = 8;             // most queries that still count as an explanation
constexpr size_t kMany = 16;           // failing rows that chance hardly explains
constexpr size_t kMostNodes = 20'000;  // of the search for a smaller cover

struct Term {
  std::string text;
  Bits failing;
  Bits passing;
  uint32_t cost;                 // twice costOf(), less 1 if a broken rule is about it
  std::optional<size_t> number;  // set for bounds only, as in CauseSearch::keys_
};

// Terms by number, ascending, and the rows that match them all.
struct Conjunction {
  std::vector<size_t> terms;
  Bits failing;
  Bits passing;
  int64_t score = 0;  // only for conjunctions that also match passing rows
};

// A set that may cover others, and what it costs to name it.
struct CoverSet {
  const Bits* rows;
  uint32_t cost;
};

bool coverWithin(const std::vector<CoverSet>& sets, const Bits& left, size_t most,
                 std::vector<size_t>& chosen, size_t& nodes) {
  const auto row = left.first();
  if (!row) return true;
  if (most == 0 || ++nodes > kMostNodes) return false;
  std::vector<size_t> order;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].rows->has(*row)) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::tuple(sets[b].rows->countIn(left), sets[a].cost) <
           std::tuple(sets[a].rows->countIn(left), sets[b].cost);
  });
  for (size_t each : order) {
    Bits rest = left;
    rest.remove(*sets[each].rows);
    chosen.push_back(each);
    if (coverWithin(sets, rest, most - 1, chosen, nodes)) return true;
    chosen.pop_back();
  }
  return false;
}

// Returns the number of the set with most wanted rows, of these the cheapest; nothing if none has
// one.
std::optional<size_t> mostCovering(const std::vector<CoverSet>& sets, const Bits& wanted) {
  std::optional<size_t> most;
  std::pair<uint64_t, int64_t> score{0, 0};
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::pair<uint64_t, int64_t> its{sets[i].rows->countIn(wanted), -int64_t{sets[i].cost}};
    if (its.first == 0 || its <= score) continue;
    most = i;
    score = its;
  }
  return most;
}

// Returns fewer sets that cover the same rows as the chosen ones, or the chosen ones if none are
// found in a bounded number of steps.
std::vector<size_t> smallerCover(const std::vector<CoverSet>& sets,
                                 const std::vector<size_t>& chosen) {
  if (chosen.empty()) return chosen;
  Bits all = *sets[chosen.front()].rows;
  for (size_t which : chosen) all |= *sets[which].rows;
  size_t nodes = 0;
  for (size_t most = 1; most < chosen.size(); ++most) {
    std::vector<size_t> fewer;
    if (coverWithin(sets, all, most, fewer, nodes)) return fewer;
  }
  return chosen;
}

}  // namespace

class CauseSearch {
 public:
  // Says what a row is, of cases that no term tells apart.
  enum class Rows {
    Alike,   // all of them, and passes if one does: a query of it would match that one
    Split,   // those that fail, and those that pass
    Single,  // each; facts that are the last resort tell them apart
  };
  CauseSearch(const Explainer& cases, std::span<const Evidence> evidence,
              std::span<const std::string> brokenRules, Rows as);

  // Returns few queries that match nearly all failing rows and no passing one, or nothing.
  std::optional<std::vector<Conjunction>> explanation();
  // Returns queries most of whose matches fail. Each has the highest score found for the rows that
  // earlier ones left.
  std::vector<Conjunction> likely();
  // Returns what all failing rows have in common.
  Conjunction common();
  std::vector<Cause> causesOf(const std::vector<Conjunction>& all) const;
  // True if the queries match most failing rows and hardly any passing one, or if there are too few
  // rows to find out more.
  bool tells(const std::vector<Conjunction>& all) const;

 private:
  struct Row {
    const LabelledCase* label;
    std::vector<size_t> cases;
  };

  uint32_t cost(const Conjunction& conjunction) const;
  Conjunction everything() const {
    return {{}, Bits(failing_.size(), true), Bits(passing_.size(), true)};
  }
  Conjunction of(const std::vector<size_t>& terms) const;
  Conjunction with(const Conjunction& conjunction, size_t term) const;
  uint32_t costIn(std::string_view term) const;
  size_t bound(size_t number, bool atLeast, uint64_t value);
  std::vector<size_t> boundsFor(const Conjunction& conjunction, size_t row);
  Conjunction general(Conjunction conjunction, size_t row);
  void search(size_t row, const Bits& wanted);
  void keep(Conjunction found, size_t row);
  std::vector<CoverSet> sets() const;
  std::vector<size_t> cover();
  int64_t score(uint64_t failing, uint64_t passing, uint64_t cost) const;
  Conjunction shorter(Conjunction conjunction) const;
  void widen(const std::vector<size_t>& chosen);
  uint64_t passingOf(const Conjunction& conjunction) const;
  Cause causeOf(const Conjunction& conjunction) const;

  bool isOf(size_t each, Evidence evidence) const { return evidence_[each] == evidence; }

  std::span<const Evidence> evidence_;
  std::span<const std::string> brokenRules_;
  bool isLastResort_;
  std::vector<Row> failing_;  // without a passing case, and with a failing one
  std::vector<Row> passing_;  // with a passing case
  Names keys_;                // of the numbers
  // Indexed by number, as keys_ is.
  std::vector<std::vector<uint64_t>> ofFailing_, ofPassing_;  // its value in each row
  std::vector<std::vector<uint32_t>> passingOrder_;  // rows that have the number, by its value
  std::vector<Term> terms_;
  std::vector<std::vector<size_t>> termsOf_;  // of each failing row
  std::map<std::tuple<size_t, bool, uint64_t>, size_t> bounds_;
  std::vector<Conjunction> found_;  // these match no passing row
  std::set<std::vector<size_t>> known_;
  Conjunction likeliest_;  // from the last search
  size_t searches_ = 0;
};

// Among terms that match the same rows, keeps the one nearest to a cause.
CauseSearch::CauseSearch(const Explainer& cases, std::span<const Evidence> evidence,
                         std::span<const std::string> brokenRules, Rows as)
    : evidence_(evidence), brokenRules_(brokenRules), isLastResort_(as == Rows::Single) {
  const auto addRow = [&](Row row) {
    const auto any = [&](Evidence wanted) {
      return std::ranges::any_of(row.cases, [&](size_t each) { return isOf(each, wanted); });
    };
    if (any(Evidence::Passes)) {
      passing_.push_back(std::move(row));
    } else if (any(Evidence::Fails)) {
      failing_.push_back(std::move(row));
    }
  };
  for (const Explainer::Row& row : cases.rows_) {
    if (as == Rows::Alike) {
      addRow({&row.label, row.cases});
    } else if (as == Rows::Single) {
      for (size_t each : row.cases) addRow({&row.label, {each}});
    } else {
      std::vector<size_t> fails, others;
      for (size_t each : row.cases) (isOf(each, Evidence::Fails) ? fails : others).push_back(each);
      addRow({&row.label, std::move(fails)});
      addRow({&row.label, std::move(others)});
    }
  }
  keys_.assign(boundedKeys().begin(), boundedKeys().end());
  if (isLastResort_) keys_.insert(keys_.end(), lastResortKeys().begin(), lastResortKeys().end());
  for (size_t number = 0; number < keys_.size(); ++number) {
    const auto valuesOf = [&](const std::vector<Row>& rows) {
      std::vector<uint64_t> all;
      for (const Row& row : rows) {
        const size_t ordinary = boundedKeys().size();
        all.push_back(
            number < ordinary
                ? row.label->numbers[number]
                : cases.lastResort_[row.cases[0] * lastResortKeys().size() + number - ordinary]);
      }
      return all;
    };
    ofFailing_.push_back(valuesOf(failing_));
    const auto& values = ofPassing_.emplace_back(valuesOf(passing_));
    std::vector<uint32_t>& rows = passingOrder_.emplace_back();
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (values[i] != kNoNumber) rows.push_back(i);
    }
    std::ranges::stable_sort(rows, {}, [&](uint32_t row) { return values[row]; });
  }
  std::vector<Term> all(cases.terms_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string& text = cases.terms_.text(static_cast<uint32_t>(i));
    all[i] = {text, Bits(failing_.size()), Bits(passing_.size()), costIn(text), {}};
  }
  for (size_t i = 0; i < failing_.size(); ++i) {
    for (uint32_t term : failing_[i].label->terms) all[term].failing.set(i);
  }
  for (size_t i = 0; i < passing_.size(); ++i) {
    const LabelledCase& label = *passing_[i].label;
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
    return std::tuple<uint32_t, size_t, const std::string&>(a.cost, a.text.size(), a.text) <
           std::tuple<uint32_t, size_t, const std::string&>(b.cost, b.text.size(), b.text);
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

uint32_t CauseSearch::costIn(std::string_view term) const {
  const bool about = std::ranges::any_of(
      brokenRules_, [&](const std::string& rule) { return isAbout(term, rule); });
  return 2 * costOf(term) - (about ? 1 : 0);
}

uint32_t CauseSearch::cost(const Conjunction& conjunction) const {
  uint32_t sum = 0;
  for (size_t term : conjunction.terms) sum += terms_[term].cost;
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
size_t CauseSearch::bound(size_t number, bool atLeast, uint64_t value) {
  const auto [place, fresh] = bounds_.emplace(std::tuple(number, atLeast, value), terms_.size());
  if (!fresh) return place->second;
  const std::string text =
      std::string(keys_[number]) + (atLeast ? ">=" : "<=") + std::to_string(value);
  Term term{text, Bits(failing_.size()), Bits(passing_.size()), costIn(text), number};
  const auto holds = [&](uint64_t of) {
    return of != kNoNumber && (atLeast ? of >= value : of <= value);
  };
  for (size_t i = 0; i < failing_.size(); ++i) {
    if (holds(ofFailing_[number][i])) term.failing.set(i);
  }
  for (size_t i = 0; i < passing_.size(); ++i) {
    if (holds(ofPassing_[number][i])) term.passing.set(i);
  }
  terms_.push_back(std::move(term));
  return place->second;
}

// Returns the widest bounds that keep the row and exclude all passing rows beyond it.
std::vector<size_t> CauseSearch::boundsFor(const Conjunction& conjunction, size_t row) {
  std::vector<size_t> made;
  for (size_t number = 0; number < passingOrder_.size(); ++number) {
    const uint64_t own = ofFailing_[number][row];
    if (own == kNoNumber) continue;
    const auto& rows = passingOrder_[number];
    const auto valueOf = [&](uint32_t each) { return ofPassing_[number][each]; };
    std::optional<uint64_t> below, above;  // nearest passing values
    const auto first = std::ranges::lower_bound(rows, own, {}, valueOf);
    const auto last = std::ranges::upper_bound(rows, own, {}, valueOf);
    for (auto i = first; i != rows.begin() && !below;) {
      if (conjunction.passing.has(*--i)) below = valueOf(*i);
    }
    for (auto i = last; i != rows.end() && !above; ++i) {
      if (conjunction.passing.has(*i)) above = valueOf(*i);
    }
    uint64_t least = own, most = own;
    conjunction.failing.forEach([&](size_t i) {
      const uint64_t value = ofFailing_[number][i];
      if (value == kNoNumber) return;
      if (!below || value > *below) least = std::min(least, value);
      if (!above || value < *above) most = std::max(most, value);
    });
    if (below) made.push_back(bound(number, true, least));
    if (above) made.push_back(bound(number, false, most));
  }
  return made;
}

// Drops each term that is not needed to exclude passing rows, farthest from a cause first. Then
// widens bounds as far as possible.
Conjunction CauseSearch::general(Conjunction conjunction, size_t row) {
  std::vector<size_t> order = conjunction.terms;
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return terms_[a].cost > terms_[b].cost; });
  for (size_t term : order) {
    std::vector<size_t> others = conjunction.terms;
    std::erase(others, term);
    Conjunction without = of(others);
    if (!without.passing.any()) {
      conjunction = std::move(without);
    } else if (terms_[term].number) {
      for (size_t wider : boundsFor(without, row)) {
        Conjunction widened = with(without, wider);
        if (terms_[wider].number != terms_[term].number || widened.passing.any()) continue;
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
        std::vector<size_t> numbers = beam[i].terms;
        numbers.insert(std::ranges::upper_bound(numbers, term), term);
        if (made.contains(numbers)) continue;
        const uint64_t n = beam[i].passing.countIn(terms_[term].passing);
        if (n == passing) continue;
        Bits failing = beam[i].failing;
        failing &= terms_[term].failing;
        const uint64_t fail = failing.countIn(wanted);
        const uint32_t costs = cost(beam[i]) + terms_[term].cost;
        const int64_t its = score(fail, n, costs);
        if (its > likeliest_.score) {
          likeliest_ = with(beam[i], term);
          likeliest_.score = its;
        }
        made.insert(std::move(numbers));
        if (n == 0) {
          pure.push_back({i, term, fail, costs});
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
int64_t CauseSearch::score(uint64_t failing, uint64_t passing, uint64_t cost) const {
  const uint64_t each = std::max<uint64_t>(1, failing_.size() / 200);
  return static_cast<int64_t>(failing) - static_cast<int64_t>(passing + each * ((cost + 1) / 2));
}

// Drops terms that exclude less than a third of the passing rows: they describe the cases rather
// than the cause.
Conjunction CauseSearch::shorter(Conjunction conjunction) const {
  std::vector<size_t> order = conjunction.terms;
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return terms_[a].cost > terms_[b].cost; });
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
    for (size_t each : passing_[row].cases) {
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
  for (size_t i = 0; i < terms.size(); ++i) {
    std::vector<size_t> others = conjunction.terms;
    std::erase(others, terms[i]);
    std::string text = terms_[terms[i]].text;
    if (i + 1 < terms.size()) {
      const TermText one = splitTerm(text), next = splitTerm(terms_[terms[i + 1]].text);
      if (one.key == next.key && one.value == next.value) {  // "slice<=42 slice>=42"
        text = std::string(one.key) + '=' + std::string(one.value);
        std::erase(others, terms[++i]);
      }
    }
    cause.terms.push_back({text, passingOf(of(others)) - cause.passing});
  }
  conjunction.failing.forEach([&](size_t row) {
    for (size_t each : failing_[row].cases) {
      if (isOf(each, Evidence::Fails)) cause.cases.push_back(each);
    }
  });
  std::ranges::sort(cause.cases);
  return cause;
}

std::optional<std::vector<Conjunction>> CauseSearch::explanation() {
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
  const bool byChance = isLastResort_ && std::ranges::any_of(all, [](const Conjunction& each) {
                          return each.failing.count() < kMany;
                        });
  const bool explains = all.size() <= kFew && left.count() * 20 <= failing_.size() && !byChance;
  return explains ? std::optional(std::move(all)) : std::nullopt;
}

// Takes the term that excludes most passing rows, as long as it excludes a third of them.
Conjunction CauseSearch::common() {
  constexpr size_t kMostCommon = 3;
  std::vector<size_t> candidates;
  if (failing_.empty()) return everything();
  for (size_t number = 0; number < keys_.size(); ++number) {
    const auto [least, most] = std::ranges::minmax(ofFailing_[number]);
    if (most == kNoNumber) continue;
    candidates.push_back(bound(number, true, least));
    candidates.push_back(bound(number, false, most));
  }
  for (size_t i = 0; i < terms_.size(); ++i) {
    if (!terms_[i].number && terms_[i].failing.count() == failing_.size()) candidates.push_back(i);
  }
  const auto left = [&](const Conjunction& all, size_t term) {
    return all.passing.countIn(terms_[term].passing);
  };
  // A term is worth its words if it leaves out a third of the passing rows.
  const auto isWorth = [&](const Conjunction& all, size_t term) {
    return 3 * left(all, term) <= 2 * all.passing.count();
  };
  // All of n failing rows may lie by chance in a part of 1 - 3/n of the rows that can fail: up to
  // such a part, fewer passing rows mean nothing.
  const size_t failing = failing_.size();
  const auto isLike = [&](size_t passing, size_t fewest) {
    return (passing + failing) * (failing - std::min<size_t>(3, failing / 2)) <=
           (fewest + failing) * failing;
  };
  const auto bestFor = [&](const Conjunction& all) {
    size_t fewest = SIZE_MAX;
    for (size_t term : candidates) fewest = std::min(fewest, left(all, term));
    return *std::ranges::min_element(candidates, {}, [&](size_t term) {
      const size_t passing = left(all, term);
      return std::tuple(!isLike(passing, fewest), terms_[term].cost, passing);
    });
  };
  // The term that leaves out most on its own may leave too little for the next: begins with each.
  std::vector<Conjunction> found{everything()};
  for (size_t first : candidates) {
    if (!isWorth(found[0], first)) continue;
    Conjunction all = with(found[0], first);
    while (all.terms.size() < kMostCommon && all.passing.any()) {
      const size_t best = bestFor(all);
      if (!isWorth(all, best)) break;
      all = with(all, best);
    }
    found.push_back(std::move(all));
  }
  size_t fewest = SIZE_MAX;
  for (const Conjunction& each : found) fewest = std::min(fewest, each.passing.count());
  return *std::ranges::min_element(found, {}, [&](const Conjunction& each) {
    const size_t passing = each.passing.count();
    return std::tuple(!isLike(passing, fewest), each.terms.size(), cost(each), passing);
  });
}

bool CauseSearch::tells(const std::vector<Conjunction>& all) const {
  Bits failing(failing_.size()), passing(passing_.size());
  for (const Conjunction& each : all) {
    failing |= each.failing;
    passing |= each.passing;
  }
  return failing_.size() < kMany ||
         (2 * failing.count() >= failing_.size() && 20 * passing.count() <= failing.count());
}

std::vector<Cause> CauseSearch::causesOf(const std::vector<Conjunction>& all) const {
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
  lastResort_.insert(lastResort_.end(), label.lastResort.begin(), label.lastResort.end());
  label.lastResort = {};
  std::string key(reinterpret_cast<const char*>(label.terms.data()),
                  label.terms.size() * sizeof(uint32_t));
  key.append(reinterpret_cast<const char*>(label.numbers.data()),
             label.numbers.size() * sizeof(uint64_t));
  const auto [found, fresh] = rowOf_.emplace(std::move(key), rows_.size());
  if (fresh) rows_.push_back({std::move(label), {}});
  rows_[found->second].cases.push_back(added_++);
}

std::vector<Cause> Explainer::explain(std::span<const Evidence> evidence,
                                      std::span<const std::string> brokenRules) const {
  CauseSearch search(*this, evidence, brokenRules, CauseSearch::Rows::Alike);
  if (const auto found = search.explanation()) return search.causesOf(*found);
  const auto likely = search.likely();
  if (search.tells(likely)) return search.causesOf(likely);
  CauseSearch more(*this, evidence, brokenRules, CauseSearch::Rows::Single);
  const auto found = more.explanation();
  return found ? more.causesOf(*found) : search.causesOf(likely);
}

Cause Explainer::common(std::span<const Evidence> evidence) const {
  CauseSearch search(*this, evidence, {}, CauseSearch::Rows::Split);
  return search.causesOf({search.common()}).front();
}

}  // namespace dmlcts
