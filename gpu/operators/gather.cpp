#include "gpu/operators/gather.h"

#include <algorithm>
#include <bit>

#include "gpu/operators/axes.h"
#include "gpu/operators/tensor_memory.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {

namespace {

using namespace constants;

constexpr uint64_t kTexelBytes = 16;
constexpr uint64_t kFewest = 16;        // rows and columns that outweigh a block's barriers
constexpr uint64_t kTexelElements = 4;  // of gatherScalars: an output texel, per thread
constexpr uint64_t kFewScalars = 256;   // fewer do not justify a second pass for the remainder

constexpr Memory kInput{Memory::Kind::Input, 0};
constexpr Memory kIndices{Memory::Kind::Input, 1};
constexpr Memory kOutput{Memory::Kind::Output, 0};
constexpr Memory kTemporary{Memory::Kind::Temporary, 0};

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }

// Index of the tensor in an axis' strides, and their unit.
enum : size_t { kOfIndices, kOfOutput, kOfInput };  // bytes, units, units

bool supportedIndexType(DataType type) {
  return type == DataType::UInt32 || type == DataType::Int32 || type == DataType::UInt64 ||
         type == DataType::Int64;
}

// The start of each part of the dimensions: ignored leading ones, batches, dimensions that tuples
// address, dimensions that slices keep.
struct Parts {
  explicit Parts(const GatherNd1& op)
      : rank(op.input.sizes.size()),
        tupleSize(op.indices.sizes.back()),
        batchCount(op.batchDimensionCount),
        batchStart(rank - op.inputDimensionCount),
        tupleStart(batchStart + batchCount),
        sliceStart(tupleStart + tupleSize),
        outerStart(rank - op.indicesDimensionCount),
        outerCount(op.indicesDimensionCount - 1),
        sliceCount(rank - sliceStart),
        outputStart(rank - outerCount - sliceCount) {}

  size_t rank;
  size_t tupleSize;
  size_t batchCount;
  size_t batchStart;  // in the input
  size_t tupleStart;  // in the input
  size_t sliceStart;  // in the input
  size_t outerStart;  // in the indices: batches, then the rest of the tuple array
  size_t outerCount;  // of both
  size_t sliceCount;
  size_t outputStart;  // in the output
};

class GatherPlanner {
 public:
  GatherPlanner(const GatherNd1& op, const PlanLimits& limits)
      : limits_(limits),
        elementBytes_(info(op.input.type).bytes),
        indexBytes_(info(op.indices.type).bytes),
        indexSigned_(info(op.indices.type).isSigned) {
    const Parts parts(op);
    const std::vector<uint64_t> input = stridesOf(op.input);
    const std::vector<uint64_t> indices = stridesOf(op.indices);
    const std::vector<uint64_t> output = stridesOf(op.output);
    for (size_t i = 0; i < parts.tupleSize; ++i) {
      const size_t at = parts.tupleStart + i;
      tuple_.push_back({op.input.sizes[at], {0, 0, input[at]}});
    }
    tupleStride_ = indices.back() * indexBytes_;
    std::vector<Axis> axes;
    for (size_t i = 0; i < parts.outerCount; ++i) {
      const size_t at = parts.outerStart + i;
      const uint64_t ofInput = i < parts.batchCount ? input[parts.batchStart + i] : 0;
      axes.push_back({op.indices.sizes[at],
                      {indices[at] * indexBytes_, output[parts.outputStart + i], ofInput}});
    }
    for (size_t i = 0; i < parts.sliceCount; ++i) {
      const size_t at = parts.sliceStart + i;
      const uint64_t ofOutput = output[parts.outputStart + parts.outerCount + i];
      axes.push_back({op.input.sizes[at], {0, ofOutput, input[at]}});
    }
    axes_ = coalesced(axes);
  }

