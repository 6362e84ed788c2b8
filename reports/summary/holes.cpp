#include "reports/summary/holes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint32_t kMaxRank = 8;  // of any DirectML tensor

TensorDesc unitTensor(DataType type, uint32_t rank) {
  TensorDesc tensor{.type = type, .sizes = std::vector<uint32_t>(rank, 1), .strides = {}};
  tensor.totalBytes = minimumTotalBytes(tensor).value_or(0);
  return tensor;
}

// The smallest descriptor of the operator with an input of that type and rank.
std::optional<Descriptor> smallest(std::string_view op, DataType type, uint32_t rank) {
  if (op == GatherNd::name) {
    return GatherNd{.input = unitTensor(type, rank),
                    .indices = unitTensor(DataType::UInt32, rank),
                    .output = unitTensor(type, rank),
                    .inputDimensionCount = 1,
                    .indicesDimensionCount = 1};
  }
  if (op == NonzeroCoordinates::name) {
    return NonzeroCoordinates{.input = unitTensor(type, rank),
                              .count = unitTensor(DataType::UInt32, rank),
                              .coords = unitTensor(DataType::UInt32, std::max(rank, 2u))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank) {
  const auto knownLevel = parseLevel(level);
  const auto knownType = parseDataType(type);
  if (!knownLevel || !knownType || rank > kMaxRank) return std::nullopt;
  const auto descriptor = smallest(op, *knownType, rank);
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
          if (!smallest(op, *parseDataType(type), rank)) continue;
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
