#pragma once

#include <functional>
#include <memory>

#include "gpu/target.h"

// The oracle as a target, correct or deliberately faulty, hosted by a worker like any other.

namespace dmlcts {

inline constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);  // E_INVALIDARG

// A request being processed by the oracle, with everything a mutant may change.
struct Passage {
  const gpu::Request& request;
  Descriptor descriptor;                      // evaluated instead of the request's
  std::vector<std::vector<uint8_t>> inputs;   // evaluated instead of the request's, tensors only
  std::vector<gpu::BufferImage> outputs;      // memory contents, guard bands included
  std::vector<gpu::BufferImage> inputImages;  // memory contents, guard bands included
  uint64_t served = 0;                        // requests executed before this one
  const gpu::Answer* previous = nullptr;      // the last executed request's answer, if any
  bool deviceRemoved = false;                 // the device is lost, from now on
};

struct Mutation {
  // Decides acceptance of a descriptor; `valid` is the oracle's decision.
  std::function<bool(const gpu::Request&, bool valid)> accepts = {};
  std::function<void(Passage&)> before = {};  // before evaluation
  std::function<void(Passage&)> after = {};   // after the expected bytes were stored

  // Faults beyond a single request.
  std::function<void(gpu::Identity&)> identity = {};
  std::function<void(std::span<const gpu::Request>)> onMessage = {};  // when a message arrives
  std::function<void(std::span<const gpu::Request>, std::vector<gpu::Answer>&)> onAnswers = {};
  std::function<void()> onSent = {};  // after answers have been sent; called by the worker
  std::function<void()> atExit = {};  // when the target is released
};

// Creates a target that answers like the reference, except for `mutation`.
std::unique_ptr<gpu::Target> makeOracleTarget(std::string name, Mutation mutation = {});

}  // namespace dmlcts
