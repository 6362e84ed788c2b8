#include "gpu/operators/nonzero_coordinates.h"

#include <algorithm>
#include <stdexcept>

#include "gpu/operators/axes.h"
#include "gpu/operators/tensor_layout.h"
#include "gpu/shaders/layout.h"

namespace dmlcts::gpu {

namespace {

using namespace layout;

bool inRange(size_t value, size_t low, size_t high) { return low <= value && value <= high; }

bool supportedType(DataType type) { return info(type).bytes >= 1 && info(type).bytes <= 4; }

// Dimensions without leading ones of size 1.
size_t effectiveRank(const TensorDesc& tensor) {
  size_t leading = 0;
  while (leading < tensor.sizes.size() && tensor.sizes[leading] == 1) ++leading;
  return tensor.sizes.size() - leading;
}

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

constexpr Memory kInput{Memory::Kind::Input, 0};
constexpr Memory kCount{Memory::Kind::Output, 0};
constexpr Memory kCoords{Memory::Kind::Output, 1};
constexpr Memory kTemporary{Memory::Kind::Temporary, 0};

// In which order a strided tile is read, so that neighbouring threads read neighbouring memory:
// along the axis with the shortest stride, `lanes` elements that are `run` apart in element order.
struct ReadOrder {
  uint64_t lanes = 1;
  uint64_t run = kTileElements;
};

ReadOrder readOrderOf(const std::vector<Axis>& axes) {
  size_t nearest = axes.size() - 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].strides[0] != 0 && (axes[nearest].strides[0] == 0 ||
                                    axes[i].strides[0] < axes[nearest].strides[0])) {
      nearest = i;
    }
  }
  const uint64_t run = itemsOf(std::span(axes).subspan(nearest + 1));
  if (run == 1 || run > kTileElements / 2) return {};
  return {(kTileElements + run - 1) / run, run};
}

class NonzeroPlanner {
 public:
  NonzeroPlanner(const NonzeroCoordinates& op, const PlanLimits& limits)
      : op_(op),
        limits_(limits),
        elements_(*elementCount(op.input)),
        tiles_((elements_ + kTileElements - 1) / kTileElements),
        maskBytes_((tiles_ * kTileMaskBytes + 255) / 256 * 256) {}

  Plan plan() {
    planMark();
    planScan();
    planRows();
    plan_.temporaryBytes = maskBytes_ + 2 * countsBytes();
    return std::move(plan_);
  }

 private:
  // Temporaries: the mask, the count of each tile, the rows before each tile and their total.
  uint64_t countsBytes() const { return ((tiles_ + 1) * 4 + 255) / 256 * 256; }
  uint64_t countsStart() const { return maskBytes_; }
  uint64_t rowsStart() const { return maskBytes_ + countsBytes(); }

  // Tiles [first, end) in dispatches that neither the groups nor the views of the mask limit, nor
  // `tilesPerView`.
  template <class Add>
  void overTiles(uint64_t tilesPerView, Add add) {
    const uint64_t most = std::min({maxGroups(limits_), limits_.rawWindow() / kTileMaskBytes,
                                    limits_.rawWindow() / 4 - 1, tilesPerView});
    if (most == 0) throw std::length_error("NONZERO_COORDINATES: a view cannot show one tile");
    for (uint64_t first = 0; first < tiles_; first += most) {
      add(first, std::min(tiles_, first + most));
    }
  }

  // A pass over tiles [first, end), `perGroup` of them per group, bound to their mask and to their
  // part of what starts at `perTile`.
  Pass tilePass(Shader shader, uint64_t first, uint64_t end, uint64_t perGroup, size_t dwords,
                uint32_t maskBaseAt, uint64_t perTile, uint32_t perTileBaseAt) {
    Pass pass;
    pass.shader = shader;
    pass.stage = stage_;
    const GroupGrid grid = gridOf((end - first + perGroup - 1) / perGroup, limits_);
    pass.groupsX = grid.x;
    pass.groupsY = grid.y;
    pass.constants.assign(dwords, 0);
    pass.constants[kFirst] = low(first);
    pass.constants[kEnd] = low(end);
    pass.constants[kGroupsPerRow] = grid.x;
    pass.bindings.push_back({Register::MaskBytes, kTemporary, first * kTileMaskBytes,
                             (end - first) * kTileMaskBytes, maskBaseAt});
    pass.bindings.push_back({Register::TileCounts, kTemporary, perTile + first * 4,
                             (end - first + 1) * 4, perTileBaseAt});
    return pass;
  }

