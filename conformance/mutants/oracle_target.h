#pragma once

#include <functional>
#include <memory>

#include "conformance/mutants/sequence_host.h"
#include "gpu/target.h"

// The oracle as a target, whole or deliberately broken, hosted by a worker like any other.

namespace dmlcts {

// One request on its way through the oracle; what a mutant may tamper with.
struct Passage {
  const gpu::Request& request;
  Descriptor descriptor;                      // evaluated instead of the request's
  std::vector<std::vector<uint8_t>> inputs;   // evaluated instead of the request's, tensors only
  std::vector<gpu::BufferImage> outputs;      // what memory holds, guard bands included
  std::vector<gpu::BufferImage> inputImages;  // what memory holds
  uint64_t served = 0;                        // requests executed before this one
  const gpu::Answer* previous = nullptr;      // the last executed request's answer, if any
  bool deviceRemoved = false;                 // the device is lost, from now on
};

struct Mutation {
  // Whether to accept a descriptor that the oracle accepts or not.
  std::function<bool(const gpu::Request&, bool valid)> accepts = {};
  std::function<void(Passage&)> before = {};  // before evaluation
  std::function<void(Passage&)> after = {};   // after the expected bytes were stored

  SequenceFault sequences = SequenceFault::None;  // of sequences of calls

  // What goes beyond a single request.
  std::function<void(gpu::Identity&)> identity = {};
  std::function<void(std::span<const gpu::Request>)> onMessage = {};  // when one has come
  std::function<void(std::span<const gpu::Request>, std::vector<gpu::Answer>&)> onAnswers = {};
  std::function<void()> onSent = {};  // after answers have been sent; called by the worker
  std::function<void()> atExit = {};  // when the target is released
};

// A target that answers as the reference does, except where `mutation` tampers.
std::unique_ptr<gpu::Target> makeOracleTarget(std::string name, Mutation mutation = {});

}  // namespace dmlcts
