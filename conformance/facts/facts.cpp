#include "conformance/facts/facts.h"

#include <algorithm>
#include <array>
#include <limits>

#include "conformance/facts/family.h"
#include "conformance/facts/operators.h"
#include "conformance/facts/rules_of.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "reference/element.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

const TensorDesc& inputOf(const Case& testCase) {
  return *tensors(testCase.descriptor).front().desc;
}

uint64_t elementsIn(const TensorDesc& tensor) {
  return elementCount(tensor.sizes).value_or(std::numeric_limits<uint64_t>::max());
}

// Values ------------------------------------------------------------------------------------

// The value in the case string, with its defaults spelled out and as it is written.
void field(const FactOf& of, const TakeValue& take) {
  const auto found = findField(of.testCase, of.key);
  if (!found || found->full.empty()) return;
  take(found->full, true);
  if (!found->canonical.empty() && found->canonical != found->full) take(found->canonical, true);
}

void operatorValue(const FactOf& of, const TakeValue& take) {
  take(operatorName(of.testCase.descriptor), true);
}
void levelValue(const FactOf& of, const TakeValue& take) { take(name(of.testCase.level), true); }
void rankValue(const FactOf& of, const TakeValue& take) {
  take(std::to_string(inputOf(of.testCase).sizes.size()), true);
}
void familyValue(const FactOf& of, const TakeValue& take) { take(of.testCase.family, true); }
void expectValue(const FactOf& of, const TakeValue& take) { take(expectText(of.testCase), true); }

void ruleValues(const FactOf& of, const TakeValue& take) {
  for (std::string_view rule : rulesOf(of.testCase)) take(rule, true);
}

void attributesValue(const FactOf& of, const TakeValue& take) {
  if (const std::string text = attributesOf(of.testCase); !text.empty()) take(text, true);
}

// All traits, of inputs that were examined or can be.
void traitValues(const FactOf& of, const TakeValue& take) {
  const Traits traits = of.traits ? *of.traits : traitsOf(of.testCase);
  for (size_t i = 0; i < kTraitNames.size(); ++i) {
    take(kTraitNames[i], traits.has(static_cast<Trait>(i)));
  }
}
void knownTraits(const FactOf& of, const TakeValue& take) {
  if (of.traits) traitValues(of, take);
}

void typeValue(const FactOf& of, const TakeValue& take) {
  if (of.tensor) take(info(of.tensor->type).name, true);
}
void alignValue(const FactOf& of, const TakeValue& take) {
  if (of.tensor) take(std::to_string(of.tensor->baseOffsetAlignment), true);
}
void flagsValue(const FactOf& of, const TakeValue& take) {
  if (of.tensor) take(std::to_string(of.tensor->flags), true);
}

std::optional<Layout> layoutIn(const FactOf& of) {
  if (!of.tensor || !of.tensor->strides) return std::nullopt;
  return findLayout(of.tensor->sizes, *of.tensor->strides);
}
void layoutValue(const FactOf& of, const TakeValue& take) {
  const auto layout = layoutIn(of);
  take(layout ? name(layout->kind) : "", true);
}
void stridesPresence(const FactOf& of, const TakeValue& take) {
  take(of.tensor && of.tensor->strides && !layoutIn(of) ? "*" : "", true);
}
void offsetPresence(const FactOf& of, const TakeValue& take) {
  take(of.tensor && of.testCase.offsets[of.slot] ? "*" : "", true);
}

// The kind as a pattern: "mixed", "single(*)".
template <class Kind>
std::string kindText(const FillKindInfo<Kind>& kind) {
  return std::string(kind.name) + (kind.argument == FillArgument::None ? "" : "(*)");
}
void fillValue(const FactOf& of, const TakeValue& take) {
  take(kindText(info(of.testCase.fill.kind)), true);
}
void indexValue(const FactOf& of, const TakeValue& take) {
  if (hasIndices(of.testCase.descriptor)) take(kindText(info(of.testCase.index.kind)), true);
}

