#include "gpu/operators/nonzero_coordinates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>

#include "gpu/operators/axes.h"
#include "gpu/operators/tensor_memory.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {

namespace {

using namespace constants;

bool inRange(size_t value, size_t low, size_t high) { return low <= value && value <= high; }

// Returns the number of dimensions without leading ones of size 1.
size_t effectiveRank(const TensorDesc& tensor) {
  size_t leading = 0;
  while (leading < tensor.sizes.size() && tensor.sizes[leading] == 1) ++leading;
  return tensor.sizes.size() - leading;
}

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }

// If the coordinates take more windows of dwords than this, texels get windows of their own: a view
// shows four times as many bytes of them.
constexpr uint64_t kManyWindows = 4;

constexpr Memory kInput{Memory::Kind::Input, 0};
constexpr Memory kCount{Memory::Kind::Output, 0};
constexpr Memory kCoords{Memory::Kind::Output, 1};
constexpr Memory kTemporary{Memory::Kind::Temporary, 0};
constexpr Memory kState{Memory::Kind::State, 0};

// The walk over a strided input: see mark_strided.hlsl.
struct Lanes {
  uint64_t count = 1;
  uint64_t words;      // from a lane to the next
  uint32_t shift = 0;  // log2 of the lanes of one group
};

// Returns lanes along the axis with the shortest stride, if they are whole words apart.
Lanes lanesOf(const std::vector<Axis>& axes) {
  size_t nearest = axes.size() - 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].strides[0] != 0 &&
        (axes[nearest].strides[0] == 0 || axes[i].strides[0] < axes[nearest].strides[0])) {
      nearest = i;
    }
  }
  const uint64_t inside = itemsOf(std::span(axes).subspan(nearest + 1));
  if (inside % 32 != 0) return {.words = (itemsOf(axes) + 31) / 32};
  Lanes lanes{.count = axes[nearest].size, .words = inside / 32};
  while (lanes.shift < 5 && (uint64_t{1} << lanes.shift) < lanes.count) ++lanes.shift;
  return lanes;
}

class NonzeroPlanner {
 public:
  NonzeroPlanner(const NonzeroCoordinates& op, const PlanLimits& limits)
      : op_(op),
        limits_(limits),
        elements_(*elementCount(op.input)),
        tiles_((elements_ + kTileElements - 1) / kTileElements),
        recordBytes_((tiles_ * kTileRecordBytes + 255) / 256 * 256),
        inputAxes_(inputAxesOf(op)),
        output_(outputOf(op)),
        endsApart_(severalRows() &&
                   spanOf(output_.matrix, 0) * 4 > mostWindows() * limits.rawWindow()),
        scanned_(tiles_ > limits.maxUnscannedTiles || endsApart_) {}

  Plan plan() {
    if (planInOneDispatch()) return std::move(plan_);
    isPacked() ? markPacked() : markStrided();
    if (scanned_) planScan();
    plan_.temporaryBytes = recordBytes_ + (scanned_ ? 2 : 1) * countsBytes();
    planRows();
    return std::move(plan_);
  }

 private:
  // Temporaries: mask and ranks; the count of each tile; if these are scanned, the rows before each
  // tile and their total.
  uint64_t countsBytes() const { return ((tiles_ + 1) * 4 + 255) / 256 * 256; }
  uint64_t countsStart() const { return recordBytes_; }
  uint64_t rowsStart() const { return recordBytes_ + countsBytes(); }

  // Calls add(first, end) for the tiles from `firstTile` on, split into dispatches within the
  // limits of groups, the mask's views and `tilesPerView`.
  template <class Add>
  void overTiles(uint64_t tilesPerView, Add add, uint64_t firstTile = 0) {
    const uint64_t most =
        std::min({maxGroups(limits_), limits_.rawWindow() / kTileRecordBytes, tilesPerView});
    if (most == 0) throw std::length_error("NONZERO_COORDINATES: a view cannot show one tile");
    for (uint64_t first = firstTile; first < tiles_; first += most) {
      add(first, std::min(tiles_, first + most));
    }
  }

  Pass newPass(Shader shader, uint64_t first, uint64_t end, size_t dwords) const {
    Pass pass;
    pass.shader = shader;
    pass.stage = stage_;
    const GroupGrid grid = gridOf(end - first, limits_);
    pass.groupsX = grid.x;
    pass.groupsY = grid.y;
    pass.constants.resize(dwords);
    pass.constants[kFirst] = low(first);
    pass.constants[kEnd] = low(end);
    pass.constants[kGroupsPerRow] = grid.x;
    return pass;
  }