  void planMark() {
    const TensorDesc& input = op_.input;
    const uint32_t bytes = info(input.type).bytes;
    const std::vector<uint64_t> strides = stridesOf(input);
    std::vector<Axis> dimensions;
    for (size_t i = 0; i < strides.size(); ++i)
      dimensions.push_back({input.sizes[i], {strides[i]}});
    const std::vector<Axis> axes = coalesced(dimensions);
    const bool packed = axes.empty() || (axes.size() == 1 && axes[0].strides[0] == 1);
    if (packed) {
      markPacked(bytes);
    } else {
      markStrided(axes, bytes);
    }
  }

  uint32_t testMask() const {
    switch (op_.input.type) {
      case DataType::Float32:
        return 0x7FFFFFFF;
      case DataType::Float16:
        return 0x7FFF7FFF;
      default:
        return ~0u;
    }
  }

  void markPacked(uint32_t bytes) {
    const Shader shader = bytes == 4 ? Shader::Mark4 : bytes == 2 ? Shader::Mark2 : Shader::Mark1;
    const uint64_t tileBytes = uint64_t{kTileElements} * bytes;
    overTiles(limits_.typedWindow() / tileBytes, [&](uint64_t first, uint64_t end) {
      Pass pass = tilePass(shader, first, end, kMarkGroupBytes / tileBytes, kMarkDwords,
                           kMarkMaskBase, countsStart(), kMarkCountsBase);
      pass.constants[kMarkElements] = low(elements_);
      pass.constants[kMarkTestMask] = testMask();
      const uint64_t dataEnd = std::min(end * tileBytes, elements_ * bytes);
      pass.bindings.push_back({Register::DataTexels, kInput, first * tileBytes,
                               dataEnd - first * tileBytes, kMarkDataBase});
      plan_.passes.push_back(std::move(pass));
    });
    ++stage_;
  }

  // Any element can lie in any window of the input: each window is a stage of its own, which adds
  // to the mask that the windows before it made.
  void markStrided(const std::vector<Axis>& axes, uint32_t bytes) {
    const uint64_t span = spanOf(axes, 0) * bytes;
    const uint64_t window = limits_.rawWindow();
    const ReadOrder order = readOrderOf(axes);
    const Reciprocal lanes = reciprocalOf(order.lanes);
    for (uint64_t at = 0; at < span; at += window) {
      const uint64_t size = std::min(window, span - at);
      overTiles(tiles_, [&](uint64_t first, uint64_t end) {
        Pass pass = tilePass(Shader::MarkStrided, first, end, 1, kMarkDwords + 4 * axes.size(),
                             kMarkMaskBase, countsStart(), kMarkCountsBase);
        std::vector<uint32_t>& constants = pass.constants;
        constants[kMarkElements] = low(elements_);
        constants[kMarkTestMask] = testMask();
        constants[kMarkTypeShift] = bytes == 4 ? 2 : bytes - 1;
        constants[kMarkAxisCount] = low(axes.size());
        constants[kMarkWindowLo] = low(at);
        constants[kMarkWindowHi] = high(at);
        constants[kMarkWindowSize] = low(size);
        constants[kMarkAccumulate] = at == 0 ? 0 : 1;
        constants[kMarkWide] = high(span) != 0 ? 1 : 0;
        constants[kMarkLanes] = low(order.lanes);
        constants[kMarkLanesMultiplier] = lanes.multiplier;
        constants[kMarkLanesShift] = lanes.shift;
        constants[kMarkRun] = low(order.run);
        for (size_t i = 0; i < axes.size(); ++i) {
          setDivisor(&constants[kMarkAxes + 4 * i], axes[i].size);
          constants[kMarkAxes + 4 * i + 3] = low(axes[i].strides[0]);
        }
        pass.bindings.push_back({Register::DataBytes, kInput, at, size, kMarkDataBase});
        plan_.passes.push_back(std::move(pass));
      });
      ++stage_;
    }
  }

  void planScan() {
    if (countsBytes() > limits_.rawWindow()) {
      throw std::length_error("NONZERO_COORDINATES: the tile counts do not fit one view");
    }
    Pass pass;
    pass.shader = Shader::Scan;
    pass.stage = stage_++;
    const GroupGrid grid = gridOf((tiles_ + kScanChunk - 1) / kScanChunk, limits_);
    pass.groupsX = grid.x;
    pass.groupsY = grid.y;
    pass.constants.assign(kScanDwords, 0);
    pass.constants[kGroupsPerRow] = grid.x;
    pass.constants[kScanTiles] = low(tiles_);
    pass.bindings.push_back(
        {Register::MaskBytes, kTemporary, countsStart(), countsBytes(), kScanCountsBase});
    pass.bindings.push_back(
        {Register::TileCounts, kTemporary, rowsStart(), countsBytes(), kScanRowsBase});
    pass.bindings.push_back({Register::CountBytes, kCount, 0, 4, kScanOutBase});
    plan_.passes.push_back(std::move(pass));
  }

