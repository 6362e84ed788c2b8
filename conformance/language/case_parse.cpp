#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "conformance/language/case_string.h"
#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "conformance/language/nearest.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/language/syntax.h"
#include "reference/counted.h"
#include "reference/rules.h"

// Parses case strings. case_print.cpp is the inverse.

namespace dmlcts {
namespace {

constexpr size_t kMaxDimensions = 64;
constexpr size_t kMaxValues = 65'536;

std::string commaList(const auto& range, const auto& textOf) {
  std::string text;
  for (const auto& entry : range) {
    if (!text.empty()) text += ", ";
    text += textOf(entry);
  }
  return text;
}

[[noreturn]] void fail(Piece at, const std::string& problem) {
  throw SyntaxError(at.column, at.text, problem);
}

// Parses "1x2x4" or "3,1"; "none" is the empty list.
std::vector<uint32_t> parseList(Piece piece, char separator, std::string_view what) {
  std::vector<uint32_t> numbers;
  if (piece.text == "none") return numbers;
  for (Piece part : splitPiece(piece, separator, kMaxDimensions)) {
    numbers.push_back(static_cast<uint32_t>(parseNumber(part, UINT32_MAX, what)));
  }
  return numbers;
}

DataType parseType(Piece piece) {
  if (piece.text == info(DataType::Unknown).name) return DataType::Unknown;
  if (const auto type = parseDataType(piece.text)) return *type;
  fail(piece, "no such data type; there are " +
                  commaList(kDataTypes, [](const DataTypeInfo& type) { return type.name; }));
}

Level parseLevelValue(Piece piece) {
  if (const auto level = parseLevel(piece.text)) return *level;
  fail(piece, "no such feature level; there are " +
                  commaList(kLevels, [](Level level) { return name(level); }));
}

std::vector<uint64_t> parseValues(Piece arguments, DataType type) {
  std::vector<uint64_t> values;
  for (Piece part : splitPiece(arguments, ',', kMaxValues)) {
    const auto bits = parseElement(part.text, type);
    if (!bits) fail(part, "no value of type " + std::string(info(type).name));
    values.push_back(*bits);
  }
  return values;
}

// Parses "0.01" as millionths.
uint64_t parseProbability(Piece piece) {
  const size_t point = std::min(piece.text.find('.'), piece.text.size());
  const uint64_t whole = parseNumber(piece.part(0, point), 1, "a probability");
  uint64_t fraction = 0;
  if (point < piece.text.size()) {
    const Piece digits = piece.part(point + 1, piece.text.size());
    if (digits.text.size() > 6) fail(piece, "a probability has at most 6 decimals");
    fraction = parseNumber(digits, 999'999, "a probability");
    for (size_t i = digits.text.size(); i < 6; ++i) fraction *= 10;
  }
  if (whole == 1 && fraction > 0) fail(piece, "a probability must be at most 1");
  return whole * 1'000'000 + fraction;
}

// Parses "FILE,HASH" or "FILE".
NpyFill parseNpy(Piece arguments) {
  const auto parts = splitPiece(arguments, ',', 2);
  if (fileSpelled(parts[0].text).empty()) {
    fail(parts[0],
         "a file's name has letters, digits and ._-+~@:/ here; write every other byte as "
         "%XX, a blank as %20");
  }
  NpyFill npy{std::string(parts[0].text), {}, nullptr};
  if (parts.size() == 1) return npy;
  npy.hash = parts[1].text;
  if (npy.hash.size() != 16 || npy.hash.find_first_not_of("0123456789abcdef") != npy.hash.npos) {
    fail(parts[1], "a file's hash has 16 digits of 0123456789abcdef; `dmlcts list` adds it");
  }
  return npy;
}

// Returns the entry of `kinds` that a fill or index value names. Checks that arguments are present
// if and only if it takes some.
template <class Kinds>
const auto& parseKind(const Call& call, Piece whole, const Kinds& kinds) {
  const auto found = std::ranges::find_if(
      kinds, [&call](const auto& candidate) { return candidate.name == call.name.text; });
  if (found == kinds.end()) {
    fail(whole, "no such fill; there are " +
                    commaList(kinds, [](const auto& candidate) { return candidate.name; }));
  }
  const bool wants = found->argument != FillArgument::None;
  if (wants != call.hasArguments) {
    fail(whole, std::string(found->name) +
                    (wants ? " needs an argument in parentheses" : " takes no argument"));
  }
  return *found;
}

Fill parseFill(Piece piece, DataType type) {
  const Call call = splitCall(piece);
  const auto& kind = parseKind(call, piece, kFillKinds);
  Fill fill{kind.kind, 0, {}};
  switch (kind.argument) {
    case FillArgument::None:
      break;
    case FillArgument::Number:
      fill.number = parseNumber(call.arguments, UINT64_MAX, kind.name);
      break;
    case FillArgument::Probability:
      fill.number = parseProbability(call.arguments);
      break;
    case FillArgument::Values:
      fill.values = parseValues(call.arguments, type);
      break;
    case FillArgument::File:
      fill.npy = parseNpy(call.arguments);
      break;
  }
  return fill;
}

IndexFill parseIndexFill(Piece piece, DataType type) {
  const Call call = splitCall(piece);
  const auto& kind = parseKind(call, piece, kIndexKinds);
  IndexFill fill{kind.kind, {}};
  if (kind.argument == FillArgument::File) fill.npy = parseNpy(call.arguments);
  if (kind.argument == FillArgument::Values) fill.values = parseValues(call.arguments, type);
  return fill;
}

std::vector<uint32_t> parseLayout(Piece piece, const std::vector<uint32_t>& sizes) {
  const Call call = splitCall(piece);
  const auto kind = parseLayoutKind(call.name.text);
  if (!kind) fail(piece, "no such layout; there are packed, perm, pad, step, broadcast");
  Layout layout{*kind, {}};
  if (call.hasArguments) layout.arguments = parseList(call.arguments, ',', "a layout argument");
  auto strides = layoutStrides(layout, sizes);
  if (!strides) {
    fail(piece, "does not fit a tensor of " + counted(sizes.size(), "dimension"));
  }
  return std::move(*strides);
}

class CaseParser {
 public:
  explicit CaseParser(std::string_view text) : words_(splitWords(text)), end_(text.size() + 1) {
    if (words_.empty()) throw SyntaxError(1, "", "an operator's name is missing");
    const Word& first = words_.front();
    auto descriptor = first.hasValue ? std::nullopt : makeOperator(first.key.text);
    if (!descriptor) {
      fail(first.key, "no such operator; there are " +
                          commaList(operatorNames(), [](std::string_view op) { return op; }));
    }
    case_.descriptor = std::move(*descriptor);
    checkKeys();
  }

  Case parse() {
    case_.level = parseLevelValue(require("level"));
    const auto slots = tensors(case_.descriptor);
    const auto descs = mutableTensors(case_.descriptor);
    for (size_t i = 0; i < slots.size(); ++i) parseTensor(slots[i].name, i, *descs[i]);
    parseDimensionCounts();
    if (const auto value = find("fill")) case_.fill = parseFill(*value, descs[0]->type);
    if (const auto value = find("index")) {
      const size_t indices = indicesSlot(case_.descriptor).value();
      case_.index = parseIndexFill(*value, descs[indices]->type);
    }
    if (const auto value = find("seed")) case_.seed = parseNumber(*value, UINT64_MAX, "a seed");
    for (size_t i = 0; i < slots.size(); ++i) {
      parseStrides(std::string(slots[i].name), *descs[i]);
      const auto total = find("total." + std::string(slots[i].name));
      descs[i]->totalBytes =
          total ? parseNumber(*total, UINT64_MAX, "a total size") : defaultTotalBytes(*descs[i]);
      const auto number = [&](const char* key, const char* what) {
        const auto value = find(key + std::string(slots[i].name));
        return value ? static_cast<uint32_t>(parseNumber(*value, UINT32_MAX, what)) : 0;
      };
      descs[i]->baseOffsetAlignment = number("align.", "an alignment");
      descs[i]->flags = number("flags.", "a set of flags");
      if (const auto offset = find("offset." + std::string(slots[i].name))) {
        case_.offsets[i] =
            static_cast<uint32_t>(parseNumber(*offset, kMostBindingOffset, "an offset"));
      }
    }
    if (const auto value = find("expect")) parseExpect(*value);
    if (const auto value = find("mode")) parseModes(*value);
    return std::move(case_);
  }

 private:
  // Throws unless every word after the first is KEY=VALUE with a key of this operator, each once.
  void checkKeys() const {
    const std::span keys = std::span(caseKeys(operatorName(case_.descriptor))).subspan(1);
    for (size_t i = 1; i < words_.size(); ++i) {
      const Word& word = words_[i];
      if (!word.hasValue) {
        const bool ofFile = words_[i - 1].value.text.starts_with("npy(");
        fail(word.key, std::string("KEY=VALUE is expected here") +
                           (ofFile ? "; a blank in a file's name is written %20" : ""));
      }
      if (std::ranges::find(keys, word.key.text) == keys.end()) {
        fail(word.key, "no such key; " + std::string(operatorName(case_.descriptor)) + " has " +
                           commaList(keys, std::identity()) + didYouMean(word.key.text, keys));
      }
      for (size_t j = 1; j < i; ++j) {
        if (words_[j].key.text == word.key.text) fail(word.key, "this key occurs twice");
      }
    }
  }

  std::optional<Piece> find(std::string_view key) const {
    const auto found = std::find_if(words_.begin() + 1, words_.end(),
                                    [key](const Word& word) { return word.key.text == key; });
    return found == words_.end() ? std::nullopt : std::optional(found->value);
  }

  Piece require(std::string_view key) const {
    if (const auto value = find(key)) return *value;
    throw SyntaxError(end_, "", std::string(key) + "= is missing");
  }

  void parseTensor(std::string_view key, size_t slot, TensorDesc& desc) {
    const auto type = defaultType(case_.descriptor, slot);
    auto sizes = defaultSizes(case_.descriptor, slot);
    if (sizes && !find(key)) {
      desc.type = type.value();
      desc.sizes = std::move(*sizes);
      return;
    }
    const Piece value = require(key);
    const size_t colon = value.text.find(':');
    if (colon == std::string_view::npos) {
      if (!type) fail(value, "TYPE:SIZES is expected here");
      desc.type = *type;
      desc.sizes = parseList(value, 'x', "a size");
    } else {
      desc.type = parseType(value.part(0, colon));
      desc.sizes = parseList(value.part(colon + 1, value.text.size()), 'x', "a size");
    }
  }

  void parseDimensionCounts() {
    auto values = defaultDimensionCounts(case_.descriptor);
    if (const auto value = find("dims")) {
      const auto given = parseList(*value, ',', "a dimension count");
      if (given.size() != values.size()) {
        fail(*value, counted(values.size(), "number") + " expected here");
      }
      values = given;
    }
    const auto counts = dimensionCounts(case_.descriptor);
    for (size_t i = 0; i < counts.size(); ++i) *counts[i] = values[i];
  }

  void parseStrides(const std::string& tensor, TensorDesc& desc) {
    const auto layout = find("layout." + tensor);
    const auto strides = find("strides." + tensor);
    if (layout && strides) fail(*strides, "layout and strides of one tensor exclude one another");
    if (layout) desc.strides = parseLayout(*layout, desc.sizes);
    if (!strides) return;
    desc.strides = parseList(*strides, ',', "a stride");
    if (desc.strides->size() != desc.sizes.size()) {
      fail(*strides, counted(desc.sizes.size(), "stride") + " expected here");
    }
  }

  void parseModes(Piece value) {
    for (size_t from = 0; from <= value.text.size();) {
      const size_t comma = std::min(value.text.find(',', from), value.text.size());
      const Piece name = value.part(from, comma);
      const auto mode = gpu::parseMode(name.text);
      if (!mode) {
        std::vector<std::string_view> names;
        for (const gpu::ModeInfo& each : gpu::kModes) names.push_back(each.name);
        fail(name, "no execution mode of a case; `dmlcts list mode=*` shows them" +
                       didYouMean(name.text, names));
      }
      case_.modes.add(*mode);
      from = comma + 1;
    }
    if (const auto conflict = gpu::conflictOf(case_.modes); !conflict.empty()) {
      fail(value, conflict);
    }
  }

  void parseExpect(Piece value) {
    const Call call = splitCall(value);
    if (!call.hasArguments && value.text == "execute") return;
    if (!call.hasArguments && value.text == "accept") {
      case_.expect = Expect::Accept;
      return;
    }
    if (!call.hasArguments || call.name.text != "reject") {
      fail(value, "execute, accept or reject(RULE) is expected here");
    }
    const Rule* rule = findRule(call.arguments.text);
    if (!rule || rule->checked != Checked::ByRejecting) {
      fail(call.arguments, "no such rule to reject by; `dmlcts list --rules` names them");
    }
    case_.expect = Expect::Reject;
    case_.rejectBy = rule->id;
  }

  std::vector<Word> words_;
  size_t end_;
  Case case_;
};

}  // namespace

Case parseCase(std::string_view text) { return CaseParser(text).parse(); }

}  // namespace dmlcts
