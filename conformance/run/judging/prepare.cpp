#include "conformance/run/judging/prepare.h"

#include <fmt/format.h>

#include <stdexcept>

#include "conformance/facts/weak.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/hash.h"
#include "conformance/run/judging/poison.h"

namespace dmlcts {

PreparedCase prepareSmall(const Case& testCase) {
  constexpr uint64_t kMostBytes = uint64_t{96} << 20;
  const uint64_t bytes = tensorBytes(testCase);
  if (testCase.expect == Expect::Execute && bytes > kMostBytes) {
    throw std::invalid_argument(
        fmt::format("its tensors have {} bytes, more than {}", bytes, kMostBytes));
  }
  return prepare(testCase, 0);
}

PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat, uint64_t poison,
                     const ExecutionMode& mode) {
  const auto asked = mode.descriptor(testCase);
  if (!asked) throw std::invalid_argument("the case does not go in mode " + mode.text());
  PreparedCase prepared;
  prepared.testCase = &testCase;
  gpu::Request request;
  request.level = testCase.level;
  request.descriptor = *asked;
  request.execute = testCase.expect == Expect::Execute;
  request.modes = mode.executionsOf(testCase).ofTargets();
  if (request.execute) {
    const auto inputs = makeInputs(testCase);
    prepared.expected = evaluate(testCase.descriptor, inputs);
    prepared.facts = inputFactsOf(testCase, inputs);
    prepared.weak = !weakBecause(testCase.descriptor, inputs, prepared.expected).empty();
    for (size_t i = 0; i < inputs.size(); ++i) {
      request.inputs.push_back(
          guardedInput(inputs[i], bindingOffset(testCase, i), testCase.seed + i));
    }
  }
  for (uint32_t run = 1; run < repeat; ++run) prepared.requests.push_back(request);
  prepared.requests.push_back(std::move(request));
  poisonAgain(prepared, firstId, poison);
  for (const gpu::Request& each : prepared.requests) {
    for (const auto* images : {&each.inputs, &each.outputs}) {
      for (const gpu::BufferImage& image : *images) prepared.bytes += image.bytes.size();
    }
  }
  return prepared;
}

void poisonAgain(PreparedCase& prepared, uint64_t firstId, uint64_t poison) {
  const Case& testCase = *prepared.testCase;
  for (gpu::Request& request : prepared.requests) {
    request.id = firstId++;
    request.outputs.clear();
    for (size_t i = 0; i < prepared.expected.size(); ++i) {
      const size_t slot = request.inputs.size() + i;
      request.outputs.push_back(poisonedOutput(tensors(testCase.descriptor)[slot].desc->type,
                                               prepared.expected[i], bindingOffset(testCase, slot),
                                               mix64(mix64(poison + request.id) + slot)));
    }
  }
}

}  // namespace dmlcts