  static Binding maskOf(uint64_t first, uint64_t end, uint32_t baseAt) {
    return {Register::MaskBytes, kTemporary, first * kTileRecordBytes,
            (end - first) * kTileRecordBytes, baseAt};
  }

  // Returns a pass over tiles [first, end), bound to their mask and their part of the table at
  // `perTile`.
  Pass tilePass(Shader shader, uint64_t first, uint64_t end, size_t dwords, uint32_t maskBaseAt,
                uint64_t perTile, uint32_t perTileBaseAt) const {
    Pass pass = newPass(shader, first, end, dwords);
    pass.bindings.push_back(maskOf(first, end, maskBaseAt));
    pass.bindings.push_back({Register::TileCounts, kTemporary, perTile + first * 4,
                             (end - first + 1) * 4, perTileBaseAt});
    return pass;
  }

  static std::vector<Axis> inputAxesOf(const NonzeroCoordinates& op) {
    const std::vector<uint64_t> strides = stridesOf(op.input);
    std::vector<Axis> dimensions;
    for (size_t i = 0; i < strides.size(); ++i)
      dimensions.push_back({op.input.sizes[i], {strides[i]}});
    return coalesced(dimensions);
  }

  bool isPacked() const {
    return inputAxes_.empty() || (inputAxes_.size() == 1 && inputAxes_[0].strides[0] == 1);
  }

  uint32_t elementBytes() const { return info(op_.input.type).bytes; }
  uint64_t inputBytes() const { return elements_ * elementBytes(); }

  // Returns the shader for this width of elements; `of4` is followed by those of 2 and 1 bytes.
  Shader shaderOf(Shader of4) const {
    const int narrower = 2 - std::countr_zero(elementBytes());
    return static_cast<Shader>(static_cast<int>(of4) + narrower);
  }

  // Plans nonzero.hlsl, if the input is packed, its tiles are few and views show whole tensors.
  bool planInOneDispatch() {
    const uint64_t most = std::min(limits_.maxTilesInOneDispatch, maxGroups(limits_));
    uint64_t tileBytes = uint64_t{16} * kRankers;
    const bool few = elementBytes() == 1 || inputBytes() <= most / 2 * tileBytes;
    if (!few) tileBytes *= elementBytes();
    const uint64_t tiles = (inputBytes() + tileBytes - 1) / tileBytes;
    const uint64_t bytes = op_.coords.totalBytes;
    if (!isPacked() || tiles > most || inputBytes() > limits_.typedWindow() ||
        bytes > limits_.rawWindow()) {
      return false;
    }
    const std::vector<Column> columns = columnsOf();
    const std::vector<uint64_t> strides = stridesOf(op_.coords);
    const uint64_t rowStride = strides[strides.size() - 2];
    const bool texels = output_.shader == Shader::Rows4Texels;
    const Shader shader = shaderOf(few ? Shader::Nonzero4 : Shader::Nonzero4Long);
    Pass pass = newPass(shader, 0, tiles, kNonzeroDwords + 4 * columns.size());
    plan_.stateBytes = ((tiles + (tiles - 1) / kNonzeroChunk + 2) * 4 + 255) / 256 * 256;
    pass.bindings = {
        {Register::DataTexels, kInput, 0, inputBytes(), kNonzeroDataBase},
        {texels ? Register::OutTexels : Register::OutBytes, kCoords, 0, bytes, kNonzeroOutBase},
        {Register::CountBytes, kCount, 0, 4, kNonzeroCountBase},
        {Register::State, kState, 0, plan_.stateBytes, kNonzeroStateBase}};
    pass.constants[kMarkElements] = low(elements_);
    pass.constants[kMarkTestMask] = testMask();
    pass.constants[kNonzeroRowStride] = low(texels ? rowStride / 4 : rowStride * 4);
    pass.constants[kNonzeroColumnStride] =
        texels ? 0 : low(std::max<uint64_t>(1, strides.back()) * 4);
    pass.constants[kNonzeroColumns] = low(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      setAxis(&pass.constants[kNonzeroAxes + 4 * i], columns[columns.size() - 1 - i]);
    }
    plan_.passes.push_back(std::move(pass));
    return true;
  }