// Numbers -----------------------------------------------------------------------------------

using Number = std::optional<uint64_t>;

Number levelNumber(const FactOf& of) { return static_cast<uint64_t>(of.testCase.level); }
Number rankNumber(const FactOf& of) { return inputOf(of.testCase).sizes.size(); }
Number elements(const FactOf& of) { return elementsIn(inputOf(of.testCase)); }
Number outputs(const FactOf& of) {
  const size_t slot = factsOf(of.testCase.descriptor).outputSlot;
  return elementsIn(*tensors(of.testCase.descriptor)[slot].desc);
}

Number room(const FactOf& of) {
  uint64_t most = 0;
  for (const TensorSlot& slot : tensors(of.testCase.descriptor)) {
    const uint32_t width = info(slot.desc->type).bytes;
    if (width != 0) most = std::max(most, slot.desc->totalBytes / width);
  }
  return most;
}

Number denormals(const FactOf& of) {
  const TensorDesc& input = inputOf(of.testCase);
  const bool executes = of.testCase.expect == Expect::Execute;
  if (!executes || !info(input.type).isFloat || inputProblem(of.testCase)) return 0;
  const FloatFormat format = floatFormat(input.type);
  uint64_t count = 0;
  visitInputElements(of.testCase, 0, [&](std::span<const uint64_t> bits) {
    for (uint64_t each : bits) count += format.isDenormal(each) ? 1 : 0;
    return true;
  });
  return count;
}

template <uint64_t Selection::* member>
Number selected(const FactOf& of) {
  return visitEntry(kFactsTable, of.testCase.descriptor, [](const auto& entry, const auto& op) {
    return entry.selection ? entry.selection(op).*member : 0;
  });
}
Number columns(const FactOf& of) {
  const auto slots = tensors(of.testCase.descriptor);
  const auto coords = std::ranges::find(slots, "coords", &TensorSlot::name);
  if (coords == slots.end() || coords->desc->sizes.empty()) return std::nullopt;
  return coords->desc->sizes.back();
}

Number bound(const FactOf& of) {
  if (!of.tensor || of.testCase.expect != Expect::Execute) return std::nullopt;
  return bindingOffset(of.testCase, of.slot);
}
// The largest power of two that divides the offset.
Number boundary(const FactOf& of) {
  const Number offset = bound(of);
  return offset ? Number(*offset & (~*offset + 1)) : std::nullopt;
}

// Names -------------------------------------------------------------------------------------

template <const auto& kList>
Names namesIn() {
  Names names;
  for (const auto& each : kList) names.push_back(each.name);
  return names;
}
Names levelNames() {
  Names names;
  for (Level level : kLevels) names.push_back(name(level));
  return names;
}
Names ruleNames() {
  Names names;
  for (const Rule& rule : rules()) names.push_back(rule.id);
  return names;
}
Names traitNames() { return {kTraitNames.begin(), kTraitNames.end()}; }
Names typeNames() { return namesIn<kDataTypes>(); }

// Classes -----------------------------------------------------------------------------------

Names layoutClasses() {
  return {"packed", "perm", "pad", "step", "broadcast", "no strides", "other", "none"};
}

uint8_t layoutClass(const TensorDesc& tensor) {
  if (!tensor.strides) return NoStrides;
  if (liesPacked(tensor)) return static_cast<uint8_t>(LayoutKind::Packed);
  std::vector<uint32_t> sizes;
  std::vector<uint32_t> strides;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] == 1) continue;
    sizes.push_back(tensor.sizes[axis]);
    strides.push_back((*tensor.strides)[axis]);
  }
  const auto layout = findLayout(sizes, strides);
  if (!layout) return OtherLayout;
  const bool oneAddress = layout->kind == LayoutKind::Step && layout->arguments.front() == 0;
  return static_cast<uint8_t>(oneAddress ? LayoutKind::Broadcast : layout->kind);
}

