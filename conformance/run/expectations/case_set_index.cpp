#include "conformance/run/expectations/case_set_index.h"

#include <algorithm>

#include "conformance/facts/facts.h"
#include "conformance/run/expectations/expectations.h"

namespace dmlcts {

void CaseSetIndex::add(const CaseSet& set) {
  const size_t number = size_++;
  if (set.exact) {
    byText_[set.text].push_back(number);
  } else if (const auto word = set.query.front().sharedValue()) {
    byKey_[std::string(word->first)][std::string(word->second)].push_back(number);
  } else {
    others_.push_back(number);
  }
}

std::vector<size_t> CaseSetIndex::found(const Case& testCase, const std::string& text) const {
  std::vector<size_t> all;
  const auto take = [&](const Numbers& numbers, const std::string& value) {
    if (const auto at = numbers.find(value); at != numbers.end()) {
      all.insert(all.end(), at->second.begin(), at->second.end());
    }
  };
  take(byText_, text);
  for (const auto& [key, numbers] : byKey_) {
    const auto [fact, tensor] = findFact(key);
    fact->values(factOf(testCase, key, tensor),
                 [&, &numbers = numbers](std::string_view value, bool) {
                   take(numbers, std::string(value));
                 });
  }
  return all;
}

std::vector<size_t> CaseSetIndex::candidates(const Case& testCase, const std::string& text) const {
  std::vector<size_t> all = found(testCase, text);
  all.insert(all.end(), others_.begin(), others_.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());  // a value may be given in two ways
  return all;
}

}  // namespace dmlcts
