#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/rules.h"

namespace dmlcts {

// Collects the broken rules of one descriptor. A rule that does not hold at the level asked for
// is never reported.
class Checker {
 public:
  explicit Checker(Level level) : level_(level) {}

  // Reports the rule broken, with what `message` returns, unless `kept`. Returns `kept`.
  template <class Message>
  bool require(std::string_view ruleId, bool kept, Message message) {
    if (!kept) report(ruleId, message());
    return kept;
  }

  // The rules of DML_BUFFER_TENSOR_DESC, which hold for every tensor of every operator.
  void requireTensor(const TensorSlot& slot);

  // What was reported, in ledger order.
  std::vector<BrokenRule> takeBroken();

 private:
  void report(std::string_view ruleId, std::string message);

  Level level_;
  std::vector<BrokenRule> broken_;
};

// For messages: "{1,2,3}".
std::string braced(const std::vector<uint32_t>& sizes);

// The rules of DML_BUFFER_TENSOR_DESC.
std::span<const Rule> tensorRules();

// The 8 types that every operator's document lists for data.
bool isDocumentedDataType(DataType type);

// INT64, INT32, UINT64, UINT32: the types of indices from level 3.0 on.
bool isIndexType(DataType type);

}  // namespace dmlcts