const TensorDesc* indicesOf(const Case& testCase) {
  const auto slot = factsOf(testCase.descriptor).indicesSlot;
  return slot ? tensors(testCase.descriptor)[*slot].desc : nullptr;
}

ValueLabel classOf(FillKind kind) {
  switch (kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
      return Zeros;
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Single:
    case FillKind::Edges:
      return Sparse;
    case FillKind::Ones:
    case FillKind::Ramp:
    case FillKind::Unique:
    case FillKind::All:
      return Dense;
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::NaNs:
    case FillKind::Infinities:
    case FillKind::Extremes:
      return Special;
    default:
      return MixedValues;
  }
}

IndexLabel classOf(IndexKind kind) {
  switch (kind) {
    case IndexKind::Random:
      return FromStart;
    case IndexKind::Negative:
    case IndexKind::AllNegative:
      return FromEnd;
    case IndexKind::First:
    case IndexKind::Last:
    case IndexKind::Boundary:
      return Ends;
    case IndexKind::Wild:
      return OutOfRange;
    default:
      return Pattern;
  }
}

uint8_t sizeClass(const Case& testCase) {
  const uint64_t count = elementCount(inputOf(testCase).sizes).value_or(0);
  return count < 2                ? One
         : count < 32             ? Few
         : count < 256            ? Tens
         : count < 4096           ? Hundreds
         : count <= kMostInTile   ? Thousands
         : count <= kMostInGroups ? AboveTile
                                  : AboveGroups;
}

uint8_t attributesClass(const Case& testCase) {
  const auto own =
      visitEntry(kFactsTable, testCase.descriptor,
                 [](const auto& entry, const auto& op) { return entry.attributesOf(op); });
  return attributeNumber(testCase.descriptor.index(), own);
}

// The table ---------------------------------------------------------------------------------

