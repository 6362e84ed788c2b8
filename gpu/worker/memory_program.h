#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gpu/program.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Makes a program's calls in the worker's memory, for a target that only executes requests.
class MemoryProgram {
 public:
  using Run = std::function<std::vector<Answer>(std::span<const Request>)>;

  explicit MemoryProgram(Run run) : run_(std::move(run)) {}

  // Answers the program's next message, of valid calls.
  Answer make(const Program& program);

 private:
  using Bytes = std::vector<uint8_t>;

  // Calls without an overload need nothing: each execution ends at once.
  void make(const auto&) {}
  void make(const call::Create& create);
  void make(const call::Buffer& buffer);
  void make(const call::Bind& bind) { bound_ = bind; }
  void make(const call::Put& put);
  void make(const call::Execute&);
  void make(const call::Get& get);
  Bytes::iterator at(const Place& place);
  Answer ask(const Request& request, Status expected);

  Run run_;
  Answer answer_;  // to the message
  Request asked_;  // without images
  call::Bind bound_;
  std::map<uint32_t, Bytes> buffers_;
};

}  // namespace dmlcts::gpu
