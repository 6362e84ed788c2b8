#include "gpu/operators/gather_nd.h"

#include <algorithm>

#include "gpu/operators/axes.h"
#include "gpu/operators/tensor_layout.h"
#include "gpu/shaders/layout.h"

namespace dmlcts::gpu {

namespace {

using namespace layout;

constexpr uint64_t kTexelBytes = 16;
constexpr uint64_t kMost32 = 0xFFFFFFFF;

constexpr Memory kInput{Memory::Kind::Input, 0};
constexpr Memory kIndices{Memory::Kind::Input, 1};
constexpr Memory kOutput{Memory::Kind::Output, 0};
constexpr Memory kTemporary{Memory::Kind::Temporary, 0};

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

bool supportedType(DataType type) { return info(type).bytes >= 1 && info(type).bytes <= 4; }

bool supportedIndexType(DataType type, Level level) {
  if (level < Level::L3_0) return type == DataType::UInt32;
  return type == DataType::UInt32 || type == DataType::Int32 || type == DataType::UInt64 ||
         type == DataType::Int64;
}

// Where the parts of the operator's dimensions begin: ignored leading ones, the ones that tuples
// address, the ones that slices keep.
struct Parts {
  explicit Parts(const GatherNd& op)
      : rank(op.input.sizes.size()),
        tupleSize(op.indices.sizes.back()),
        tupleStart(rank - op.inputDimensionCount),
        sliceStart(tupleStart + tupleSize),
        outerStart(rank - op.indicesDimensionCount),
        outerCount(op.indicesDimensionCount - 1),
        sliceCount(rank - sliceStart),
        outputStart(rank - outerCount - sliceCount) {}

  size_t rank;
  size_t tupleSize;
  size_t tupleStart;  // in the input
  size_t sliceStart;  // in the input
  size_t outerStart;  // in the indices
  size_t outerCount;
  size_t sliceCount;
  size_t outputStart;  // in the output
};

class GatherPlanner {
 public:
  GatherPlanner(const GatherNd& op, const PlanLimits& limits)
      : limits_(limits),
        elementBytes_(info(op.input.type).bytes),
        indexBytes_(info(op.indices.type).bytes),
        indexSigned_(info(op.indices.type).isSigned),
        inputSpan_(spanBytes(op.input) / info(op.input.type).bytes) {
    const Parts parts(op);
    const std::vector<uint64_t> input = stridesOf(op.input);
    const std::vector<uint64_t> indices = stridesOf(op.indices);
    const std::vector<uint64_t> output = stridesOf(op.output);
    for (size_t i = 0; i < parts.tupleSize; ++i) {
      const size_t at = parts.tupleStart + i;
      tuple_.push_back({op.input.sizes[at], {input[at], 0}});
    }
    tupleStride_ = indices.back() * indexBytes_;
    std::vector<Axis> outer;
    for (size_t i = 0; i < parts.outerCount; ++i) {
      const size_t at = parts.outerStart + i;
      outer.push_back(
          {op.indices.sizes[at], {indices[at] * indexBytes_, output[parts.outputStart + i]}});
    }
    std::vector<Axis> slice;
    for (size_t i = 0; i < parts.sliceCount; ++i) {
      const size_t at = parts.sliceStart + i;
      slice.push_back(
          {op.input.sizes[at], {input[at], output[parts.outputStart + parts.outerCount + i]}});
    }
    outer_ = coalesced(outer);
    slice_ = coalesced(slice);
  }

  Plan plan() {
    if (tupleSpan() > limits_.rawWindow()) packIndices();
    inTexels_ = rowsAreTexels();
    if (inTexels_) toTexels();

    // Output and indices are cut into boxes that their views can show. The data is not: what a
    // tuple addresses is known on the GPU only, so each of its windows gets a pass over the box.
    std::vector<Axis> axes;  // index bytes, output units; slices have no part in the indices
    for (const Axis& axis : outer_) axes.push_back(axis);
    for (const Axis& axis : slice_) axes.push_back({axis.size, {0, axis.strides[1]}});
    const uint64_t outputWindow =
        inTexels_ ? limits_.typedWindow() / kTexelBytes : limits_.rawWindow() / elementBytes_;
    const uint64_t granularity = inTexels_ ? 1 : 4 / elementBytes_;
    for (const Box& box :
         splitIntoBoxes(axes, {limits_.rawWindow() - tupleSpan() + 1, outputWindow}, kMost32 / 2,
                        granularity)) {
      planBox(box, axes);
    }
    return std::move(plan_);
  }

 private:
  uint64_t unitBytes() const { return inTexels_ ? kTexelBytes : elementBytes_; }