const std::vector<Fact>& table() {
  static const std::vector<Fact> all{
      {.key = "family",
       .words = "the aspect tested; `dmlcts list --families` lists them",
       .values = familyValue,
       .one = "family",
       .names = namesIn<kFamilies>,
       .terms = Terms::Exact,
       .cost = 16},
      {.key = "rule",
       .words = "a rule that it exercises; `dmlcts list --rules` lists them",
       .values = ruleValues,
       .one = "rule",
       .names = ruleNames,
       .terms = Terms::Exact,
       .cost = 6},
      {.key = "rank",
       .words = "dimensions of the input tensor",
       .values = rankValue,
       .number = rankNumber,
       .terms = Terms::Ordered,
       .cost = 2,
       .place = 2,
       .phrases = {"of rank #", "of rank # or more", "of rank # or less"},
       .rules = {".rank", ".dimension-counts"},
       .classes = {{Parameter::Rank, "rank",
                    [] { return Names{"0", "1", "2", "3", "4", "5", "6", "7", "8"}; },
                    [](const Case& each) {
                      return static_cast<uint8_t>(inputOf(each).sizes.size());
                    }}}},
      {.key = "attributes",
       .words = "the class of the operator's attributes, like partial-tuples",
       .values = attributesValue,
       .terms = Terms::Exact,
       .cost = 6,
       .classes = {{Parameter::Attributes, "attributes",
                    [] { return Names(attributeNames().begin(), attributeNames().end()); },
                    attributesClass}}},
      {.key = "has",
       .words = "the contents of the input tensors",
       .values = traitValues,
       .one = "kind of value",
       .names = traitNames,
       .terms = Terms::Exact,
       .forTerms = knownTraits,
       .cost = 2,
       .place = 30,
       .own = {{"zero", {.equal = "with a zero", .without = "without zeros"}},
               {"nonzero",
                {.equal = "with a nonzero element", .without = "without nonzero elements"}},
               {"one-nonzero",
                {.equal = "with exactly one nonzero element",
                 .without = "with none or several nonzero elements"}},
               {"minus-zero", {.equal = "with a -0", .without = "without -0"}, ".signed-zero"},
               {"denormal",
                {.equal = "with a denormal", .without = "without denormals"},
                ".float32-denormals"},
               {"small",
                {.equal = "with a normal number that a narrower type rounds to zero",
                 .without = "without normal numbers that a narrower type rounds to zero"},
                ".nonzero"},
               {"infinity", {.equal = "with an infinity", .without = "without infinities"}},
               {"nan", {.equal = "with a NaN", .without = "without NaNs"}, ".nan-payload"},
               {"negative-index",
                {.equal = "with a negative index", .without = "without negative indices"},
                ".negative-indices"},
               {"weak",
                {.equal = "with data that hide most faults",
                 .without = "with data that could show any fault"}}}},
      {.key = "operator",
       .words = "a word without \"=\" is the operator, too",
       .values = field,
       .terms = Terms::Operator,
       .forTerms = operatorValue,
       .cost = 1,
       .place = 0,
       .phrases = {.equal = "of #"},
       .rules = {".available"},
       .classes = {{Parameter::Operator, "operator", [] { return operatorNames(); },
                    [](const Case& each) {
                      return static_cast<uint8_t>(each.descriptor.index());
                    }}}},
      {.key = "level",
       .words = "DirectML feature level",
       .values = field,
       .number = levelNumber,
       .one = "level",
       .names = levelNames,
       .terms = Terms::Ordered,
       .forTerms = levelValue,
       .cost = 2,
       .place = 1,
       .phrases = {"at level #", "from level # on", "up to level #"},
       .classes = {{Parameter::Level, "level", levelNames,
                    [](const Case& each) {
                      return static_cast<uint8_t>(std::ranges::find(kLevels, each.level) -
                                                  kLevels.begin());
                    }}}},
      {.key = "input",
       .words = "TYPE:SIZES, like f16:1x2x4",
       .values = field,
       .one = "data type",
       .ends = ":",
       .names = typeNames,
       .terms = Terms::Type,
       .forTerms = typeValue,
       .cost = 2,
       .place = 3,
       .rules = {".data-types"},
       .classes = {{Parameter::InputType, "input type", typeNames,
                    [](const Case& each) { return static_cast<uint8_t>(inputOf(each).type); }}}},
      {.key = "indices",
       .words = "TYPE:SIZES",
       .values = field,
       .one = "data type",
       .ends = ":",
       .names = typeNames,
       .terms = Terms::Type,
       .forTerms = typeValue,
       .cost = 3,
       .place = 4,
       .rules = {".index-types"},
       .classes = {{Parameter::IndexType, "index type", typeNames,
                    [](const Case& each) {
                      const TensorDesc* indices = indicesOf(each);
                      return static_cast<uint8_t>(indices ? indices->type : DataType::Unknown);
                    }}}},
      {.key = "output",
       .words = "TYPE:SIZES; the type may be left out where it is the input's",
       .values = field,
       .terms = Terms::Type,
       .forTerms = typeValue,
       .place = 5,
       .rules = {".output-type"}},
      {.key = "count",
       .words = "TYPE:SIZES",
       .values = field,
       .terms = Terms::Type,
       .forTerms = typeValue,
       .place = 6,
       .rules = {".count-type"}},
      {.key = "coords",
       .words = "TYPE:SIZES",
       .values = field,
       .terms = Terms::Type,
       .forTerms = typeValue,
       .place = 7,
       .rules = {".coords-type"}},
      {.key = "dims",
       .words = "DimensionCount of input, indices and, if it has any, batches",
       .values = field},
      {.key = "fill",
       .words = "how the input is filled",
       .values = field,
       .one = "fill",
       .ends = "(",
       .names = namesIn<kFillKinds>,
       .terms = Terms::Exact,
       .forTerms = fillValue,
       .cost = 3,
       .place = 8,
       .classes = {{Parameter::Values, "values",
                    [] { return Names{"zeros", "sparse", "dense", "mixed", "special"}; },
                    [](const Case& each) -> uint8_t { return classOf(each.fill.kind); }}}},
      {.key = "index",
       .words = "how the indices are filled",
       .values = field,
       .one = "index fill",
       .ends = "(",
       .names = namesIn<kIndexKinds>,
       .terms = Terms::Exact,
       .forTerms = indexValue,
       .cost = 3,
       .place = 9,
       .classes = {{Parameter::Indices, "indices",
                    [] {
                      return Names{"from start", "from end",     "ends",
                                   "pattern",    "out of range", "none"};
                    },
                    [](const Case& each) -> uint8_t {
                      return indicesOf(each) ? classOf(each.index.kind) : NoIndex;
                    }}}},
      {.key = "seed", .words = "seed of the values", .values = field},
      {.key = "layout",
       .words = "the order and gaps of a tensor's elements",
       .ofTensor = true,
       .values = field,
       .terms = Terms::Optional,
       .forTerms = layoutValue,
       .rules = {".strides", ".input-overlap", ".input-windows", ".untouched"},
       .classes = {{Parameter::InputLayout, "input layout", layoutClasses,
                    [](const Case& each) { return layoutClass(inputOf(each)); }},
                   {Parameter::IndicesLayout, "indices layout", layoutClasses,
                    [](const Case& each) -> uint8_t {
                      const TensorDesc* indices = indicesOf(each);
                      return indices ? layoutClass(*indices) : uint8_t{NoTensor};
                    }},
                   {Parameter::OutputLayout, "output layout", layoutClasses,
                    [](const Case& each) {
                      const size_t slot = factsOf(each.descriptor).outputSlot;
                      return layoutClass(*tensors(each.descriptor)[slot].desc);
                    }}}},
      {.key = "strides",
       .words = "a tensor's strides, in elements",
       .ofTensor = true,
       .values = field,
       .terms = Terms::Optional,
       .forTerms = stridesPresence,
       .rules = {".strides", ".input-overlap", ".input-windows", ".untouched"}},
      {.key = "total", .words = "TotalTensorSizeInBytes", .ofTensor = true, .values = field},
      {.key = "align",
       .words = "GuaranteedBaseOffsetAlignment",
       .ofTensor = true,
       .values = field,
       .terms = Terms::Exact,
       .forTerms = alignValue,
       .rules = {".base-offset-alignment", ".base-offset-alignment-below-16"}},
      {.key = "flags",
       .words = "DML_TENSOR_FLAGS; 1 is OWNED_BY_DML",
       .ofTensor = true,
       .values = field,
       .terms = Terms::Exact,
       .forTerms = flagsValue,
       .rules = {".flags"}},
      {.key = "offset",
       .words = "a tensor's offset in its buffer, in bytes, if the case says it",
       .ofTensor = true,
       .values = field,
       .terms = Terms::Optional,
       .forTerms = offsetPresence},
      {.key = "mode",
       .words = "execution modes; `dmlcts list --modes` lists them",
       .values = field},
      {.key = "expect",
       .words = "execute, accept or reject(RULE)",
       .values = field,
       .terms = Terms::Expected,
       .forTerms = expectValue,
       .cost = 3,
       .place = 10},
      {.key = "elements",
       .words = "elements of the input tensor",
       .number = elements,
       .terms = Terms::Bounded,
       .phrases = {"with # input elements", "with # input elements or more",
                   "with # input elements or fewer"},
       .classes = {{Parameter::Size, "size",
                    [] {
                      return Names{"1",          "2-31",          "32-255",  "256-4095",
                                   "4096-16384", "16385-4194240", "4194241-"};
                    },
                    sizeClass}}},
      {.key = "denormals",
       .words = "denormals in the input; 0 for integers and rejected cases",
       .number = denormals},
      {.key = "room",
       .words = "elements that fit into the largest tensor's total size",
       .number = room,
       .terms = Terms::Bounded,
       .cost = 6},
      {.key = "outputs",
       .words = "elements of the output whose size follows from the input",
       .number = outputs,
       .terms = Terms::Bounded,
       .phrases = {"with # output elements", "with # output elements or more",
                   "with # output elements or fewer"}},
      {.key = "tuple",
       .words = "coordinates per index tuple; 0 if the operator gathers nothing",
       .number = selected<&Selection::tuple>,
       .terms = Terms::Bounded,
       .cost = 2,
       .phrases = {"with index tuples of #", "with index tuples of # or more",
                   "with index tuples of # or fewer"}},
      {.key = "batches",
       .words = "number of batches",
       .number = selected<&Selection::batches>,
       .terms = Terms::Bounded,
       .cost = 2,
       .phrases = {"with # batches", "with # batches or more", "with # batches or fewer"}},
      {.key = "slice",
       .words = "elements that one tuple selects",
       .number = selected<&Selection::slice>,
       .terms = Terms::Bounded,
       .phrases = {"with slices of # elements", "with slices of # elements or more",
                   "with slices of # elements or fewer"}},
      {.key = "columns",
       .words = "coordinates per element that is listed",
       .number = columns,
       .terms = Terms::Bounded,
       .cost = 2,
       .phrases = {"with # columns of coordinates", "with # columns of coordinates or more",
                   "with # columns of coordinates or fewer"},
       .rules = {".coords-columns"}},
      {.key = "bound",
       .words = "where a tensor is bound: its offset in its buffer, in bytes, also if not said",
       .ofTensor = true,
       .number = bound,
       .terms = Terms::Bounded,
       .cost = 10,
       .isLastResort = true,
       .phrases = {"with the tensor bound at byte #", "with the tensor bound at byte # or above",
                   "with the tensor bound at byte # or below"}},
      {.key = "boundary",
       .words = "the largest power of two that divides where a tensor is bound",
       .ofTensor = true,
       .number = boundary,
       .terms = Terms::Bounded,
       .cost = 9,
       .isLastResort = true,
       .phrases = {"with the tensor bound on a boundary of # bytes, no larger one",
                   "with the tensor bound on a boundary of # bytes",
                   "with the tensor bound on no boundary above # bytes"}}};
  return all;
}

