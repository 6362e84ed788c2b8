#pragma once

#include <algorithm>
#include <vector>

#include "conformance/mutants/oracle_target.h"
#include "conformance/run/judging/judge.h"
#include "reference/tensor.h"

// Runs whole cases without a worker, for tests with many cases.

namespace dmlcts {

// True if every tensor has at most `most` bytes and elements (which may share addresses).
inline bool isSmall(const Case& testCase, uint64_t most) {
  return std::ranges::all_of(tensors(testCase.descriptor), [most](const TensorSlot& slot) {
    return slot.desc->totalBytes <= most &&
           elementCount(slot.desc->sizes).value_or(most + 1) <= most;
  });
}

// Prepares the case, lets the oracle answer and judges it. Throws whatever prepare() throws.
inline Judgement judgedInProcess(const Case& testCase) {
  const PreparedCase prepared = prepare(testCase, 1);
  const auto target = makeOracleTarget("reference");
  const std::vector<gpu::Answer> answers = target->run(prepared.requests);
  return judge(prepared, answers, {target->identity().maxLevel, Strictness::Strict});
}

}  // namespace dmlcts