  Plan plan() {
    if (tupleSpan() > limits_.rawWindow()) packIndices();
    inTexels_ = rowsAreTexels();
    if (inTexels_) {
      toTexels();
    } else if (elementBytes_ >= 4) {
      orderForMemory();
    }

    const uint64_t scalars = packedScalars();
    if (scalars > 0) {
      const uint64_t granularity = wideIndices() ? 1 : kTexelElements;
      planBoxes({{scalars, axes_[0].strides}}, limits_.typedWindow(), granularity, true);
      if (scalars < axes_[0].size) planBox({{scalars}, {axes_[0].size - scalars}}, false);
    } else {
      planBoxes(axes_, limits_.rawWindow(), unitBytes() < 4 ? 4 / unitBytes() : 1, false);
    }
    return std::move(plan_);
  }

 private:
  uint64_t unitBytes() const { return inTexels_ ? kTexelBytes : elementBytes_; }

  // Returns the units of input or output that one view can show.
  uint64_t window() const {
    return (inTexels_ ? limits_.typedWindow() : limits_.rawWindow()) / unitBytes();
  }

  // Returns the units of the input from the first to the last that a tuple can address, inclusive.
  uint64_t tupleReach() const { return spanOf(tuple_, kOfInput); }

  // True if the axis is a run of neighbours in both input and output.
  static bool isRun(const Axis& axis) { return axis.strides == PerTensor{0, 1, 1}; }

  // True if slices consist of runs of whole texels that are always aligned.
  bool rowsAreTexels() const {
    const auto whole = [&](uint64_t elements) {
      return elements * elementBytes_ % kTexelBytes == 0;
    };
    const auto apart = [&](const Axis& axis) {
      return whole(axis.strides[kOfOutput]) && whole(axis.strides[kOfInput]);
    };
    if (axes_.empty() || !isRun(axes_.back()) || !whole(axes_.back().size)) return false;
    return std::all_of(axes_.begin(), axes_.end() - 1, apart) &&
           std::all_of(tuple_.begin(), tuple_.end(), apart);
  }

  void toTexels() {
    const uint64_t elements = kTexelBytes / elementBytes_;
    const auto convert = [&](Axis& axis) {
      axis.strides[kOfOutput] /= elements;
      axis.strides[kOfInput] /= elements;
    };
    std::for_each(axes_.begin(), axes_.end() - 1, convert);
    std::for_each(tuple_.begin(), tuple_.end(), convert);
    axes_.back().size /= elements;
  }

  // Returns the axis with the shortest non-zero stride in a tensor, preferring inner ones. Returns
  // axes_.size() if there is none.
  size_t nearest(size_t tensor) const {
    size_t found = axes_.size();
    for (size_t i = 0; i < axes_.size(); ++i) {
      const uint64_t stride = axes_[i].strides[tensor];
      if (stride == 0) continue;
      if (found == axes_.size() || stride <= axes_[found].strides[tensor]) found = i;
    }
    return found;
  }

  void moveLast(size_t from) {
    std::rotate(axes_.begin() + static_cast<std::ptrdiff_t>(from),
                axes_.begin() + static_cast<std::ptrdiff_t>(from) + 1, axes_.end());
  }

  // Orders axes so that neighbouring threads write nearby elements of the output. If their inputs
  // are not nearby, moves blocks of both: see gather_block.hlsl. Keeps the order of sub-dword
  // elements: a thread can write whole dwords only in a packed output.
  void orderForMemory() {
    const size_t written = nearest(kOfOutput);
    const size_t read = nearest(kOfInput);
    if (written == axes_.size() || read == axes_.size()) return;
    // Elements that tuples select may be nearer to each other than neighbours on any axis.
    const bool byTuples = std::any_of(tuple_.begin(), tuple_.end(), [&](const Axis& axis) {
      return axis.size > 1 && axis.strides[kOfInput] < axes_[read].strides[kOfInput];
    });
    const Axis column = axes_[byTuples ? written : read];
    blocks_ = (byTuples || read != written) && worthBlocks(column)
                  ? byTuples ? Blocks::ReadDown : Blocks::ReadAlong
                  : Blocks::None;
    moveLast(written);
    if (blocks_ == Blocks::None) {
      axes_ = coalesced(axes_);
      return;
    }
    axes_.erase(std::find(axes_.begin(), axes_.end(), column));
    axes_ = coalesced(axes_);
    axes_.push_back(column);
  }

