#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/target.h"

namespace dmlcts {

inline constexpr const char* kOutOfRange = "Index out of range";  // a subject

// A question to a target about unspecified behaviour.
struct Question {
  std::string subject;  // "Index out of range"
  std::string asked;    // the specific question: "gather_nd, INT32: size of the dimension"
  gpu::Request request;
  // Describes the target's behaviour. Called only if the request was executed; null for others.
  std::function<std::string(const gpu::Request&, const gpu::Answer&)> read;
  // The only rule that the request's descriptor breaks at the request's level; "" for none.
  std::string breaks = {};
  bool robust = false;  // asked with --robust alone
};

// Returns a request at the newest level, for a case or for the descriptor of `asked` if no case may
// have it. Inputs are the case's, between guard bands; outputs and their surroundings hold a
// pattern.
gpu::Request requestOf(const std::string& caseString);
gpu::Request requestOf(const std::string& caseString, const std::string& asked);

// Returns the end of a gather's dims= for no batches.
inline const char* noBatches(std::string_view op) { return op == "gather_nd1" ? ",0" : ""; }

// Returns the bits of element `index` from where a tensor begins in its buffer, of which `bytes`
// may be an answer's.
uint64_t elementAt(const gpu::BufferImage& image, const std::vector<uint8_t>& bytes, uint32_t width,
                   int64_t index);

// True if each output element is one of the input, zero or unchanged, and all else is unchanged.
bool isSafe(const gpu::Request& request, const gpu::Answer& answer);

void addRobustQuestions(std::vector<Question>& questions);
void addOutOfRangeQuestions(std::vector<Question>& questions, std::string_view op);

}  // namespace dmlcts
