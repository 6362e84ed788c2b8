#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/language/case.h"

namespace dmlcts {

struct CaseSet;

// Finds the few of many case sets that may match a case: by its whole string, or by a value that
// a query asks for.
class CaseSetIndex {
 public:
  // Adds the set of the next number, from 0 on.
  void add(const CaseSet& set);

  // Returns the numbers of the sets that may match, ascending. `text` is the case string.
  std::vector<size_t> candidates(const Case& testCase, const std::string& text) const;

  // Returns those of the candidates that ask for a value that the case has, in any order.
  std::vector<size_t> found(const Case& testCase, const std::string& text) const;

  // Returns the numbers of the queries that ask for no value: candidates for every case. Ascending.
  const std::vector<size_t>& others() const { return others_; }

 private:
  using Numbers = std::unordered_map<std::string, std::vector<size_t>>;

  size_t size_ = 0;
  Numbers byText_;
  std::map<std::string, Numbers, std::less<>> byKey_;  // then by the key's value
  std::vector<size_t> others_;
};

}  // namespace dmlcts