std::string_view keyPart(std::string_view key) { return key.substr(0, key.find('.')); }

std::string filledIn(std::string_view phrase, std::string_view value) {
  std::string text(phrase);
  const size_t at = text.find('#');
  return at == text.npos ? text : text.replace(at, 1, value);
}

std::string groupedDigits(std::string_view digits) {
  std::string text(digits);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace

std::span<const Fact> facts() { return table(); }

const Names& tensorNames() {
  static const Names all = [] {
    Names names;
    for (std::string_view op : operatorNames()) {
      const Descriptor descriptor = makeOperator(op).value();
      for (const TensorSlot& slot : tensors(descriptor)) {
        if (std::ranges::find(names, slot.name) == names.end()) names.push_back(slot.name);
      }
    }
    return names;
  }();
  return all;
}

const Names& factKeys() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> keys;
    for (const Fact& fact : table()) {
      if (!fact.ofTensor) keys.emplace_back(fact.key);
      for (std::string_view tensor : fact.ofTensor ? tensorNames() : Names()) {
        keys.push_back(std::string(fact.key) + '.' + std::string(tensor));
      }
    }
    return keys;
  }();
  static const Names all(texts.begin(), texts.end());
  return all;
}

KeyedFact findFact(std::string_view key) {
  const auto fact = std::ranges::find(table(), keyPart(key), &Fact::key);
  if (fact == table().end()) return {};
  const bool dotted = keyPart(key).size() < key.size();
  if (dotted != fact->ofTensor) return {};
  if (!dotted)
    return {&*fact, std::ranges::find(tensorNames(), key) == tensorNames().end() ? "" : key};
  const auto tensor = std::ranges::find(tensorNames(), key.substr(keyPart(key).size() + 1));
  return tensor == tensorNames().end() ? KeyedFact() : KeyedFact{&*fact, *tensor};
}

