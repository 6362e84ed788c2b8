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
  std::string subject;  // "index out of range"
  std::string asked;    // the specific question: "gather_nd, INT32: size of the dimension"
  gpu::Request request;
  // Describes the target's behaviour. Called only if the request was executed; null for others.
  std::function<std::string(const gpu::Answer&)> read;
  // The only rule that the request's descriptor breaks at the request's level; "" for none.
  std::string breaks = {};
  // With --robust: true if the answer, of an executed request, reads and writes only its tensors.
  std::function<bool(const gpu::Answer&)> isSafe = {};
};

// Builds a request at the newest level that the target has. Inputs, in slot order, lie between
// guard bands; outputs and their surroundings hold a pattern.
gpu::Request requestOf(Descriptor descriptor, const std::vector<std::vector<uint8_t>>& inputs);

// Returns the elements' bits, little-endian, contiguous.
std::vector<uint8_t> packed(DataType type, const std::vector<uint64_t>& elements);

// Returns the bits of element `index` of a tensor that begins at `offset` bytes in its image.
uint64_t elementAt(const std::vector<uint8_t>& image, uint64_t offset, DataType type,
                   int64_t index);

// Describes whether bytes [from, to) of an output's total size changed: "untouched", "written",
// "partly written".
std::string touched(const gpu::Request& request, const gpu::Answer& answer, size_t output,
                    uint64_t from, uint64_t to);

// Append the questions of each file; the robust ones are for --robust alone.
void addRobustQuestions(std::vector<Question>& questions);
void addGatherQuestions(std::vector<Question>& questions);
void addNonzeroQuestions(std::vector<Question>& questions);
void addTensorFieldQuestions(std::vector<Question>& questions);
// The HRESULT with which each broken rule is rejected.
void addRejectionQuestions(std::vector<Question>& questions);

}  // namespace dmlcts
