#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// A fault in executing a program. None shows if an operator is compiled, bound and executed once,
// alone.
struct SequenceMutantInfo {
  std::string_view name;         // follows "mutant:sequence."
  std::string_view description;  // its fault, in one sentence
};
extern const std::vector<SequenceMutantInfo> kSequenceMutants;

// Makes a program's calls in host memory, for a target that only executes requests. A tensor with a
// buffer of its own is sent to the target with that whole buffer, any other by itself.
class HostProgram {
 public:
  using Run = std::function<std::vector<Answer>(std::span<const Request>)>;

  // `fault`: the name of one of kSequenceMutants, or "".
  explicit HostProgram(Run run, std::string_view fault = "");
  ~HostProgram();

  // Answers the program's next message, of valid calls.
  Answer make(const Sequence& program);

 private:
  class Host;

  Run run_;
  std::string_view fault_;
  std::unique_ptr<Host> host_;  // of a program that continues
};

}  // namespace dmlcts::gpu