FactOf factOf(const Case& testCase, std::span<const TensorSlot> slots, std::string_view key,
              std::string_view tensor) {
  FactOf of{.testCase = testCase, .key = key};
  if (tensor.empty()) return of;
  for (; of.slot < slots.size() && slots[of.slot].name != tensor; ++of.slot) {
  }
  if (of.slot < slots.size()) of.tensor = slots[of.slot].desc;
  return of;
}

FactOf factOf(const Case& testCase, std::string_view key, std::string_view tensor) {
  if (tensor.empty()) return factOf(testCase, {}, key, tensor);
  const auto slots = tensors(testCase.descriptor);
  return factOf(testCase, slots, key, tensor);
}

std::optional<uint64_t> numberOf(const Case& testCase, std::string_view key) {
  const auto [fact, tensor] = findFact(key);
  return fact && fact->number ? fact->number(factOf(testCase, key, tensor)) : std::nullopt;
}

const std::vector<ValueNames>& valueNames() {
  static const std::vector<ValueNames> all = [] {
    std::vector<ValueNames> names;
    for (const Fact& fact : table()) {
      if (fact.names) names.push_back({fact.key, fact.one, fact.ends, fact.names()});
    }
    return names;
  }();
  return all;
}

TermText splitTerm(std::string_view term) {
  const size_t equals = term.find('=');
  if (equals == term.npos) return {"operator", "=", term};
  const bool longer = equals > 0 && std::string_view("!<>").find(term[equals - 1]) != term.npos;
  const size_t end = equals - (longer ? 1 : 0);
  return {term.substr(0, end), term.substr(end, equals + 1 - end), term.substr(equals + 1)};
}