  uint32_t testMask() const {
    const DataType type = op_.input.type;
    return type == DataType::Float32 ? 0x7FFFFFFF : type == DataType::Float16 ? 0x7FFF7FFF : ~0u;
  }

  void markPacked() {
    const Shader shader = shaderOf(Shader::Mark4);
    const uint64_t tileBytes = uint64_t{kTileElements} * elementBytes();
    overTiles(limits_.typedWindow() / tileBytes, [&](uint64_t first, uint64_t end) {
      Pass pass =
          tilePass(shader, first, end, kMarkDwords, kMarkMaskBase, countsStart(), kMarkCountsBase);
      pass.constants[kMarkElements] = low(elements_);
      pass.constants[kMarkTestMask] = testMask();
      const uint64_t dataEnd = std::min(end * tileBytes, inputBytes());
      pass.bindings.push_back({Register::DataTexels, kInput, first * tileBytes,
                               dataEnd - first * tileBytes, kMarkDataBase});
      plan_.passes.push_back(std::move(pass));
    });
    ++stage_;
  }

  // Any element can lie in any window of the input. So each window is a stage, which adds to the
  // mask of the earlier ones; each stage has a pass per window of the mask.
  void markStrided() {
    const std::vector<Axis>& axes = inputAxes_;
    const uint32_t bytes = elementBytes();
    const uint64_t span = spanOf(axes, 0);
    const uint64_t window = limits_.rawWindow() / bytes;
    const Lanes lanes = lanesOf(axes);
    const uint64_t laneBlocks = (lanes.count + (1u << lanes.shift) - 1) >> lanes.shift;
    const uint64_t units = (elements_ + 31) / 32 / lanes.count;
    const uint64_t groupUnits = kGroupThreads >> lanes.shift;
    const uint64_t groups = (units + groupUnits - 1) / groupUnits * laneBlocks;
    for (uint64_t at = 0; at < span; at += window) {
      const uint64_t size = std::min(window, span - at);
      overTiles(tiles_, [&](uint64_t firstTile, uint64_t endTile) {
        for (uint64_t first = 0; first < groups; first += maxGroups(limits_)) {
          Pass pass =
              newPass(Shader::MarkStrided, first, std::min(groups, first + maxGroups(limits_)),
                      kStridedDwords + 4 * axes.size());
          pass.bindings.push_back(maskOf(firstTile, endTile, kMarkMaskBase));
          pass.bindings.push_back(
              {Register::DataBytes, kInput, at * bytes, size * bytes, kStridedDataBase});
          std::vector<uint32_t>& constants = pass.constants;
          constants[kMarkElements] = low(elements_);
          constants[kMarkTestMask] = testMask();
          constants[kStridedTypeShift] = bytes == 4 ? 2 : bytes - 1;
          constants[kStridedWindow] = low(at);
          constants[kStridedWindowSize] = low(size);
          constants[kStridedAccumulate] = at == 0 ? 0 : 1;
          constants[kStridedFirstWord] = low(firstTile * kTileElements / 32);
          constants[kStridedWords] = low((endTile - firstTile) * kTileElements / 32);
          constants[kStridedLanes] = low(lanes.count);
          constants[kStridedLanesShift] = lanes.shift;
          constants[kStridedLaneBlocks] = low(laneBlocks);
          constants[kStridedLaneWords] = low(lanes.words);
          constants[kStridedUnits] = low(units);
          constants[kStridedStep] = low(axes.back().strides[0]);
          constants[kStridedAxisCount] = low(axes.size());
          for (size_t i = 0; i < axes.size(); ++i) {
            constants[kStridedAxes + 4 * i] = low(axes[i].size);
            constants[kStridedAxes + 4 * i + 1] = low(axes[i].strides[0]);
          }
          plan_.passes.push_back(std::move(pass));
        }
      });
      ++stage_;
    }
    overTiles(tiles_, [&](uint64_t first, uint64_t end) {
      Pass pass = tilePass(Shader::Count, first, end, kCountDwords, kCountMaskBase, countsStart(),
                           kCountCountsBase);
      pass.constants[kCountElements] = low(elements_);
      plan_.passes.push_back(std::move(pass));
    });
    ++stage_;
  }