  // True if blocks can use that axis, a slice's, as columns.
  bool worthBlocks(const Axis& column) const {
    return column.strides[kOfIndices] == 0 && column.size >= kFewest &&
           itemsOf(axes_) / column.size >= kFewest;
  }

  // Returns the bytes from a tuple's first component to the end of its last.
  uint64_t tupleSpan() const { return (tuple_.size() - 1) * tupleStride_ + indexBytes_; }

  bool wideIndices() const { return indexBytes_ == 8; }

  // Returns the number of elements for gather_scalars.hlsl: single elements in one window of the
  // input, with packed tuples and a packed output.
  uint64_t packedScalars() const {
    if (elementBytes_ != 4 || tuple_.size() != 2 || tupleStride_ != indexBytes_) return 0;
    if (axes_.size() != 1 || axes_[0].strides != PerTensor{2 * tupleStride_, 1, 0}) return 0;
    if (axes_[0].size < kFewScalars || tupleReach() > window()) return 0;
    return wideIndices() ? axes_[0].size : axes_[0].size / kTexelElements * kTexelElements;
  }

  // Collects the components of each tuple in temporaries: a gather of dwords, without tuples.
  void packIndices() {
    std::vector<Axis> axes;  // dwords: the temporaries are the output, the indices the input
    uint64_t packed = tuple_.size() * (indexBytes_ / 4);
    for (size_t i = axes_.size(); i-- > 0;) {
      uint64_t& stride = axes_[i].strides[kOfIndices];
      if (stride == 0) continue;  // repeats the same tuples
      axes.insert(axes.begin(), {axes_[i].size, {0, packed, stride / 4}});
      stride = packed * 4;
      packed *= axes_[i].size;
    }
    axes.push_back({tuple_.size(), {0, indexBytes_ / 4, tupleStride_ / 4}});
    axes.push_back({indexBytes_ / 4, {0, 1, 1}});
    tupleStride_ = indexBytes_;
    indices_ = kTemporary;
    plan_.temporaryBytes = (packed * 4 + 255) / 256 * 256;
    plan_.readsTemporaries = true;

    const uint64_t window = limits_.rawWindow() / 4;
    for (const Box& box : splitIntoBoxes(axes, {kUnlimited, window, window}, 1)) {
      const BoxAxes inside = axesIn(box, axes);
      const std::vector<Axis> all = coalesced(inside.axes);
      Pass pass = passOver(all);
      pass.shader = Shader::Gather4;
      pass.constants[kGatherTypeShift] = 2;
      pass.constants[kGatherPerThread] = 1;
      pass.constants[kGatherWindowSize] = low(spanOf(all, kOfInput));
      pass.bindings.push_back({Register::DataBytes, kIndices, inside.start[kOfInput] * 4,
                               spanOf(all, kOfInput) * 4, kGatherDataBase});
      pass.bindings.push_back({Register::OutBytes, kTemporary, inside.start[kOfOutput] * 4,
                               spanOf(all, kOfOutput) * 4, kGatherOutBase});
      overItems(std::move(pass), itemsOf(all), kGroupThreads);
    }
    ++stage_;
  }

  static void setAxis(uint32_t* constants, const Axis& axis) {
    constants[0] = low(axis.size);
    constants[1] = low(axis.strides[kOfIndices]);
    constants[2] = low(axis.strides[kOfOutput]);
    constants[3] = low(axis.strides[kOfInput]);
  }

