#include <algorithm>
#include <charconv>
#include <map>

#include "conformance/language/case_string.h"
#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"

// Prints case strings. case_parse.cpp is the inverse.

namespace dmlcts {
namespace {

void appendNumber(std::string& text, uint64_t number) {
  char buffer[24];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, number);
  text.append(buffer, result.ptr);
}

std::string joined(const std::vector<uint32_t>& numbers, char separator) {
  if (numbers.empty()) return "none";
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += separator;
    appendNumber(text, numbers[i]);
  }
  return text;
}

std::string valuesText(const std::vector<uint64_t>& values, DataType type) {
  std::string text = "values(";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    appendElement(text, type, values[i]);
  }
  return text + ')';
}

// Prints millionths as a decimal fraction without trailing zeros: "0.01".
std::string probabilityText(uint64_t millionths) {
  std::string text;
  appendNumber(text, millionths / 1'000'000);
  uint64_t fraction = millionths % 1'000'000;
  if (fraction == 0) return text;
  std::string digits;
  appendNumber(digits, fraction);
  digits.insert(0, 6 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + '.' + digits;
}

std::string npyText(const NpyFill& npy) {
  return "npy(" + npy.file + (npy.hash.empty() ? "" : "," + npy.hash) + ')';
}

std::string fillText(const Fill& fill, DataType type) {
  const auto& kind = info(fill.kind);
  std::string text(kind.name);
  switch (kind.argument) {
    case FillArgument::None:
      return text;
    case FillArgument::Values:
      return valuesText(fill.values, type);
    case FillArgument::File:
      return npyText(fill.npy);
    case FillArgument::Probability:
      return text + '(' + probabilityText(fill.number) + ')';
    case FillArgument::Number:
      text += '(';
      appendNumber(text, fill.number);
      return text + ')';
  }
  return text;
}

std::string indexText(const IndexFill& fill, DataType type) {
  if (fill.kind == IndexKind::Values) return valuesText(fill.values, type);
  if (fill.kind == IndexKind::Npy) return npyText(fill.npy);
  return std::string(info(fill.kind).name);
}

std::string layoutText(const Layout& layout) {
  std::string text(name(layout.kind));
  if (!layout.arguments.empty()) text += '(' + joined(layout.arguments, ',') + ')';
  return text;
}

CaseField always(std::string_view key, std::string value) { return {key, value, std::move(value)}; }

CaseField unlessDefault(std::string_view key, bool isDefault, std::string value) {
  return {key, isDefault ? std::string() : value, std::move(value)};
}

CaseField tensorField(const Case& testCase, size_t slot, const TensorSlot& tensor) {
  const TensorDesc& desc = *tensor.desc;
  const std::string sizes = joined(desc.sizes, 'x');
  const std::string full = std::string(info(desc.type).name) + ':' + sizes;
  if (defaultType(testCase.descriptor, slot) != desc.type) return always(tensor.name, full);
  const bool isDefault = defaultSizes(testCase.descriptor, slot) == desc.sizes;
  return {tensor.name, isDefault ? std::string() : sizes, full};
}

// Returns the layout field (`asLayout`) or the strides field. Only one of them has a value: the
// layout field if the strides have a name.
CaseField stridesField(std::string_view key, const TensorDesc& desc, bool asLayout) {
  if (!desc.strides) return {key, {}, {}};
  const auto layout = findLayout(desc.sizes, *desc.strides);
  if (layout.has_value() != asLayout) return {key, {}, {}};
  return always(key, layout ? layoutText(*layout) : joined(*desc.strides, ','));
}

struct KeyedTensor {
  std::string layout, strides, total, align, flags, offset;
};

// Keys that contain a tensor's name. They live as long as the program because CaseField has views.
const KeyedTensor& tensorKeys(std::string_view tensor) {
  static const std::vector<std::pair<std::string_view, KeyedTensor>> all = [] {
    std::vector<std::pair<std::string_view, KeyedTensor>> keys;
    for (std::string_view op : operatorNames()) {
      const Descriptor descriptor = makeOperator(op).value();
      for (const TensorSlot& slot : tensors(descriptor)) {
        const std::string suffix = '.' + std::string(slot.name);
        keys.push_back({slot.name,
                        {"layout" + suffix, "strides" + suffix, "total" + suffix, "align" + suffix,
                         "flags" + suffix, "offset" + suffix}});
      }
    }
    return keys;
  }();
  return std::ranges::find(all, tensor, [](const auto& entry) { return entry.first; })->second;
}

// Calls visit(CaseField) for every field of the case in printing order, or for the one with the key
// `only`.
template <class Visit>
void visitFields(const Case& testCase, std::string_view only, const Visit& visit) {
  const Descriptor& descriptor = testCase.descriptor;
  const auto slots = tensors(descriptor);
  const auto wanted = [only](std::string_view key) { return only.empty() || only == key; };

  if (wanted("operator")) visit(always("operator", std::string(operatorName(descriptor))));
  if (wanted("level")) visit(always("level", std::string(name(testCase.level))));
  for (size_t i = 0; i < slots.size(); ++i) {
    if (wanted(slots[i].name)) visit(tensorField(testCase, i, slots[i]));
  }
  if (const auto counts = dimensionCounts(descriptor); !counts.empty() && wanted("dims")) {
    visit(unlessDefault("dims", counts == defaultDimensionCounts(descriptor), joined(counts, ',')));
  }
  if (wanted("fill")) {
    visit(unlessDefault("fill", testCase.fill == Fill{},
                        fillText(testCase.fill, slots[0].desc->type)));
  }
  if (const auto indices = indicesSlot(descriptor); indices && wanted("index")) {
    visit(unlessDefault("index", testCase.index == IndexFill{},
                        indexText(testCase.index, slots[*indices].desc->type)));
  }
  if (wanted("seed")) {
    visit(unlessDefault("seed", testCase.seed == 0, std::to_string(testCase.seed)));
  }
  for (const TensorSlot& slot : slots) {
    const KeyedTensor& keys = tensorKeys(slot.name);
    if (wanted(keys.layout)) visit(stridesField(keys.layout, *slot.desc, true));
    if (wanted(keys.strides)) visit(stridesField(keys.strides, *slot.desc, false));
  }
  for (const TensorSlot& slot : slots) {
    const KeyedTensor& keys = tensorKeys(slot.name);
    if (!wanted(keys.total)) continue;
    visit(unlessDefault(keys.total, slot.desc->totalBytes == defaultTotalBytes(*slot.desc),
                        std::to_string(slot.desc->totalBytes)));
  }
  for (const TensorSlot& slot : slots) {
    const KeyedTensor& keys = tensorKeys(slot.name);
    const auto number = [&](const std::string& key, uint32_t value) {
      if (wanted(key)) visit(unlessDefault(key, value == 0, std::to_string(value)));
    };
    number(keys.align, slot.desc->baseOffsetAlignment);
    number(keys.flags, slot.desc->flags);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const KeyedTensor& keys = tensorKeys(slots[i].name);
    if (!wanted(keys.offset)) continue;
    const auto& offset = testCase.offsets[i];
    visit(offset ? always(keys.offset, std::to_string(*offset)) : CaseField{keys.offset, {}, {}});
  }
  if (wanted("mode")) {
    visit(unlessDefault("mode", testCase.modes.empty(), gpu::name(testCase.modes)));
  }
  if (wanted("expect")) {
    visit(unlessDefault("expect", testCase.expect == Expect::Execute, expectText(testCase)));
  }
}

}  // namespace

