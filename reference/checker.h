#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/rules.h"

namespace dmlcts {

// Collects the broken rules of one descriptor. Ignores rules that do not apply at its level.
class Checker {
 public:
  explicit Checker(Level level) : level_(level) {}

  // Reports the rule with the text that `message` returns, unless `kept`. Returns `kept`.
  template <class Message>
  bool require(std::string_view ruleId, bool kept, Message message) {
    if (!kept) report(ruleId, message());
    return kept;
  }

  // Checks the rules of DML_BUFFER_TENSOR_DESC, which apply to every tensor of every operator.
  void requireTensor(const TensorSlot& slot);

  // Returns the broken rules in ledger order.
  std::vector<BrokenRule> takeBroken();

 private:
  void report(std::string_view ruleId, std::string message);

  Level level_;
  std::vector<BrokenRule> broken_;
};

// Formats sizes for messages: "{1,2,3}".
std::string braced(const std::vector<uint32_t>& sizes);

// The rules of DML_BUFFER_TENSOR_DESC.
std::span<const Rule> tensorRules();

// True for the 8 types that every operator's documentation lists for data.
bool isDocumentedDataType(DataType type);

// True for INT64, INT32, UINT64 and UINT32: the index types from level 3.0 on.
bool isIndexType(DataType type);

}  // namespace dmlcts