  // Returns a pass of this stage over the axes, with its other constants 0.
  Pass passOver(const std::vector<Axis>& axes) const {
    Pass pass;
    pass.stage = stage_;
    pass.constants.resize(kGatherDwords + 4 * axes.size());
    pass.constants[kGatherAxisCount] = low(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      setAxis(&pass.constants[kGatherAxes + 4 * i], axes[i]);
    }
    return pass;
  }

  // Cuts output and indices into boxes that fit their views. Only the GPU knows the addressed
  // inputs, so each window of the input gets a pass over the box. `inScalars`: use
  // gather_scalars.hlsl.
  void planBoxes(const std::vector<Axis>& axes, uint64_t indexWindow, uint64_t granularity,
                 bool inScalars) {
    PerTensor limits;
    limits[kOfIndices] = indexWindow - tupleSpan() + 1;
    limits[kOfOutput] = window();
    limits[kOfInput] = kUnlimited;
    for (const Box& box : splitIntoBoxes(axes, limits, granularity)) planBox(box, inScalars);
  }

  void planBox(const Box& box, bool inScalars) {
    const BoxAxes inside = axesIn(box, axes_);
    std::vector<Axis> axes = inside.axes;
    if (blocks_ != Blocks::None) axes.pop_back();  // the columns
    axes = coalesced(axes);
    // The units of the input that the box's tuples can reach.
    const uint64_t inputStart = inside.start[kOfInput];
    const uint64_t inputEnd = inputStart + spanOf(inside.axes, kOfInput) - 1 + tupleReach();
    Pass pass = passOver(axes);
    std::vector<uint32_t>& constants = pass.constants;
    constants[kGatherTupleSize] = low(tuple_.size());
    constants[kGatherStart] = low(inputStart);
    constants[kGatherTupleStride] = tuple_.size() > 1 ? low(tupleStride_) : 0;
    constants[kGatherIndexBytes] = indexBytes_;
    constants[kGatherTypeShift] = static_cast<uint32_t>(std::countr_zero(elementBytes_));
    for (size_t i = 0; i < tuple_.size(); ++i) {
      const uint64_t size = tuple_[i].size;
      constants[kGatherTuple + 4 * i] = low(size - 1);
      constants[kGatherTuple + 4 * i + 1] = low(tuple_[i].strides[kOfInput]);
      constants[kGatherTuple + 4 * i + 2] = indexSigned_ ? low(size) : 0;
    }

    const uint64_t indexSpan = spanOf(inside.axes, kOfIndices) - 1 + tupleSpan();
    const uint64_t outputSpan = spanOf(inside.axes, kOfOutput) * unitBytes();
    const uint64_t outputStart = inside.start[kOfOutput] * unitBytes();
    pass.bindings.push_back({inScalars ? Register::DataTexels : Register::IndexBytes, indices_,
                             inside.start[kOfIndices], indexSpan, kGatherIndexBase});
    const bool toTexels = inTexels_ || (inScalars && !wideIndices());
    pass.bindings.push_back({toTexels ? Register::OutTexels : Register::OutBytes, kOutput,
                             outputStart, outputSpan, kGatherOutBase});
    uint64_t items = itemsOf(axes);
    uint64_t perGroup = kGroupThreads;
    if (inTexels_) {
      // Axes of one texel have been dropped, so the others may have no run.
      const bool hasRun = !axes.empty() && isRun(axes.back());
      const bool wholeGroups = hasRun && axes.back().size % kGroupTexels == 0;
      pass.shader = wholeGroups ? Shader::GatherLongRows : Shader::GatherRows;
      setDivisor(&constants[kGatherRow], hasRun ? axes.back().size : 1);
      constants[kGatherAxisCount] = low(axes.size() - (hasRun ? 1 : 0));
      perGroup = kGroupTexels;
    } else if (inScalars) {
      if (wideIndices()) {
        pass.shader = Shader::GatherScalarsWide;
        perGroup *= kTexelElements;
      } else {
        pass.shader = Shader::GatherScalars;
        items /= kTexelElements;
      }
    } else if (blocks_ != Blocks::None) {
      items = setBlocks(pass, items, inside.axes.back());
      perGroup = 1;
    } else {
      // If the box is packed and begins with a dword, each thread can own an output dword.
      const bool packed = elementBytes_ < 4 && outputSpan == items * elementBytes_ &&
                          outputStart % 4 == 0 && inOrder(axes);
      constants[kGatherPerThread] = packed ? 4 / elementBytes_ : 1;
      perGroup *= constants[kGatherPerThread];
      pass.shader = elementShader();
    }
    overInputWindows(pass, inputStart, inputEnd, items, perGroup);
  }