  void planScan() {
    if (countsBytes() > limits_.rawWindow()) {
      throw std::length_error("NONZERO_COORDINATES: the tile counts do not fit one view");
    }
    Pass pass = newPass(Shader::Scan, 0, (tiles_ + kScanChunk - 1) / kScanChunk, kScanDwords);
    ++stage_;
    pass.constants[kScanTiles] = low(tiles_);
    pass.bindings.push_back(
        {Register::MaskBytes, kTemporary, countsStart(), countsBytes(), kScanCountsBase});
    pass.bindings.push_back(
        {Register::TileCounts, kTemporary, rowsStart(), countsBytes(), kScanRowsBase});
    pass.bindings.push_back({Register::CountBytes, kCount, 0, 4, kScanOutBase});
    plan_.passes.push_back(std::move(pass));
  }

  // Strides in elements.
  static Shader rowsShader(uint64_t columns, uint64_t rowStride, uint64_t columnStride) {
    if (columns == 1 && rowStride == 1) return Shader::Rows1Texels;
    if (rowStride == 1 && columnStride % 4 == 0) return Shader::RowsApart;
    if (columns == 2 && rowStride == 2 && columnStride == 1) return Shader::Rows2Texels;
    if (columns == 4 && rowStride % 4 == 0 && columnStride == 1) return Shader::Rows4Texels;
    if (columns == 8 && rowStride % 4 == 0 && columnStride == 1) return Shader::Rows8Texels;
    return static_cast<Shader>(static_cast<uint64_t>(Shader::Rows1) + columns - 1);
  }

  // A column of the coordinates: the size of its axis, and the elements per step of it.
  struct Column {
    uint64_t size;
    uint64_t inside;
  };

  // The coordinates as a matrix of rows by columns, with any strides, and the shader that writes
  // it.
  struct Output {
    Shader shader;
    std::array<Axis, 2> matrix;
  };

  static Output outputOf(const NonzeroCoordinates& op) {
    const size_t rank = op.coords.sizes.size();
    const std::vector<uint64_t> strides = stridesOf(op.coords);
    const uint64_t rows = op.coords.sizes[rank - 2];
    const uint64_t columns = op.coords.sizes[rank - 1];
    const uint64_t rowStride = rows > 1 ? strides[rank - 2] : columns;
    const uint64_t columnStride = strides[rank - 1];
    return {rowsShader(columns, rowStride, columnStride),
            {Axis{rows, {strides[rank - 2]}}, Axis{columns, {columnStride}}}};
  }

  // True if one store writes several rows.
  bool severalRows() const {
    return output_.shader == Shader::Rows1Texels || output_.shader == Shader::Rows2Texels ||
           output_.shader == Shader::RowsApart;
  }

  // The windows of dwords that all coordinates may take before texels get windows of their own.
  // Columns apart are looked up once for all of them, but only if one window shows them all.
  uint64_t mostWindows() const { return output_.shader == Shader::RowsApart ? 1 : kManyWindows; }

  std::vector<Column> columnsOf() const {
    const size_t count = op_.coords.sizes.back();
    std::vector<Column> columns(count);
    uint64_t inside = 1;
    for (size_t i = count; i-- > 0;) {
      columns[i] = {op_.input.sizes[op_.input.sizes.size() - count + i], inside};
      inside *= columns[i].size;
    }
    return columns;
  }

  static void setAxis(uint32_t* axis, const Column& column) {
    setDivisor(axis, column.size);
    axis[3] = low(column.inside);
  }

  void planRows() {
    const Shader shader = output_.shader;
    const bool severalTexels = shader == Shader::Rows4Texels || shader == Shader::Rows8Texels;
    const uint64_t texels = limits_.typedWindow();
    const uint64_t dwords = limits_.rawWindow();
    overBoxes(severalTexels || endsApart_ ? texels : dwords, [&](const Part& part) {
      Pass pass = rowsPass(shader, part, part.endTile - part.firstTile);
      if (severalTexels) pass.constants[kRowsRowStride] /= 16;
      pass.constants[kRowsEndsApart] = endsApart_ ? 1 : 0;
      if (severalTexels || severalRows()) {
        pass.bindings.push_back({Register::OutTexels, kCoords, part.start, part.bytes,
                                 severalRows() ? kRowsTexelBase : kRowsOutBase});
      }
      if (!severalTexels && !endsApart_) {
        pass.bindings.push_back(
            {Register::OutBytes, kCoords, part.start, part.bytes, kRowsOutBase});
      }
      plan_.passes.push_back(std::move(pass));
    });
    if (!endsApart_) return;
    overBoxes(dwords, [&](const Part& part) {
      const uint64_t tiles = part.endTile - part.firstTile;
      Pass pass = rowsPass(Shader::RowEnds, part, (tiles + kGroupThreads - 1) / kGroupThreads);
      pass.constants[kRowsTexelRows] = shader == Shader::Rows2Texels ? 2 : 4;
      pass.bindings.push_back({Register::OutBytes, kCoords, part.start, part.bytes, kRowsOutBase});
      plan_.passes.push_back(std::move(pass));
    });
  }

