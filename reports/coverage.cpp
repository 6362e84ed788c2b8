#include "reports/coverage.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "reports/holes.h"

namespace dmlcts {
namespace {

constexpr size_t kMostMissing = 200;

// A parameter with more values than any of ours has is damage, or no parameter.
constexpr size_t kMostValues = 64;

// Of the parameters, in this order; the others follow.
constexpr size_t kLevel = 0, kType = 1, kRank = 2;

using Values = std::map<std::string, std::string>;

// The parameters that one case string sets.
Values valuesOf(const JournalEntry& entry) {
  Values values;
  std::string_view rest = entry.caseString;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t equals = word.find('=');
    if (equals == word.npos) continue;
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    const std::string kind(value.substr(0, value.find('(')));
    if (key == "fill" || key == "index" || key.starts_with("layout.")) {
      values[std::string(key)] = kind;
    } else if (key.starts_with("strides.")) {
      values["layout" + std::string(key.substr(key.find('.')))] = "other";
    } else if (key != "input" && value.find(':') != value.npos) {
      values[std::string(key) + " type"] = value.substr(0, value.find(':'));
    }
  }
  return values;
}

using Indices = std::vector<uint32_t>;  // of a case's values, by parameter

class Space {
 public:
  Space(std::string_view op, const std::vector<const JournalEntry*>& cases) {
    coverage_.op = op;
    std::map<std::string, std::set<std::string>> found;
    std::set<std::string> levels, types, ranks;
    std::vector<Values> all;
    for (const JournalEntry* entry : cases) {
      levels.insert(entry->level);
      types.insert(entry->type);
      ranks.insert(std::to_string(entry->rank));
      all.push_back(valuesOf(*entry));
      for (const auto& [key, value] : all.back()) found[key].insert(value);
    }
    for (const Values& values : all) {
      for (auto& [key, seen] : found) {
        if (!values.contains(key)) seen.insert("default");
      }
    }
    const auto add = [&](const std::string& name, const std::set<std::string>& seen) {
      coverage_.parameters.push_back({name, {seen.begin(), seen.end()}});
    };
    add("level", levels), add("type", types), add("rank", ranks);
    for (const auto& [key, seen] : found) {
      if (seen.size() <= kMostValues) add(key, seen);
    }
    for (size_t i = 0; i <= kRank; ++i) {
      if (sizeOf(i) > kMostValues) return;
    }
    for (size_t i = 0; i < cases.size(); ++i) {
      seen_.insert(indicesOf(*cases[i], all[i]));
    }
    findRuledOut();
  }

  SpaceCoverage count() {
    const size_t n = coverage_.parameters.size();
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = a + 1; b < n; ++b) {
        countPairs(a, b);
        for (size_t c = b + 1; c < n; ++c) countTriples(a, b, c);
      }
    }
    return std::move(coverage_);
  }

 private:
  size_t sizeOf(size_t parameter) const { return coverage_.parameters[parameter].values.size(); }

  uint32_t indexOf(size_t parameter, const std::string& value) const {
    const auto& values = coverage_.parameters[parameter].values;
    return static_cast<uint32_t>(std::ranges::lower_bound(values, value) - values.begin());
  }

  Indices indicesOf(const JournalEntry& entry, const Values& values) const {
    Indices indices{indexOf(kLevel, entry.level), indexOf(kType, entry.type),
                    indexOf(kRank, std::to_string(entry.rank))};
    for (size_t i = indices.size(); i < coverage_.parameters.size(); ++i) {
      const auto value = values.find(coverage_.parameters[i].name);
      indices.push_back(indexOf(i, value == values.end() ? "default" : value->second));
    }
    return indices;
  }

  // Which combinations of level, type and rank the documents do not allow.
  void findRuledOut() {
    const auto& p = coverage_.parameters;
    for (uint32_t l = 0; l < sizeOf(kLevel); ++l) {
      for (uint32_t t = 0; t < sizeOf(kType); ++t) {
        for (uint32_t r = 0; r < sizeOf(kRank); ++r) {
          if (!ruledOut(coverage_.op, p[kLevel].values[l], p[kType].values[t],
                        static_cast<uint32_t>(std::stoul(p[kRank].values[r])))) {
            allowed_[0].emplace(l, t), allowed_[1].emplace(l, r), allowed_[2].emplace(t, r);
            allowedTriples_.insert({l, t, r});
          }
        }
      }
    }
  }

  bool isPossible(size_t a, uint32_t i, size_t b, uint32_t j) const {
    if (b > kRank) return true;
    return allowed_[a + b - 1].contains({i, j});
  }

  void countPairs(size_t a, size_t b) {
    std::vector<bool> covered(sizeOf(a) * sizeOf(b));
    for (const Indices& each : seen_) covered[each[a] * sizeOf(b) + each[b]] = true;
    for (uint32_t i = 0; i < sizeOf(a); ++i) {
      for (uint32_t j = 0; j < sizeOf(b); ++j) {
        const bool hit = covered[i * sizeOf(b) + j];
        if (!hit && !isPossible(a, i, b, j)) continue;
        ++coverage_.pairs.possible;
        coverage_.pairs.covered += hit;
        if (hit || coverage_.missingPairs.size() == kMostMissing) continue;
        const auto& p = coverage_.parameters;
        coverage_.missingPairs.push_back(p[a].name + "=" + p[a].values[i] + " " + p[b].name + "=" +
                                         p[b].values[j]);
      }
    }
  }

  void countTriples(size_t a, size_t b, size_t c) {
    const size_t nb = sizeOf(b), nc = sizeOf(c);
    std::vector<bool> covered(sizeOf(a) * nb * nc);
    for (const Indices& each : seen_) covered[(each[a] * nb + each[b]) * nc + each[c]] = true;
    for (uint32_t i = 0; i < sizeOf(a); ++i) {
      for (uint32_t j = 0; j < nb; ++j) {
        for (uint32_t k = 0; k < nc; ++k) {
          const bool hit = covered[(i * nb + j) * nc + k];
          const bool possible = isPossible(a, i, b, j) && isPossible(a, i, c, k) &&
                                isPossible(b, j, c, k) &&
                                (c > kRank || allowedTriples_.contains({i, j, k}));
          coverage_.triples.possible += hit || possible;
          coverage_.triples.covered += hit;
        }
      }
    }
  }

  SpaceCoverage coverage_;
  std::set<Indices> seen_;
  // Level and type, level and rank, type and rank.
  std::array<std::set<std::pair<uint32_t, uint32_t>>, 3> allowed_;
  std::set<std::array<uint32_t, 3>> allowedTriples_;
};

}  // namespace

std::vector<SpaceCoverage> coverParameters(const std::vector<JournalEntry>& cases) {
  std::map<std::string_view, std::vector<const JournalEntry*>> byOperator;
  for (const JournalEntry& entry : cases) {
    if (entry.executed) byOperator[entry.op].push_back(&entry);
  }
  std::vector<SpaceCoverage> all;
  for (const auto& [op, entries] : byOperator) all.push_back(Space(op, entries).count());
  return all;
}

}  // namespace dmlcts
