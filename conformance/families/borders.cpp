// Both sides of every border that a rule draws. Each case changes a valid descriptor as little as
// possible. The oracle's rules say whether it must still be accepted, or which rule alone it
// breaks; changes that break several rules are left out.

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "conformance/families/case_list.h"
#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/gather_parts.h"
#include "conformance/families/nonzero_parts.h"
#include "conformance/language/build.h"
#include "conformance/language/case_string.h"
#include "conformance/language/hash.h"
#include "conformance/language/operator_syntax.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kWrap = uint64_t{1} << 32;

// Changes that a level can see differently, that an element's width can, of counts, or all.
enum class Part { OfLevel, OfWidth, OfCounts, All };

// Changes of one descriptor at one level.
class Borders {
 public:
  // `seen`: case strings that the list has, or that are left out.
  Borders(CaseList& list, std::set<std::string>& seen, Level level, Descriptor valid, bool inSmoke)
      : list_(list), seen_(seen), level_(level), valid_(std::move(valid)), inSmoke_(inSmoke) {}

  void add(Part part) {
    add(valid_);
    const bool inSmoke = std::exchange(inSmoke_, inSmoke_ || part == Part::All);
    if (part != Part::OfWidth) addAttributes();  // few, and in Smoke for every control
    inSmoke_ = inSmoke;
    if (part == Part::All) addZeroPairs();
    const size_t slots = tensors(valid_).size();
    for (slot_ = 0; slot_ < slots; ++slot_) {
      strided_.reset();
      if (part != Part::OfCounts) addTypes();
      if (part == Part::OfLevel || part == Part::OfCounts) {
        addDimensionCounts();
        continue;
      }
      addAlignments();
      addTotals();
      if (part == Part::All) addPairs();
      if (part == Part::All) addGeometry();
      if (!setLayout({slot_ % 2 == 0 ? LayoutKind::Pad : LayoutKind::Step, {2}})) continue;
      addTotals();
      if (part == Part::All) addPairs();
      if (part == Part::All) addGeometry();
    }
  }

 private:
  // Leaves out descriptors that break several rules, or one that no case may rely on.
  void add(const Descriptor& changed) {
    Case named;
    named.level = level_;
    named.descriptor = changed;
    if (!seen_.insert(caseString(named)).second) return;
    std::set<const Rule*> broken;
    for (const BrokenRule& each : check(changed, level_)) broken.insert(each.rule);
    if (broken.empty()) {
      list_.accept(level_, changed);
    } else if (broken.size() == 1 && (*broken.begin())->checked == Checked::ByRejecting) {
      list_.reject(level_, changed, (*broken.begin())->id);
    } else {
      return;
    }
    if (inSmoke_) list_.keepInSmoke();
  }

  void addChanged(const std::function<void(TensorDesc&)>& change) {
    Descriptor changed = base();
    change(*mutableTensors(changed)[slot_]);
    add(changed);
  }

  const Descriptor& base() const { return strided_ ? *strided_ : valid_; }
  TensorDesc tensor() const { return *tensors(base())[slot_].desc; }

  // Each attribute around its own value and around the DimensionCount, and with bits that a
  // narrower integer would lose.
  void addAttributes() {
    const auto rank = static_cast<uint32_t>(tensors(valid_)[0].desc->sizes.size());
    const size_t count = dimensionCounts(valid_).size();
    for (size_t i = 0; i < count; ++i) {
      const uint32_t value = *dimensionCounts(valid_)[i];
      for (uint32_t other : {0u, 1u, 2u, value - 1, value + 1, value + 2, rank - 1, rank, rank + 1,
                             9u, value + 256, value + 65'536, value + 0x8000'0000u, UINT32_MAX}) {
        Descriptor changed = valid_;
        *dimensionCounts(changed)[i] = other;
        add(changed);
      }
    }
  }