  // The part that a pass writes: a box of the matrix, from tiles [firstTile, endTile).
  struct Part {
    Box box;
    uint64_t start;  // bytes of the coordinates
    uint64_t bytes;
    uint64_t firstTile;
    uint64_t endTile;
  };

  // Calls `add` with parts whose box fits a view of `window` bytes.
  template <class Add>
  void overBoxes(uint64_t window, Add add) {
    for (const Box& box : splitIntoBoxes(output_.matrix, {window / 4, kUnlimited, kUnlimited}, 4)) {
      const BoxAxes inside = axesIn(box, output_.matrix);
      const auto ofTiles = [&](uint64_t first, uint64_t end) {
        add(Part{box, inside.start[0] * 4, spanOf(inside.axes, 0) * 4, first, end});
      };
      // Rows never outnumber the elements before them.
      overTiles(tiles_, ofTiles, box.first[0] / kTileElements);
    }
  }

  // Returns a pass without its binding of the coordinates.
  Pass rowsPass(Shader shader, const Part& part, uint64_t groups) {
    const uint64_t first = part.firstTile;
    const uint64_t end = part.endTile;
    const std::vector<Column> columns = columnsOf();
    Pass pass = newPass(shader, first, first + groups, kRowsDwords + 4 * columns.size());
    std::vector<uint32_t>& constants = pass.constants;
    constants[kEnd] = low(end);
    pass.bindings.push_back(maskOf(first, end, kRowsMaskBase));
    pass.bindings.push_back({Register::TileCounts, kTemporary,
                             scanned_ ? rowsStart() + first * 4 : countsStart(),
                             scanned_ ? (end - first + 1) * 4 : countsBytes(), kRowsCountsBase});
    constants[kRowsScanned] = scanned_ ? 1 : 0;
    if (!scanned_ && end == tiles_ && !countWritten_) {
      countWritten_ = true;
      constants[kRowsWritesCount] = 1;
      pass.bindings.push_back({Register::CountBytes, kCount, 0, 4, kRowsCountBase});
    }
    const Box& box = part.box;
    constants[kRowsTiles] = low(tiles_);
    constants[kRowsFirstRow] = low(box.first[0]);
    constants[kRowsRowCount] = low(box.size[0]);
    constants[kRowsFirstColumn] = low(box.first[1]);
    constants[kRowsColumnCount] = low(box.size[1]);
    const std::array<Axis, 2>& matrix = output_.matrix;
    if (box.size[0] > 1) constants[kRowsRowStride] = low(matrix[0].strides[0] * 4);
    if (box.size[1] > 1) constants[kRowsColumnStride] = low(matrix[1].strides[0] * 4);
    constants[kRowsAxisCount] = low(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      setAxis(&constants[kRowsAxes + 4 * i], columns[i]);
    }
    return pass;
  }

  const NonzeroCoordinates& op_;
  const PlanLimits& limits_;
  uint64_t elements_;
  uint64_t tiles_;
  uint64_t recordBytes_;
  std::vector<Axis> inputAxes_;
  Output output_;
  bool endsApart_;  // row_ends.hlsl writes the partial texels of a tile
  bool scanned_;
  bool countWritten_ = false;  // by a rows pass
  uint32_t stage_ = 0;
  Plan plan_;
};

}  // namespace

bool acceptsNonzeroCoordinates(const NonzeroCoordinates& op, Level level) {
  if (level < Level::L3_0) return false;
  const bool older = level < Level::L4_0;  // fewer ranks, equal for all tensors
  if (info(op.input.type).bytes > 4) return false;
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

Plan planNonzeroCoordinates(const NonzeroCoordinates& op, const PlanLimits& limits) {
  return NonzeroPlanner(op, limits).plan();
}

}  // namespace dmlcts::gpu
