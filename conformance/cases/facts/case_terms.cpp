#include "conformance/cases/facts/case_terms.h"

#include <algorithm>
#include <array>

#include "conformance/cases/facts/measures.h"
#include "conformance/cases/facts/query.h"
#include "conformance/cases/facts/rules_of.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/layout.h"
#include "conformance/cases/language/operator_syntax.h"

namespace dmlcts {
namespace {

using Texts = std::vector<std::string>;

std::string termOf(std::string_view key, std::string_view relation, std::string_view value) {
  return std::string(key) + std::string(relation) + std::string(value);
}

void addLevel(std::string_view value, Texts& texts) {
  const Level level = *parseLevel(value);
  texts.push_back(termOf("level", "=", value));
  for (Level other : kLevels) {
    if (level >= other) texts.push_back(termOf("level", ">=", name(other)));
    if (level <= other) texts.push_back(termOf("level", "<=", name(other)));
  }
}

void addRank(std::string_view value, Texts& texts) {
  constexpr size_t kMost = 64;  // dimensions in a case string
  const size_t rank = std::stoul(std::string(value));
  texts.push_back(termOf("rank", "=", value));
  for (size_t other = 0; other <= kMost; ++other) {
    if (rank >= other) texts.push_back(termOf("rank", ">=", std::to_string(other)));
    if (rank <= other) texts.push_back(termOf("rank", "<=", std::to_string(other)));
  }
}

// Adds the tensor's data type, its kind and its width.
void addType(std::string_view tensor, std::string_view type, Texts& texts) {
  texts.push_back(termOf(tensor, "=", std::string(type) + ":*"));
  for (std::string_view pattern : {"f*", "i*", "u*", "?8:*", "?16:*", "?32:*", "?64:*"}) {
    if (matchesPattern(pattern, std::string(type) + ":1")) {
      texts.push_back(termOf(tensor, "=", pattern));
    }
  }
}

// Adds terms for a value that may be missing: its presence, and its beginning.
void addOptional(std::string_view key, std::string_view value, Texts& texts) {
  if (value.empty()) {
    texts.push_back(termOf(key, "!=", "*"));
    return;
  }
  texts.push_back(termOf(key, "=", "*"));
  if (value != "*") texts.push_back(termOf(key, "=", std::string(value) + "*"));
}

void addExpectation(std::string_view value, Texts& texts) {
  texts.push_back(termOf("expect", "=", value));
  if (value.starts_with("reject")) texts.emplace_back("expect=reject(*)");
}

// Returns all terms that a key's value makes true.
Texts spell(std::string_view key, std::string_view value) {
  Texts texts;
  if (key == "operator") {
    texts.emplace_back(value);
  } else if (key == "level") {
    addLevel(value, texts);
  } else if (key == "rank") {
    addRank(value, texts);
  } else if (key == "expect") {
    addExpectation(value, texts);
  } else if (key.starts_with("layout.") || key.starts_with("strides.") ||
             key.starts_with("offset.")) {
    addOptional(key, value, texts);
  } else if (key.find('.') == key.npos && value.ends_with(':')) {
    addType(key, value.substr(0, value.size() - 1), texts);
  } else {
    texts.push_back(termOf(key, "=", value));
  }
  return texts;
}

// Returns the kind as a pattern: "mixed", "single(*)".
template <class Kind>
std::string kindText(const FillKindInfo<Kind>& kind) {
  return std::string(kind.name) + (kind.argument == FillArgument::None ? "" : "(*)");
}

constexpr std::array<std::string_view, 10> kOrder{"level", "rank",   "input", "indices", "output",
                                                  "count", "coords", "fill",  "index",   "expect"};

std::string_view keyOf(std::string_view term) {
  const size_t equals = term.find('=');
  if (equals == term.npos) return "operator";
  const bool relation = equals > 0 && std::string_view("!<>").find(term[equals - 1]) != term.npos;
  return term.substr(0, equals - (relation ? 1 : 0));
}

// Returns the tensor names of all operators.
const std::vector<std::string_view>& tensorNames() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
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

}  // namespace

uint32_t costOf(std::string_view term) {
  const std::string_view key = keyOf(term);
  // Ranges and negations say less than values.
  const bool plain = std::ranges::none_of(std::array{"!=", ">=", "<="}, [&](const char* relation) {
    return term.find(relation) != term.npos;
  });
  const uint32_t more = plain ? 0 : 1;
  if (key == "operator") return 1;
  if (key == "has" || key == "level" || key == "rank" || key == "input") return 2 + more;
  if (key == "tuple" || key == "batches") return 2 + more;
  if (key == "indices" || key == "fill" || key == "index" || key == "expect") return 3 + more;
  if (key == "family") return 16;
  if (key == "rule" || key == "room" || key == "attributes") return 6 + more;
  return 4 + more;
}

uint32_t placeOf(std::string_view term) {
  const std::string_view key = keyOf(term);
  if (key == "operator") return 0;
  if (key == "has") return 30;
  const auto found = std::ranges::find(kOrder, key);
  return found == kOrder.end() ? 20 : 1 + static_cast<uint32_t>(found - kOrder.begin());
}

std::string wordsOf(std::string_view term) {
  struct Words {
    std::string_view trait, with, without;
  };
  static constexpr std::array<Words, kTraitNames.size()> kWords{{
      {"zero", "with a zero", "without zeros"},
      {"nonzero", "with a nonzero element", "without nonzero elements"},
      {"one-nonzero", "with exactly one nonzero element", "with none or several nonzero elements"},
      {"minus-zero", "with a -0", "without -0"},
      {"denormal", "with a denormal", "without denormals"},
      {"infinity", "with an infinity", "without infinities"},
      {"nan", "with a NaN", "without NaNs"},
      {"negative-index", "with a negative index", "without negative indices"},
      {"weak", "with data that hide most faults", "with data that could show any fault"},
  }};
  const std::string_view key = keyOf(term);
  if (key == "operator") return "of " + std::string(term);
  std::string_view relation = term.substr(key.size(), 2);
  if (!relation.ends_with('=')) relation = "=";
  std::string value(term.substr(key.size() + relation.size()));
  const auto bounded = [&](std::string_view equal, std::string_view least, std::string_view most) {
    const std::string_view text = relation == "=" ? equal : relation == ">=" ? least : most;
    std::string out(text);
    return out.replace(out.find('#'), 1, value);
  };
  if (key == "has") {
    const auto found = std::ranges::find(kWords, value, &Words::trait);
    if (found != kWords.end()) return std::string(relation == "=" ? found->with : found->without);
  }
  if (relation != "!=") {
    if (key == "level") return bounded("at level #", "from level # on", "up to level #");
    if (key == "rank") return bounded("of rank #", "of rank # or more", "of rank # or less");
    if (std::ranges::find(kBoundable, key) != kBoundable.end()) {
      for (size_t at = value.size(); at > 3;) value.insert(at -= 3, 1, ',');
    }
    if (key == "elements") {
      return bounded("with # input elements", "with # input elements or more",
                     "with # input elements or fewer");
    }
    if (key == "outputs") {
      return bounded("with # output elements", "with # output elements or more",
                     "with # output elements or fewer");
    }
    if (key == "tuple") {
      return bounded("with index tuples of #", "with index tuples of # or more",
                     "with index tuples of # or fewer");
    }
    if (key == "batches") {
      return bounded("with # batches", "with # batches or more", "with # batches or fewer");
    }
    if (key == "slice") {
      return bounded("with slices of # elements", "with slices of # elements or more",
                     "with slices of # elements or fewer");
    }
  }
  return "with " + std::string(term);
}

bool asksForInputs(std::string_view term) { return keyOf(term) == "has"; }

uint32_t CaseTerms::number(std::string text) {
  const auto [found, fresh] = numbers_.emplace(text, static_cast<uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(std::move(text));
  return found->second;
}

void CaseTerms::add(std::string_view key, std::string_view value, std::vector<uint32_t>& terms) {
  std::string name = termOf(key, "=", value);
  auto found = ofValue_.find(name);
  if (found == ofValue_.end()) {
    std::vector<uint32_t> numbers;
    for (std::string& text : spell(key, value)) numbers.push_back(number(std::move(text)));
    found = ofValue_.emplace(std::move(name), std::move(numbers)).first;
  }
  terms.insert(terms.end(), found->second.begin(), found->second.end());
}

LabelledCase CaseTerms::of(const Case& testCase, const std::optional<Traits>& traits) {
  LabelledCase label;
  for (size_t i = 0; i < kBoundable.size(); ++i) {
    label.measures[i] = findMeasure(kBoundable[i])->of(testCase);
  }
  std::vector<uint32_t>& terms = label.terms;
  const auto slots = tensors(testCase.descriptor);
  add("operator", operatorName(testCase.descriptor), terms);
  add("level", name(testCase.level), terms);
  add("rank", std::to_string(slots.front().desc->sizes.size()), terms);
  add("expect", expectText(testCase), terms);
  add("family", testCase.family, terms);
  add("fill", kindText(info(testCase.fill.kind)), terms);
  if (hasIndices(testCase.descriptor)) add("index", kindText(info(testCase.index.kind)), terms);
  for (std::string_view rule : rulesOf(testCase)) add("rule", rule, terms);
  for (std::string_view name : tensorNames()) {
    if (std::ranges::find(slots, name, &TensorSlot::name) != slots.end()) continue;
    for (const char* key : {"layout.", "strides.", "offset."}) {
      add(key + std::string(name), "", terms);  // an absent tensor has none of these
    }
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorDesc& tensor = *slots[i].desc;
    const std::string suffix = '.' + std::string(slots[i].name);
    const auto layout = tensor.strides ? findLayout(tensor.sizes, *tensor.strides) : std::nullopt;
    add(slots[i].name, std::string(info(tensor.type).name) + ':', terms);
    add("layout" + suffix, layout ? name(layout->kind) : "", terms);
    add("strides" + suffix, tensor.strides && !layout ? "*" : "", terms);
    add("align" + suffix, std::to_string(tensor.baseOffsetAlignment), terms);
    add("flags" + suffix, std::to_string(tensor.flags), terms);
    add("offset" + suffix, testCase.offsets[i] ? "*" : "", terms);
  }
  if (const std::string attributes = attributesOf(testCase); !attributes.empty()) {
    add("attributes", attributes, terms);
  }
  label.inputsKnown = traits.has_value();
  for (size_t i = 0; traits && i < kTraitNames.size(); ++i) {
    add(traits->has(static_cast<Trait>(i)) ? "has" : "has!", kTraitNames[i], terms);
  }
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return label;
}

}  // namespace dmlcts