  // Sizes of 0 in two tensors at once, which may agree with each other.
  void addZeroPairs() {
    const size_t slots = tensors(valid_).size();
    for (size_t a = 0; a < slots; ++a) {
      for (size_t b = a + 1; b < slots; ++b) {
        const size_t axes = tensors(valid_)[a].desc->sizes.size();
        const size_t others = tensors(valid_)[b].desc->sizes.size();
        for (size_t i = 0; i < axes * others; ++i) {
          Descriptor changed = valid_;
          for (const auto& [slot, axis] : {std::pair(a, i / others), std::pair(b, i % others)}) {
            TensorDesc& desc = *mutableTensors(changed)[slot];
            resize(desc, withSize(desc.sizes, axis, 0));
          }
          add(changed);
        }
      }
    }
  }

  void addTypes() {
    for (const DataTypeInfo& type : kDataTypes) {
      addChanged([&](TensorDesc& desc) { retype(desc, type.type); });
    }
  }

  void addAlignments() {
    for (uint32_t alignment :
         {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 65'536u, 0x8000'0000u, 0xC000'0000u, UINT32_MAX}) {
      addChanged([&](TensorDesc& desc) { desc.baseOffsetAlignment = alignment; });
    }
    addChanged([](TensorDesc& desc) { desc.flags = kOwnedByDml; });
  }

  // Two properties at once, which one driver's code may decide together: flags, alignment, strides
  // (of the base), excess total, flags of another tensor; and totals that are negative if signed.
  void addPairs() {
    const bool inSmoke = std::exchange(inSmoke_, false);
    const auto own = [](TensorDesc& desc) { desc.flags = kOwnedByDml; };
    const auto align = [](TensorDesc& desc) { desc.baseOffsetAlignment = 64; };
    const auto exceed = [](TensorDesc& desc) { desc.totalBytes += 64; };
    addChanged([&](TensorDesc& desc) { own(desc), align(desc); });
    addChanged([&](TensorDesc& desc) { own(desc), exceed(desc); });
    addChanged([&](TensorDesc& desc) { align(desc), exceed(desc); });
    if (strided_) {
      addChanged(own);
      addChanged(align);
      addChanged([](TensorDesc& desc) { desc.baseOffsetAlignment = 48; });
    }
    for (size_t other = 0; !strided_ && other < slot_; ++other) {
      Descriptor changed = valid_;
      own(*mutableTensors(changed)[slot_]);
      own(*mutableTensors(changed)[other]);
      add(changed);
    }
    for (uint64_t total : {uint64_t{1} << 63, ~uint64_t{3}}) {
      if (!strided_) addChanged([&](TensorDesc& desc) { desc.totalBytes = total; });
    }
    inSmoke_ = inSmoke;
  }

  // Totals around the elements' own need, around the need without strides, around the limit, and
  // with the bits that 32 bits would lose.
  void addTotals() {
    const TensorDesc own = tensor();
    const uint64_t width = info(own.type).bytes;
    const uint64_t packed = makeTensor(own.type, own.sizes).totalBytes;
    std::set<uint64_t> totals{0,
                              packed,
                              packed - 4,
                              (kWrap - 1) * width,
                              (kWrap - 1) * width / 4 * 4,
                              kWrap * width - 1,
                              kWrap * width,
                              own.totalBytes + kWrap - 4};
    for (uint64_t change = 1; change <= 4; ++change) {
      totals.insert(own.totalBytes + change);
      totals.insert(own.totalBytes - change);
    }
    for (uint64_t total : totals) {
      addChanged([&](TensorDesc& desc) { desc.totalBytes = total; });
    }
  }

  void addGeometry() {
    addStrides();
    addSizes();
    addDimensionCounts();
  }

  // The slot with that layout, as the base of further changes. False where it changes nothing.
  bool setLayout(const Layout& layout) {
    Descriptor strided = valid_;
    TensorDesc& desc = *mutableTensors(strided)[slot_];
    const auto strides = layoutStrides(layout, desc.sizes);
    if (!strides || elementCount(desc.sizes) == 1u) return false;
    setStrides(desc, *strides);
    layout_ = layout;
    strided_ = std::move(strided);
    add(*strided_);
    return true;
  }

  // Strides of 0, of another dimension, one element too short, and so long that the need wraps at
  // 2^32 bytes or elements.
  void addStrides() {
    const TensorDesc own = tensor();
    const Sizes strides = own.strides ? *own.strides : layoutStrides({}, own.sizes).value();
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      const bool moves = own.sizes[axis] > 1;
      std::set<uint32_t> others{0, moves ? strides[axis] - 1 : UINT32_MAX};
      for (size_t other = 0; moves && other < strides.size(); ++other) {
        if (own.sizes[other] > 1) others.insert(strides[other]);
      }
      if (moves && !strided_) others.insert(0x8000'0000u);
      for (uint32_t stride : others) {
        addChanged([&](TensorDesc& desc) { setStrides(desc, withSize(strides, axis, stride)); });
      }
      if (moves) addWrapped(own, strides, axis);
    }
    if (!strided_) addDrawnStrides(own.sizes);
  }

  // Short strides at random: elements meet in ways that no single stride shows.
  void addDrawnStrides(const Sizes& sizes) {
    constexpr uint64_t kDraws = 24;
    constexpr uint64_t kMost = 24;
    for (uint64_t draw = 0; draw < kDraws; ++draw) {
      Sizes strides;
      for (size_t axis = 0; axis < sizes.size(); ++axis) {
        strides.push_back(static_cast<uint32_t>(1 + hashBits(slot_, draw, axis) % kMost));
      }
      addChanged([&](TensorDesc& desc) { setStrides(desc, strides); });
    }
  }

  void addWrapped(const TensorDesc& own, const Sizes& strides, size_t axis) {
    for (uint64_t unit : {uint64_t{info(own.type).bytes}, uint64_t{1}}) {
      const uint64_t steps = (own.sizes[axis] - 1) * unit;
      const uint64_t stride = (kWrap + steps - 1) / steps;
      if (stride > UINT32_MAX) continue;
      const TensorDesc wrapped =
          makeTensor(own.type, own.sizes, withSize(strides, axis, static_cast<uint32_t>(stride)));
      for (uint64_t total : {wrapped.totalBytes, wrapped.totalBytes - 4, wrapped.totalBytes % kWrap,
                             own.totalBytes}) {
        addChanged([&](TensorDesc& desc) {
          desc = wrapped;
          desc.totalBytes = total;
        });
      }
    }
  }

  // Each size around its own, sizes exchanged, sizes of the same product, sizes aligned to the
  // left.
  void addSizes() {
    const Sizes own = tensor().sizes;
    for (size_t axis = 0; axis < own.size(); ++axis) {
      for (uint32_t size :
           {0u, 1u, own[axis] - 1, own[axis] + 1, 2 * own[axis], own[axis] + 65'536}) {
        addSized(withSize(own, axis, size));
      }
      // With a stride of 0 an empty dimension reaches no further than the others.
      const Sizes strides = layoutStrides(strided_ ? layout_ : Layout{}, own).value();
      addChanged([&](TensorDesc& desc) {
        setStrides(desc, withSize(strides, axis, 0));
        desc.sizes[axis] = 0;
      });
      if (axis + 1 == own.size()) continue;
      const uint32_t product = own[axis] * own[axis + 1];
      addSized(withSize(withSize(own, axis, own[axis + 1]), axis + 1, own[axis]));
      addSized(withSize(withSize(own, axis, 1), axis + 1, product));
      addSized(withSize(withSize(own, axis, product), axis + 1, 1));
    }
    if (own.size() >= 3) {  // more elements than 64 bits count
      constexpr uint32_t k31 = uint32_t{1} << 31;
      addSized(withSize(withSize(withSize(own, 0, k31), 1, k31), 2, 4));
    }
    Sizes left = own;
    std::rotate(left.begin(), left.begin() + 1, left.end());
    addSized(left);
  }

  // Every DimensionCount to one beyond the limit, and twice the limit: with 1s in front of the
  // sizes, with 1s behind them, or with the last of the sizes alone.
  void addDimensionCounts() {
    const Sizes own = tensor().sizes;
    for (size_t rank : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16}) {
      if (rank < own.size()) {
        addSized({own.end() - static_cast<ptrdiff_t>(rank), own.end()});
      } else {
        addSized(rightAligned(own, rank));
        addSized(concatenated(own, Sizes(rank - own.size(), 1)));
      }
    }
  }

  void addSized(const Sizes& sizes) {
    std::optional<Sizes> strides;
    if (strided_) {
      strides = layoutStrides(layout_, sizes);
      if (!strides) return;
    }
    addChanged([&](TensorDesc& desc) { desc = makeTensor(desc.type, sizes, strides); });
  }

  CaseList& list_;
  std::set<std::string>& seen_;
  Level level_;
  Descriptor valid_;
  bool inSmoke_;
  std::optional<Descriptor> strided_;  // valid_ with layout_ in that slot
  Layout layout_;
  size_t slot_ = 0;
};

// True if the level has other rules than the one before it.
bool changesRules(Level level) {
  return level == kLevels.front() || std::ranges::any_of(rules(), [level](const Rule& rule) {
           const auto last = std::ranges::find(kLevels, rule.through);
           return rule.from == level || (last + 1 != kLevels.end() && *(last + 1) == level);
         });
}

}  // namespace

