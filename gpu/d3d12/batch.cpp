#include "gpu/d3d12/batch.h"

#include <utility>

#include "gpu/d3d12/program_executor.h"

namespace dmlcts::gpu {

namespace {

// The limits of a batch. A single request may exceed them.
constexpr uint64_t kMostBytes = uint64_t{16} << 20;
constexpr uint64_t kMostPasses = 8192;

// Buffers of the program.
constexpr uint32_t kInputs = 0;
constexpr uint32_t kOutputs = 1;

// Lays images out as they are staged, so that one copy serves all.
uint64_t room(const BufferImage& image) { return stagedBytes(image.bytes.size()); }

uint64_t room(std::span<const BufferImage> images) {
  uint64_t bytes = 0;
  for (const BufferImage& image : images) bytes += room(image);
  return bytes;
}

}  // namespace

bool Batch::hasRoomFor(const Request& request, const Plan& plan) const {
  if (empty()) return true;
  return !plan.readsTemporaries && !readsTemporaries_ &&
         inputBytes_ + room(request.inputs) <= kMostBytes &&
         outputBytes_ + room(request.outputs) <= kMostBytes &&
         temporaryBytes_ + plan.temporaryBytes <= kMostBytes &&
         stateBytes_ + plan.stateBytes <= kMostBytes &&
         passCount_ + plan.passes.size() <= kMostPasses;
}

void Batch::add(const Request& request, const Plan& plan, size_t answer) {
  requests_.push_back({&request, answer});
  readsTemporaries_ = plan.readsTemporaries;
  inputBytes_ += room(request.inputs);
  outputBytes_ += room(request.outputs);
  temporaryBytes_ += plan.temporaryBytes;
  stateBytes_ += plan.stateBytes;
  passCount_ += plan.passes.size();
}

Program Batch::program() const {
  Program program;
  std::vector<Call>& calls = program.calls;
  calls.reserve(4 + 8 * requests_.size());
  calls.push_back(call::Buffer{kInputs, inputBytes_});
  calls.push_back(call::Buffer{kOutputs, outputBytes_});
  call::Bind bind;
  std::vector<call::Get> gets[2];
  const auto place = [&](uint32_t buffer, std::vector<BufferImage> Request::* images,
                         std::vector<Place>& tensors) {
    uint64_t at = 0;
    for (const Added& added : requests_) {
      for (const BufferImage& image : added.request->*images) {
        calls.push_back(call::Put{{buffer, at}, {}, image.bytes, room(image)});
        tensors.push_back({buffer, at + image.offset});
        gets[buffer].push_back({{buffer, at}, image.bytes.size()});
        at += room(image);
      }
    }
  };
  place(kInputs, &Request::inputs, bind.inputs);
  place(kOutputs, &Request::outputs, bind.outputs);
  calls.push_back(std::move(bind));
  calls.push_back(call::Execute{});
  // Inputs too: a kernel could have overwritten them.
  for (const auto& some : gets) calls.insert(calls.end(), some.begin(), some.end());
  return program;
}

void Batch::answer(Answer executed, std::vector<Answer>& answers) const {
  auto read = std::exchange(executed.outputs, {});
  auto next = read.begin();
  for (const Added& added : requests_) {
    Answer& answer = answers[added.answer];
    answer = executed;
    answer.id = added.request->id;
    if (executed.status != Status::Executed) continue;
    for (size_t i = 0; i < added.request->inputs.size(); ++i) {
      answer.inputs.push_back(std::move(*next++));
    }
  }
  if (executed.status != Status::Executed) return;
  for (const Added& added : requests_) {
    for (size_t i = 0; i < added.request->outputs.size(); ++i) {
      answers[added.answer].outputs.push_back(std::move(*next++));
    }
  }
}

}  // namespace dmlcts::gpu