std::string expectText(const Case& testCase) {
  switch (testCase.expect) {
    case Expect::Execute:
      return "execute";
    case Expect::Accept:
      return "accept";
    case Expect::Reject:
      break;
  }
  return "reject(" + testCase.rejectBy + ')';
}

std::string caseString(const Case& testCase) {
  std::string text;
  visitFields(testCase, {}, [&text](const CaseField& field) {
    if (field.canonical.empty()) return;
    if (!text.empty()) {
      text += ' ';
      text += field.key;
      text += '=';
    }
    text += field.canonical;
  });
  return text;
}

std::optional<CaseField> findField(const Case& testCase, std::string_view key) {
  std::optional<CaseField> found;
  visitFields(testCase, key, [&found](CaseField field) { found = std::move(field); });
  return found;
}

const std::vector<std::string_view>& caseKeys(std::string_view op) {
  static const auto all = [] {
    std::map<std::string_view, std::vector<std::string_view>> keysOf;
    for (std::string_view each : operatorNames()) {
      Case testCase;
      testCase.descriptor = makeOperator(each).value();
      visitFields(testCase, {}, [&](const CaseField& field) { keysOf[each].push_back(field.key); });
    }
    return keysOf;
  }();
  return all.at(op);
}

}  // namespace dmlcts