uint32_t costOf(std::string_view term) {
  const auto [key, relation, value] = splitTerm(term);
  const Fact* fact = findFact(key).fact;
  // Ranges and negations say less than values.
  return (fact ? fact->cost : 4) + (relation == "=" ? 0 : 1);
}

uint32_t placeOf(std::string_view term) {
  const Fact* fact = findFact(splitTerm(term).key).fact;
  return fact ? fact->place : 20;
}

std::string wordsOf(std::string_view term) {
  const auto [key, relation, value] = splitTerm(term);
  const auto [fact, tensor] = findFact(key);
  const std::string fallback = "with " + std::string(term);
  if (!fact) return fallback;
  const auto own = std::ranges::find(fact->own, value, &FactValue::value);
  const FactPhrases& phrases = own == fact->own.end() ? fact->phrases : own->phrases;
  const std::string_view phrase = relation == "="    ? phrases.equal
                                  : relation == ">=" ? phrases.least
                                  : relation == "<=" ? phrases.most
                                                     : phrases.without;
  if (phrase.empty()) return fallback;
  std::string words =
      filledIn(phrase, fact->terms == Terms::Bounded ? groupedDigits(value) : std::string(value));
  constexpr std::string_view kTensor = "the tensor";
  if (const size_t at = words.find(kTensor); fact->ofTensor && at != words.npos) {
    words.replace(at, kTensor.size(), tensor);
  }
  return words;
}

bool isAbout(std::string_view term, std::string_view rule) {
  const auto [key, relation, value] = splitTerm(term);
  const Fact* fact = findFact(key).fact;
  if (!fact) return false;
  if (key == "expect") return value == "reject(" + std::string(rule) + ")";
  if (std::ranges::any_of(fact->rules, [&](std::string_view end) { return rule.ends_with(end); })) {
    return true;
  }
  const auto own = std::ranges::find(fact->own, value, &FactValue::value);
  return own != fact->own.end() && !own->rule.empty() && relation == "=" &&
         rule.ends_with(own->rule);
}

}  // namespace dmlcts