  // Turns the pass into one over blocks of rows by columns, and returns their number. Blocks read
  // down the rows have up to 16 columns, others up to 64. Rows fill the rest, up to kBlockMostRows.
  uint64_t setBlocks(Pass& pass, uint64_t rows, const Axis& columns) const {
    const bool down = blocks_ == Blocks::ReadDown;
    const auto elements = static_cast<uint32_t>(std::countr_zero(kBlockDwords * 4 / elementBytes_));
    const auto most = static_cast<uint32_t>(std::bit_width(columns.size) - 1);
    const auto mostRows = static_cast<uint32_t>(std::countr_zero(kBlockMostRows));
    // A window may have fewer columns than a block with that many rows.
    const uint32_t rowsShift =
        std::min(elements - std::min<uint32_t>(down ? 4 : 6, most), mostRows);
    const uint32_t columnsShift = elements - rowsShift;
    pass.shader = elementBytes_ == 8 ? Shader::GatherBlock8 : Shader::GatherBlock4;
    setAxis(&pass.constants[kBlockColumns], columns);
    pass.constants[kBlockRows] = low(rows);
    pass.constants[kBlockRowsShift] = rowsShift;
    pass.constants[kBlockColumnsShift] = columnsShift;
    pass.constants[kBlockReadsDown] = down ? 1 : 0;
    const auto blocks = [](uint64_t size, uint32_t shift) {
      return (size + (uint64_t{1} << shift) - 1) >> shift;
    };
    return blocks(rows, rowsShift) * blocks(columns.size, columnsShift);
  }

  // True if the axes visit the output in address order, without gaps.
  static bool inOrder(const std::vector<Axis>& axes) {
    uint64_t packed = 1;
    for (size_t i = axes.size(); i-- > 0;) {
      if (axes[i].strides[kOfOutput] != packed) return false;
      packed *= axes[i].size;
    }
    return true;
  }

  Shader elementShader() const {
    if (elementBytes_ == 8) return Shader::Gather8;
    return elementBytes_ == 4 ? Shader::Gather4 : Shader::GatherSub;
  }

  // Adds a pass for each window of units [start, end) of the input.
  void overInputWindows(const Pass& common, uint64_t start, uint64_t end, uint64_t items,
                        uint64_t perGroup) {
    for (uint64_t at = start; at < end; at += window()) {
      const uint64_t size = std::min(window(), end - at);
      Pass pass = common;
      pass.constants[kGatherWindow] = low(at);
      pass.constants[kGatherWindowSize] = low(size);
      pass.bindings.push_back({inTexels_ ? Register::DataTexels : Register::DataBytes, kInput,
                               at * unitBytes(), size * unitBytes(), kGatherDataBase});
      overItems(std::move(pass), items, perGroup);
    }
  }

  void overItems(Pass pass, uint64_t items, uint64_t perGroup) {
    const uint64_t most = maxGroups(limits_) * perGroup;
    for (uint64_t first = 0; first < items; first += most) {
      const uint64_t end = std::min(items, first + most);
      const GroupGrid grid = gridOf((end - first + perGroup - 1) / perGroup, limits_);
      pass.groupsX = grid.x;
      pass.groupsY = grid.y;
      pass.constants[kFirst] = low(first);
      pass.constants[kEnd] = low(end);
      pass.constants[kGroupsPerRow] = grid.x;
      plan_.passes.push_back(pass);
    }
  }