  // The output is a matrix of rows by columns at any strides; a pass writes a box of it.
  void planRows() {
    const size_t rank = op_.coords.sizes.size();
    const std::vector<uint64_t> strides = stridesOf(op_.coords);
    const uint64_t columns = op_.coords.sizes[rank - 1];
    const std::array<Axis, 2> matrix{Axis{elements_, {strides[rank - 2]}},
                                     Axis{columns, {strides[rank - 1]}}};
    const bool typed = columns == 4 && matrix[1].strides[0] == 1 && matrix[0].strides[0] % 4 == 0 &&
                       matrix[0].strides[0] >= 4;
    const uint64_t window = typed ? limits_.typedWindow() : limits_.rawWindow();
    const std::vector<Box> boxes =
        splitIntoBoxes(matrix, {window / 4, ~uint64_t{0}}, ~uint64_t{0}, 1);
    for (const Box& box : boxes) {
      const BoxAxes inside = axesIn(box, matrix);
      const uint64_t bytes = spanOf(inside.axes, 0) * 4;
      // A texel view could not show a row's part.
      const bool texels = typed && box.size[1] == 4;
      overTiles(tiles_, [&](uint64_t first, uint64_t end) {
        Pass pass = tilePass(texels ? Shader::Rows4 : Shader::Rows, first, end, 1,
                             kRowsDwords + 4 * columns, kRowsMaskBase, rowsStart(),
                             kRowsCountsBase);
        std::vector<uint32_t>& constants = pass.constants;
        constants[kRowsColumns] = low(columns);
        constants[kRowsTiles] = low(tiles_);
        constants[kRowsFirstRow] = low(box.first[0]);
        constants[kRowsRowCount] = low(box.size[0]);
        constants[kRowsFirstColumn] = low(box.first[1]);
        constants[kRowsColumnCount] = low(box.size[1]);
        constants[kRowsRowStride] =
            box.size[0] > 1 ? low(matrix[0].strides[0] * 4 / (texels ? 16 : 1)) : 0;
        constants[kRowsColumnStride] = box.size[1] > 1 ? low(matrix[1].strides[0] * 4) : 0;
        const size_t skipped = op_.input.sizes.size() - columns;
        for (size_t i = 0; i < columns; ++i) {
          setDivisor(&constants[kRowsAxes + 4 * i], op_.input.sizes[skipped + i]);
        }
        pass.bindings.push_back({texels ? Register::OutTexels : Register::OutBytes, kCoords,
                                 inside.start[0] * 4, bytes, kRowsOutBase});
        plan_.passes.push_back(std::move(pass));
      });
    }
  }

  const NonzeroCoordinates& op_;
  const PlanLimits& limits_;
  uint64_t elements_;
  uint64_t tiles_;
  uint64_t maskBytes_;
  uint32_t stage_ = 0;
  Plan plan_;
};

}  // namespace

bool accepts(const NonzeroCoordinates& op, Level level) {
  if (level < Level::L3_0) return false;
  const bool older = level < Level::L4_0;  // its document has fewer ranks, and all the same
  if (!supportedType(op.input.type)) return false;
  if (op.count.type != DataType::UInt32 || op.coords.type != DataType::UInt32) return false;

  const size_t inputRank = op.input.sizes.size();
  const size_t countRank = op.count.sizes.size();
  const size_t coordsRank = op.coords.sizes.size();
  if (older && (!inRange(inputRank, 4, 5) || countRank != inputRank || coordsRank != inputRank)) {
    return false;
  }
  if (!inRange(inputRank, 1, 8) || !inRange(countRank, 1, 8) || !inRange(coordsRank, 2, 8)) {
    return false;
  }
  if (!validBuffer(op.input, Access::Read)) return false;
  if (!validBuffer(op.count, Access::Write) || elementCount(op.count) != 1) return false;

  const std::vector<uint32_t>& sizes = op.coords.sizes;
  const auto notOne = [](uint32_t size) { return size != 1; };
  if (std::any_of(sizes.begin(), sizes.end() - 2, notOne)) return false;
  if (elementCount(op.input) != sizes[coordsRank - 2]) return false;
  const size_t fewest = std::max<size_t>(1, effectiveRank(op.input));
  if (!inRange(sizes[coordsRank - 1], fewest, inputRank)) return false;
  return validBuffer(op.coords, Access::Write);
}

Plan planOf(const NonzeroCoordinates& op, const PlanLimits& limits) {
  return NonzeroPlanner(op, limits).plan();
}

}  // namespace dmlcts::gpu
