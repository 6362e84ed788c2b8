#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/operators/plan.h"
#include "gpu/program.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Many requests as one program. In go requests and the needs of their plans, out come the calls
// and, from the program's answer, the requests' answers. All inputs share a buffer, and all
// outputs, so that one copy uploads each and one reads each back. D3D12Target fills it with
// requests in the ordinary mode; those in execution modes are programs of their own
// (gpu/mode_program.h).
//
//   if (batch.hasRoomFor(request, plan)) batch.add(request, plan, number);
//   executor.launch(batch.program(), kernels of all plans, in order);
//   batch.answer(executor.land(), answers);
class Batch {
 public:
  void clear() { *this = {}; }
  bool empty() const { return requests_.empty(); }

  // True if the batch stays within its limits with this request added. An empty batch accepts even
  // a request that exceeds them.
  bool hasRoomFor(const Request& request, const Plan& plan) const;

  // Adds a request, which must outlive the batch's use of it, as number `answer` of all answers.
  void add(const Request& request, const Plan& plan, size_t answer);

  // Returns the calls, which lend the requests' bytes. The operators are created already.
  Program program() const;

  // Answers each request from the program's answer.
  void answer(Answer executed, std::vector<Answer>& answers) const;

 private:
  struct Added {
    const Request* request;
    size_t answer;
  };

  std::vector<Added> requests_;
  bool readsTemporaries_ = false;
  uint64_t inputBytes_ = 0;
  uint64_t outputBytes_ = 0;
  uint64_t temporaryBytes_ = 0;
  uint64_t stateBytes_ = 0;
  uint64_t passCount_ = 0;
};

}  // namespace dmlcts::gpu