  // Whether slices consist of runs of whole texels, aligned wherever they may lie.
  bool rowsAreTexels() const {
    const auto whole = [&](uint64_t elements) {
      return elements * elementBytes_ % kTexelBytes == 0;
    };
    if (slice_.empty() || slice_.back().strides != std::array<uint64_t, 2>{1, 1}) return false;
    if (!whole(slice_.back().size)) return false;
    if (inputSpan_ * elementBytes_ / kTexelBytes > kMost32) return false;
    return std::all_of(slice_.begin(), slice_.end() - 1,
                       [&](const Axis& axis) {
                         return whole(axis.strides[0]) && whole(axis.strides[1]);
                       }) &&
           std::all_of(tuple_.begin(), tuple_.end(),
                       [&](const Axis& axis) { return whole(axis.strides[0]); }) &&
           std::all_of(outer_.begin(), outer_.end(),
                       [&](const Axis& axis) { return whole(axis.strides[1]); });
  }

  void toTexels() {
    const uint64_t elements = kTexelBytes / elementBytes_;
    for (Axis& axis : tuple_) axis.strides[0] /= elements;
    for (Axis& axis : outer_) axis.strides[1] /= elements;
    for (Axis& axis : std::span(slice_).first(slice_.size() - 1)) {
      for (uint64_t& stride : axis.strides) stride /= elements;
    }
    slice_.back().size /= elements;
    inputSpan_ = (inputSpan_ + elements - 1) / elements;
  }

  // Bytes from the first component of a tuple to the end of its last.
  uint64_t tupleSpan() const { return (tuple_.size() - 1) * tupleStride_ + indexBytes_; }

  // Brings the components of each tuple together, in temporaries: a gather without tuples, of
  // dwords.
  void packIndices() {
    std::vector<Axis> axes;  // dwords of the indices, dwords of the temporaries
    uint64_t packed = tuple_.size() * (indexBytes_ / 4);
    for (size_t i = outer_.size(); i-- > 0;) {
      axes.insert(axes.begin(), {outer_[i].size, {outer_[i].strides[0] / 4, packed}});
      outer_[i].strides[0] = packed * 4;
      packed *= outer_[i].size;
    }
    axes.push_back({tuple_.size(), {tupleStride_ / 4, indexBytes_ / 4}});
    axes.push_back({indexBytes_ / 4, {1, 1}});
    tupleStride_ = indexBytes_;
    indices_ = kTemporary;
    plan_.temporaryBytes = (packed * 4 + 255) / 256 * 256;
    plan_.readsTemporaries = true;

    const uint64_t window = limits_.rawWindow() / 4;
    for (const Box& box : splitIntoBoxes(axes, {window, window}, kMost32 / 2, 1)) {
      const BoxAxes inside = axesIn(box, axes);
      const std::vector<Axis> all = coalesced(inside.axes);
      Pass pass = passOver(all);
      pass.shader = Shader::Gather4;
      pass.constants[kGatherTypeShift] = 2;
      pass.constants[kGatherPerThread] = 1;
      pass.constants[kGatherWindowSize] = low(spanOf(all, 0));
      pass.bindings.push_back({Register::DataBytes, kIndices, inside.start[0] * 4,
                               spanOf(all, 0) * 4, kGatherDataBase});
      pass.bindings.push_back({Register::OutBytes, kTemporary, inside.start[1] * 4,
                               spanOf(all, 1) * 4, kGatherOutBase});
      overItems(std::move(pass), itemsOf(all), kGroupThreads);
    }
    ++stage_;
  }

  // A pass of this stage over the axes, whose constants besides them are 0.
  Pass passOver(const std::vector<Axis>& axes) const {
    Pass pass;
    pass.stage = stage_;
    pass.constants.assign(kGatherDwords + 4 * axes.size(), 0);
    pass.constants[kGatherAxisCount] = low(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      uint32_t* axis = pass.constants.data() + kGatherAxes + 4 * i;
      axis[0] = low(axes[i].size);
      axis[1] = low(axes[i].strides[0]);
      axis[2] = low(axes[i].strides[1]);
    }
    return pass;
  }

  void planBox(const Box& box, const std::vector<Axis>& axes) {
    const BoxAxes inside = axesIn(box, axes);
    uint64_t dataStart = 0;  // of the box's slices, in each slice
    std::vector<Axis> outer;
    std::vector<Axis> slice;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (i < outer_.size()) {
        outer.push_back(inside.axes[i]);
      } else {
        const uint64_t stride = slice_[i - outer_.size()].strides[0];
        dataStart += box.first[i] * stride;
        slice.push_back({inside.axes[i].size, {stride, inside.axes[i].strides[1]}});
      }
    }
    outer = coalesced(outer);
    slice = coalesced(slice);

    std::vector<Axis> all = outer;
    all.insert(all.end(), slice.begin(), slice.end());
    Pass pass = passOver(all);
    std::vector<uint32_t>& constants = pass.constants;
    constants[kGatherTupleSize] = low(tuple_.size());
    constants[kGatherStartLo] = low(dataStart);
    constants[kGatherStartHi] = high(dataStart);
    constants[kGatherOuterCount] = low(outer.size());
    constants[kGatherTupleStride] = tuple_.size() > 1 ? low(tupleStride_) : 0;
    constants[kGatherIndexBytes] = indexBytes_;
    constants[kGatherSigned] = indexSigned_ ? 1 : 0;
    constants[kGatherWide] = inputSpan_ > kMost32 ? 1 : 0;
    constants[kGatherTypeShift] = elementBytes_ == 4 ? 2 : elementBytes_ - 1;
    for (size_t i = 0; i < tuple_.size(); ++i) {
      constants[kGatherTuple + 4 * i] = low(tuple_[i].size);
      constants[kGatherTuple + 4 * i + 1] = low(tuple_[i].strides[0]);
    }

