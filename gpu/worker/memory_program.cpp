#include "gpu/worker/memory_program.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace dmlcts::gpu {

Answer MemoryProgram::make(const Program& program) {
  answer_ = {};
  answer_.status = Status::Executed;
  for (size_t i = 0; i < program.calls.size() && answer_.status == Status::Executed; ++i) {
    answer_.id = i;
    std::visit([&](const auto& call) { make(call); }, program.calls[i]);
  }
  Answer answer = std::move(answer_);
  if (answer.status == Status::Executed) answer.id = 0;
  if (answer.status != Status::Executed || !program.continues) *this = MemoryProgram(run_);
  return answer;
}

// Returns the answer to a request; any but `expected` ends the program.
Answer MemoryProgram::ask(const Request& request, Status expected) {
  std::vector<Answer> answers = run_({&request, 1});
  if (answers.size() != 1) {
    throw std::logic_error("the target gave " + std::to_string(answers.size()) +
                           " answers to a request");
  }
  if (answers.front().status != expected) {
    const uint64_t call = answer_.id;
    answer_ = answers.front();
    answer_.id = call;
  }
  return std::move(answers.front());
}

MemoryProgram::Bytes::iterator MemoryProgram::at(const Place& place) {
  return buffers_.at(place.buffer).begin() + static_cast<ptrdiff_t>(place.offset);
}

void MemoryProgram::make(const call::Create& create) {
  asked_ = {0, create.level, create.descriptor, false, {}, {}};
  ask(asked_, Status::Created);
}

void MemoryProgram::make(const call::Buffer& buffer) {
  try {
    buffers_[buffer.buffer].assign(buffer.bytes, 0);
  } catch (const std::exception&) {  // std::bad_alloc, std::length_error
    answer_.status = Status::NotSupported;
    answer_.message =
        "the worker has no memory for a buffer of " + std::to_string(buffer.bytes) + " bytes";
  }
}

void MemoryProgram::make(const call::Put& put) { std::ranges::copy(put.data, at(put.to)); }

void MemoryProgram::make(const call::Get& get) {
  answer_.outputs.emplace_back(at(get.from), at(get.from) + static_cast<ptrdiff_t>(get.bytes));
}

// A tensor with a buffer of its own is sent to the target with that whole buffer, any other by
// itself.
void MemoryProgram::make(const call::Execute&) {
  std::map<uint32_t, int> users;
  for (const auto* places : {&bound_.inputs, &bound_.outputs}) {
    for (const Place& place : *places) ++users[place.buffer];
  }
  Request request = asked_;
  request.execute = true;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    std::vector<BufferImage>& images = slot.isOutput ? request.outputs : request.inputs;
    const Place& place = (slot.isOutput ? bound_.outputs : bound_.inputs)[images.size()];
    const uint64_t bytes = slot.desc->totalBytes;
    if (users[place.buffer] == 1) {
      images.push_back({std::move(buffers_[place.buffer]), place.offset, bytes});
    } else {
      images.push_back({{at(place), at(place) + static_cast<ptrdiff_t>(bytes)}, 0, bytes});
    }
  }
  Answer done = ask(request, Status::Executed);
  if (done.status != Status::Executed) return;
  const auto take = [&](const std::vector<Place>& places, std::vector<Bytes>& written,
                        const std::vector<BufferImage>& images) {
    if (written.size() != places.size()) {
      throw std::logic_error("the target's answer has other buffers than the request");
    }
    for (size_t i = 0; i < places.size(); ++i) {
      written[i].resize(images[i].bytes.size());
      if (users[places[i].buffer] == 1) {
        buffers_[places[i].buffer] = std::move(written[i]);
      } else {
        std::ranges::copy(written[i], at(places[i]));
      }
    }
  };
  take(bound_.inputs, done.inputs, request.inputs);
  take(bound_.outputs, done.outputs, request.outputs);
}

}  // namespace dmlcts::gpu
