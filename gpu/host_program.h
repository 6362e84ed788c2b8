#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Makes a program's calls in host memory, for a target that only executes requests. A tensor with a
// buffer of its own is sent to the target with that whole buffer, any other by itself.
class HostProgram {
 public:
  using Run = std::function<std::vector<Answer>(std::span<const Request>)>;

  explicit HostProgram(Run run);
  ~HostProgram();

  // Answers the program's next message, of valid calls.
  Answer make(const Sequence& program);

 private:
  class Host;

  Run run_;
  std::unique_ptr<Host> host_;  // of a program that continues
};

}  // namespace dmlcts::gpu