  const PlanLimits& limits_;
  uint32_t elementBytes_;
  uint32_t indexBytes_;
  bool indexSigned_;
  bool inTexels_ = false;
  enum class Blocks : uint8_t {
    None,
    ReadAlong,  // reads columns, writes down the rows
    ReadDown,   // reads rows, writes along the columns
  } blocks_ = Blocks::None;
  Memory indices_ = kIndices;
  uint32_t stage_ = 0;
  uint64_t tupleStride_;  // bytes
  std::vector<Axis> tuple_;
  std::vector<Axis> axes_;  // batches, the rest of the tuple array, slices
  Plan plan_;
};

// GATHER_ND has no batches.
GatherNd1 withoutBatches(const GatherNd& op) {
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
}

// True if the descriptor keeps the constraints of both operators: 1 to 8 dimensions, dimension
// counts, batches, sizes, an output of the input's type. Data have up to 4 bytes, from level 4.1 on
// up to 8; indices have 4 or 8.
bool acceptsGather(const GatherNd1& op, Level level) {
  if (level < Level::L4_1 && info(op.input.type).bytes > 4) return false;
  const size_t rank = op.input.sizes.size();
  if (op.indices.sizes.size() != rank || op.output.sizes.size() != rank) return false;
  if (op.output.type != op.input.type || !supportedIndexType(op.indices.type)) return false;
  if (!validBuffer(op.input, Access::Read) || !validBuffer(op.indices, Access::Read)) return false;

  const uint64_t inputCount = op.inputDimensionCount;
  const uint64_t indicesCount = op.indicesDimensionCount;
  const uint64_t batchCount = op.batchDimensionCount;
  const uint64_t tupleSize = op.indices.sizes.back();
  if (inputCount > rank || indicesCount > rank) return false;
  if (batchCount + tupleSize > inputCount || batchCount >= indicesCount) return false;
  if ((indicesCount - 1) + (inputCount - batchCount - tupleSize) > rank) return false;

  const Parts parts(op);
  for (size_t i = 0; i < parts.batchStart; ++i) {
    if (op.input.sizes[i] != 1) return false;
  }
  for (size_t i = 0; i < parts.outerStart; ++i) {
    if (op.indices.sizes[i] != 1) return false;
  }
  for (size_t i = 0; i < parts.batchCount; ++i) {
    const uint32_t batches = op.indices.sizes[parts.outerStart + i];
    if (op.input.sizes[parts.batchStart + i] != batches) return false;
  }
  for (size_t i = 0; i < rank; ++i) {
    uint32_t expected = 1;
    if (i >= parts.outputStart + parts.outerCount) {
      expected = op.input.sizes[parts.sliceStart + i - parts.outputStart - parts.outerCount];
    } else if (i >= parts.outputStart) {
      expected = op.indices.sizes[parts.outerStart + i - parts.outputStart];
    }
    if (op.output.sizes[i] != expected) return false;
  }
  return validBuffer(op.output, Access::Write);
}

}  // namespace

bool acceptsGatherNd(const GatherNd& op, Level level) {
  if (level < Level::L2_1) return false;
  const bool first = level < Level::L3_0;  // its documentation has one rank and one index type
  if (first && (op.input.sizes.size() != 4 || op.indices.type != DataType::UInt32)) return false;
  return acceptsGather(withoutBatches(op), level);
}

bool acceptsGatherNd1(const GatherNd1& op, Level level) {
  return level >= Level::L3_0 && acceptsGather(op, level);
}

Plan planGatherNd(const GatherNd& op, const PlanLimits& limits) {
  return planGatherNd1(withoutBatches(op), limits);
}

Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits) {
  return GatherPlanner(op, limits).plan();
}

}  // namespace dmlcts::gpu
