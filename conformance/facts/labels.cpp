#include "conformance/facts/labels.h"

#include <algorithm>

#include "conformance/facts/facts.h"

namespace dmlcts {
namespace {

using AllClasses = std::array<const FactClasses*, kParameters>;

const AllClasses& allClasses() {
  static const AllClasses all = [] {
    AllClasses classes{};
    for (const Fact& fact : facts()) {
      for (const FactClasses& each : fact.classes) {
        classes[static_cast<size_t>(each.parameter)] = &each;
      }
    }
    return classes;
  }();
  return all;
}

// Every parameter's values, each as one word.
const std::array<std::vector<std::string>, kParameters>& allWords() {
  static const auto words = [] {
    std::array<std::vector<std::string>, kParameters> all;
    for (size_t i = 0; i < kParameters; ++i) {
      for (std::string_view value : valuesOf(static_cast<Parameter>(i))) {
        all[i].push_back(oneWord(value));
      }
    }
    return all;
  }();
  return words;
}

}  // namespace

std::string oneWord(std::string_view text) {
  std::string word;
  for (char c : text) {
    if (c != ',') word += c == ' ' ? '-' : c;
  }
  return word;
}

std::string wordsOf(const Labels& labels) {
  std::string words;
  for (size_t i = 0; i < kParameters; ++i) {
    if (i > 0) words += ' ';
    words += allWords()[i][labels[i]];
  }
  return words;
}

std::optional<Labels> parseLabels(std::string_view words) {
  Labels labels{};
  for (size_t i = 0; i < kParameters; ++i) {
    const size_t end = words.find(' ');
    if ((end == words.npos) != (i + 1 == kParameters)) return std::nullopt;
    const auto& values = allWords()[i];
    const auto found = std::ranges::find(values, words.substr(0, end));
    if (found == values.end()) return std::nullopt;
    labels[i] = static_cast<uint8_t>(found - values.begin());
    words.remove_prefix(std::min(end, words.size() - 1) + 1);
  }
  return labels;
}

std::string_view name(Parameter parameter) {
  return allClasses()[static_cast<size_t>(parameter)]->name;
}

const std::vector<std::string_view>& valuesOf(Parameter parameter) {
  static const auto all = [] {
    std::array<Names, kParameters> values;
    for (size_t i = 0; i < kParameters; ++i) values[i] = allClasses()[i]->values();
    return values;
  }();
  return all[static_cast<size_t>(parameter)];
}

Labels labelsOf(const Case& testCase) {
  Labels labels;
  for (size_t i = 0; i < kParameters; ++i) labels[i] = allClasses()[i]->of(testCase);
  return labels;
}

}  // namespace dmlcts