    const uint64_t indexSpan = spanOf(inside.axes, 0) - 1 + tupleSpan();
    const uint64_t outputSpan = spanOf(inside.axes, 1) * unitBytes();
    const uint64_t outputStart = inside.start[1] * unitBytes();
    pass.bindings.push_back(
        {Register::IndexBytes, indices_, inside.start[0], indexSpan, kGatherIndexBase});

    const uint64_t items = itemsOf(all);
    uint64_t perGroup = kGroupThreads;
    if (inTexels_) {
      pass.shader = Shader::GatherRows;
      // Axes of one texel are gone: what is left may have no run.
      const bool hasRun = !slice.empty() && slice.back().strides == std::array<uint64_t, 2>{1, 1};
      setDivisor(&constants[kGatherRow], hasRun ? slice.back().size : 1);
      constants[kGatherAxisCount] = low(all.size() - (hasRun ? 1 : 0));
      perGroup = kGroupTexels;
      pass.bindings.push_back(
          {Register::OutTexels, kOutput, outputStart, outputSpan, kGatherOutBase});
    } else {
      // A thread may own a whole output dword where the box is packed and begins with one.
      const bool packed = elementBytes_ < 4 && outputSpan == items * elementBytes_ &&
                          outputStart % 4 == 0 && inOrder(all);
      constants[kGatherPerThread] = packed ? 4 / elementBytes_ : 1;
      perGroup *= constants[kGatherPerThread];
      pass.shader = elementBytes_ == 4 ? Shader::Gather4 : Shader::GatherSub;
      // From the dword that holds the first element.
      pass.bindings.push_back(
          {Register::OutBytes, kOutput, outputStart, outputSpan, kGatherOutBase});
    }
    overDataWindows(pass, items, perGroup);
  }

  // Whether iterating the axes visits the output in ascending addresses.
  static bool inOrder(const std::vector<Axis>& axes) {
    uint64_t packed = 1;
    for (size_t i = axes.size(); i-- > 0;) {
      if (axes[i].strides[1] != packed) return false;
      packed *= axes[i].size;
    }
    return true;
  }

  void overDataWindows(const Pass& common, uint64_t items, uint64_t perGroup) {
    const uint64_t window =
        inTexels_ ? limits_.typedWindow() / kTexelBytes : limits_.rawWindow() / elementBytes_;
    for (uint64_t at = 0; at < inputSpan_; at += window) {
      const uint64_t size = std::min(window, inputSpan_ - at);
      Pass pass = common;
      pass.constants[kGatherWindowLo] = low(at);
      pass.constants[kGatherWindowHi] = high(at);
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
  Memory indices_ = kIndices;
  uint32_t stage_ = 0;
  uint64_t inputSpan_;       // units
  uint64_t tupleStride_;     // bytes
  std::vector<Axis> tuple_;  // input units
  std::vector<Axis> outer_;  // index bytes, output units
  std::vector<Axis> slice_;  // input units, output units
  Plan plan_;
};

}  // namespace

bool accepts(const GatherNd& op, Level level) {
  if (level < Level::L2_1) return false;
  const size_t rank = op.input.sizes.size();
  if (op.indices.sizes.size() != rank || op.output.sizes.size() != rank) return false;
  if (rank < 1 || rank > 8 || (level < Level::L3_0 && rank != 4)) return false;
  if (!supportedType(op.input.type) || op.output.type != op.input.type) return false;
  if (!supportedIndexType(op.indices.type, level)) return false;
  if (!validBuffer(op.input, Access::Read) || !validBuffer(op.indices, Access::Read)) return false;

  const uint32_t inputCount = op.inputDimensionCount;
  const uint32_t indicesCount = op.indicesDimensionCount;
  if (inputCount < 1 || inputCount > rank || indicesCount < 1 || indicesCount > rank) return false;
  const uint32_t tupleSize = op.indices.sizes.back();
  if (tupleSize > inputCount) return false;
  if ((indicesCount - 1) + (inputCount - tupleSize) > rank) return false;

  const Parts parts(op);
  for (size_t i = 0; i < parts.tupleStart; ++i) {
    if (op.input.sizes[i] != 1) return false;
  }
  for (size_t i = 0; i < parts.outerStart; ++i) {
    if (op.indices.sizes[i] != 1) return false;
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

Plan planOf(const GatherNd& op, const PlanLimits& limits) {
  return GatherPlanner(op, limits).plan();
}

}  // namespace dmlcts::gpu
