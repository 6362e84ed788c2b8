#include "conformance/facts/terms.h"

#include <algorithm>

#include "conformance/facts/query.h"

namespace dmlcts {
namespace {

using Texts = std::vector<std::string>;

std::string termOf(std::string_view key, std::string_view relation, std::string_view value) {
  return std::string(key) + std::string(relation) + std::string(value);
}

// Adds the value, and the bounds that it keeps: a level's, or a rank's up to the most dimensions of
// a case string.
void addOrdered(const Fact& fact, std::string_view key, std::string_view value, Texts& texts) {
  static const Names ranks = [] {
    static std::vector<std::string> numbers;
    for (size_t rank = 0; rank <= 64; ++rank) numbers.push_back(std::to_string(rank));
    return Names(numbers.begin(), numbers.end());
  }();
  const Names all = fact.names ? fact.names() : ranks;
  const auto own = std::ranges::find(all, value);
  texts.push_back(termOf(key, "=", value));
  for (auto other = all.begin(); other != all.end(); ++other) {
    if (own >= other) texts.push_back(termOf(key, ">=", *other));
    if (own <= other) texts.push_back(termOf(key, "<=", *other));
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

void addOptional(std::string_view key, std::string_view value, Texts& texts) {
  if (value.empty()) {
    texts.push_back(termOf(key, "!=", "*"));
    return;
  }
  texts.push_back(termOf(key, "=", "*"));
  if (value != "*") texts.push_back(termOf(key, "=", std::string(value) + "*"));
}

// Returns all terms that a fact's value makes true.
Texts spell(const Fact& fact, std::string_view key, std::string_view value, bool holds) {
  Texts texts;
  switch (fact.terms) {
    case Terms::Operator:
      texts.emplace_back(value);
      break;
    case Terms::Exact:
      texts.push_back(termOf(key, holds ? "=" : "!=", value));
      break;
    case Terms::Ordered:
      addOrdered(fact, key, value, texts);
      break;
    case Terms::Type:
      addType(key, value, texts);
      break;
    case Terms::Optional:
      addOptional(key, value, texts);
      break;
    case Terms::Expected:
      texts.push_back(termOf(key, "=", value));
      if (value.starts_with("reject")) texts.push_back(termOf(key, "=", "reject(*)"));
      break;
    case Terms::None:
    case Terms::Bounded:
      break;
  }
  return texts;
}

struct KeyedColumn {
  std::string_view key;
  KeyedFact of;
};

std::vector<KeyedColumn> columnsThat(bool (*isWanted)(const Fact& fact)) {
  std::vector<KeyedColumn> columns;
  for (std::string_view key : factKeys()) {
    const KeyedFact of = findFact(key);
    if (isWanted(*of.fact)) columns.push_back({key, of});
  }
  return columns;
}

const std::vector<KeyedColumn>& termColumns() {
  static const std::vector<KeyedColumn> all = columnsThat(
      [](const Fact& fact) { return fact.terms != Terms::None && fact.terms != Terms::Bounded; });
  return all;
}

const std::vector<KeyedColumn>& boundedColumns() {
  static const std::vector<KeyedColumn> all = columnsThat(
      [](const Fact& fact) { return fact.terms == Terms::Bounded && !fact.isLastResort; });
  return all;
}

const std::vector<KeyedColumn>& lastResortColumns() {
  static const std::vector<KeyedColumn> all =
      columnsThat([](const Fact& fact) { return fact.isLastResort; });
  return all;
}

Names keysOf(const std::vector<KeyedColumn>& columns) {
  Names keys;
  for (const KeyedColumn& each : columns) keys.push_back(each.key);
  return keys;
}

}  // namespace

std::span<const std::string_view> boundedKeys() {
  static const Names all = keysOf(boundedColumns());
  return all;
}

std::span<const std::string_view> lastResortKeys() {
  static const Names all = keysOf(lastResortColumns());
  return all;
}

bool asksForInputs(std::string_view term) { return splitTerm(term).key == "has"; }

uint32_t CaseTerms::number(std::string text) {
  const auto [found, fresh] = numbers_.emplace(text, static_cast<uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(std::move(text));
  return found->second;
}

void CaseTerms::add(const Fact& fact, std::string_view key, std::string_view value, bool holds,
                    std::vector<uint32_t>& terms) {
  name_.assign(key).append(holds ? "=" : "!=").append(value);
  auto found = ofValue_.find(name_);
  if (found == ofValue_.end()) {
    std::vector<uint32_t> numbers;
    for (std::string& text : spell(fact, key, value, holds)) {
      numbers.push_back(number(std::move(text)));
    }
    found = ofValue_.emplace(name_, std::move(numbers)).first;
  }
  terms.insert(terms.end(), found->second.begin(), found->second.end());
}

LabelledCase CaseTerms::of(const Case& testCase, const std::optional<Traits>& traits) {
  LabelledCase label;
  label.inputsKnown = traits.has_value();
  const auto slots = tensors(testCase.descriptor);
  const auto numbersIn = [&](const std::vector<KeyedColumn>& columns) {
    std::vector<uint64_t> numbers;
    for (const auto& [key, of] : columns) {
      numbers.push_back(
          of.fact->number(factOf(testCase, slots, key, of.tensor)).value_or(kNoNumber));
    }
    return numbers;
  };
  label.numbers = numbersIn(boundedColumns());
  label.lastResort = numbersIn(lastResortColumns());
  std::vector<uint32_t>& terms = label.terms;
  for (const auto& [key, keyed] : termColumns()) {
    FactOf of = factOf(testCase, slots, key, keyed.tensor);
    of.traits = traits;
    const auto values = keyed.fact->forTerms ? keyed.fact->forTerms : keyed.fact->values;
    values(of, [&, &key = key, &fact = *keyed.fact](std::string_view value, bool holds) {
      add(fact, key, value, holds, terms);
    });
  }
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return label;
}

}  // namespace dmlcts