// Every change of FLOAT32 at the newest level; elsewhere those that the type or the level concerns.
void addBorders(CaseList& list) {
  std::set<std::string> seen;
  for (const OperatorFacts* op : list.operators()) {
    for (Level level : kLevels) {
      const bool newest = level == kNewestLevel;
      if (!newest && !changesRules(level)) continue;
      for (DataType type :
           {DataType::Float32, DataType::UInt8, DataType::Int16, DataType::Float64}) {
        const auto types = op->dataTypes(level);
        const bool first = type == DataType::Float32;
        if (std::ranges::find(types, type) == types.end() || (!newest && !first)) continue;
        const Part part = newest ? (first ? Part::All : Part::OfWidth) : Part::OfLevel;
        bool inSmoke = part == Part::All;
        for (const Descriptor& control : partsOf(*op).borderControls(type, level)) {
          const bool single = elementCount(tensors(control).back().desc->sizes) == 1u;
          if (single && part != Part::All) continue;
          Borders(list, seen, level, control, inSmoke || single)
              .add(single ? Part::OfCounts : part);
          inSmoke = false;
        }
      }
    }
  }
}

// The others have odd numbers of elements: their needs end at each place of a word. Where the last
// tensor has one element, no size contradicts a wrong count: only counts are changed.
std::vector<Descriptor> gatherBorderControls(DataType type, Level level) {
  const DataType indexType = rotate(indexTypes(level), static_cast<uint64_t>(type));
  const GatherNd whole = makeGather(type, indexType, 4, {3, 5, 7, 2}, {4, 6, 2}, 3);
  if (level < Level::L3_0) return {whole, makeGather(type, indexType, 4, {5, 7}, {3}, 1)};
  return {whole, makeGather(type, indexType, 5, {3, 5, 7}, {5, 3}, 2),
          makeGather(type, indexType, 3, {1, 7}, {}, 2),
          makeGather(type, indexType, 2, {1, 7}, {}, 2)};
}

std::vector<Descriptor> gather1BorderControls(DataType type, Level level) {
  const DataType indexType = rotate(indexTypes(level), static_cast<uint64_t>(type));
  return {makeGather1(type, indexType, 4, {2, 3, 5, 7}, {2, 6, 4}, 2, 1),
          makeGather1(type, indexType, 6, {2, 3, 5, 7}, {2, 3, 4}, 1, 2),
          makeGather1(type, indexType, 5, {3, 5, 7, 1}, {3}, 1, 1),
          makeGather1(type, indexType, 5, {1, 1, 1, 7}, {1}, 1, 1),
          makeGather1(type, indexType, 4, {1, 1, 7}, {1}, 2, 1),
          makeGather1(type, indexType, 6, {1, 7}, {1, 1, 1, 1}, 1, 1)};
}

std::vector<Descriptor> nonzeroBorderControls(DataType type, Level level) {
  if (level < Level::L4_0) return {makeNonzero(type, {1, 3, 5, 7}, 3)};
  return {makeNonzero(type, {2, 3, 5}, 3, 1, 2), makeNonzero(type, {1, 3, 5, 7}, 4, 3, 5),
          makeNonzero(type, {1, 1, 1}, 1)};
}

}  // namespace dmlcts
