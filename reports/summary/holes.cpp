#include "reports/summary/holes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/cases/operators.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr uint32_t kMaxRank = 8;  // for any DirectML tensor

// True if there can be cases with an input of that type and rank.
bool isKnown(std::string_view op, DataType type, uint32_t rank) {
  return rank >= 1 && simplestDescriptor(op, type, rank).has_value();
}

}  // namespace

std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank) {
  const auto knownLevel = parseLevel(level);
  const auto knownType = parseDataType(type);
  if (!knownLevel || !knownType || rank < 1 || rank > kMaxRank) return std::nullopt;
  const auto descriptor = simplestDescriptor(op, *knownType, rank);
  if (!descriptor) return std::nullopt;
  const auto broken = check(*descriptor, *knownLevel);
  if (broken.empty()) return std::nullopt;
  return std::string(broken.front().rule->wording) + " (" + std::string(broken.front().rule->id) +
         ")";
}

std::vector<Hole> findHoles(const std::vector<MatrixRow>& matrix) {
  struct Axes {
    std::set<std::string> levels;
    std::set<std::string> types;
    std::set<uint32_t> ranks;
  };
  std::map<std::string, Axes> axesOf;
  std::set<std::tuple<std::string, std::string, std::string, uint32_t>> filled;
  for (const MatrixRow& row : matrix) {
    if (!parseLevel(row.level) || !parseDataType(row.type) || row.rank > kMaxRank) continue;
    Axes& axes = axesOf[row.op];
    axes.levels.insert(row.level);
    axes.types.insert(row.type);
    axes.ranks.insert(row.rank);
    filled.emplace(row.op, row.level, row.type, row.rank);
  }
  std::vector<Hole> holes;
  for (const auto& [op, axes] : axesOf) {
    for (const std::string& level : axes.levels) {
      for (const std::string& type : axes.types) {
        for (uint32_t rank : axes.ranks) {
          if (filled.contains({op, level, type, rank})) continue;
          if (!isKnown(op, *parseDataType(type), rank)) continue;
          holes.push_back(
              {op, level, type, rank,
               ruledOut(op, level, type, rank).value_or("No case of this run covers it.")});
        }
      }
    }
  }
  return holes;
}

}  // namespace dmlcts
