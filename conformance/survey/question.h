#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/misuse.h"
#include "gpu/target.h"

namespace dmlcts {

// Something that the documents leave open, asked of a target.
struct Question {
  std::string subject;  // "index out of range"
  std::string asked;    // which one: "gather_nd, INT32: size of the dimension"
  gpu::Request request;
  // What it did, in words. Asked only when the request was executed; null where it is not to be.
  std::function<std::string(const gpu::Answer&)> read;
  // Asked in place of the request.
  std::optional<gpu::MisusedOperator> misused = {};
};

// A request at the newest level, or the newest that the target has: the inputs, in slot order,
// between guard bands; in the outputs, and around them, a pattern.
gpu::Request requestOf(Descriptor descriptor, const std::vector<std::vector<uint8_t>>& inputs);

// The bits of the elements, little-endian, behind each other.
std::vector<uint8_t> packed(DataType type, const std::vector<uint64_t>& elements);

// The bits of the element that many elements behind the first of a tensor; its image begins
// `offset` bytes earlier.
uint64_t elementAt(const std::vector<uint8_t>& image, uint64_t offset, DataType type,
                   int64_t index);

// Of the bytes [from, to) of an output's total size, by whether they changed: "untouched",
// "written", "partly written".
std::string touched(const gpu::Request& request, const gpu::Answer& answer, size_t output,
                    uint64_t from, uint64_t to);

// The questions of each file.
void addGatherQuestions(std::vector<Question>& questions);
void addNonzeroQuestions(std::vector<Question>& questions);
// What comes of errors of use. Some pages promise it.
void addMisuseQuestions(std::vector<Question>& questions);
// Which HRESULT each rule's breach is rejected with.
void addRejectionQuestions(std::vector<Question>& questions);

}  // namespace dmlcts
