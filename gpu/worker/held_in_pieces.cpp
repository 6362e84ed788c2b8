#include <algorithm>
#include <new>
#include <stdexcept>

#include "gpu/in_pieces.h"

namespace dmlcts::gpu {

Step HeldInPieces::open(const LargeRequest& request) {
  close();
  request_.id = request.id;
  request_.level = request.level;
  request_.descriptor = request.descriptor;
  uint64_t bytes = 0;
  const auto make = [&](const std::vector<BufferExtent>& extents,
                        std::vector<BufferImage>& images) {
    for (const BufferExtent& extent : extents) {
      bytes += extent.bytes;
      images.push_back({{}, extent.offset, extent.size});
      images.back().bytes.resize(extent.bytes);
    }
  };
  try {
    make(request.inputs, request_.inputs);
    make(request.outputs, request_.outputs);
  } catch (const std::bad_alloc&) {
    close();
    return {Status::NotSupported, 0,
            "the worker has no memory for buffers of " + std::to_string(bytes) + " bytes"};
  } catch (const std::length_error&) {
    close();
    return {Status::NotSupported, 0,
            "no worker of this system has buffers of " + std::to_string(bytes) + " bytes"};
  }
  return {Status::Created, 0, ""};
}

std::vector<uint8_t>& HeldInPieces::bytesOf(size_t buffer) {
  const size_t inputs = request_.inputs.size();
  return buffer < inputs ? request_.inputs[buffer].bytes : request_.outputs[buffer - inputs].bytes;
}

Step HeldInPieces::put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) {
  std::ranges::copy(bytes, bytesOf(buffer).begin() + static_cast<std::ptrdiff_t>(at));
  return {Status::Created, 0, ""};
}

Step HeldInPieces::get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) {
  std::copy_n(bytesOf(buffer).begin() + static_cast<std::ptrdiff_t>(at), bytes.size(),
              bytes.begin());
  return {Status::Created, 0, ""};
}

Step HeldInPieces::execute() {
  std::vector<Answer> answers = target_.run({&request_, 1});
  if (answers.size() != 1) {
    throw std::logic_error("the target gave " + std::to_string(answers.size()) +
                           " answers to a request");
  }
  Answer& answer = answers.front();
  if (answer.status == Status::Executed) {
    if (answer.inputs.size() != request_.inputs.size() ||
        answer.outputs.size() != request_.outputs.size()) {
      throw std::logic_error("the target's answer has other buffers than the request");
    }
    for (size_t i = 0; i < answer.inputs.size(); ++i) {
      answer.inputs[i].resize(request_.inputs[i].bytes.size());
      request_.inputs[i].bytes = std::move(answer.inputs[i]);
    }
    for (size_t i = 0; i < answer.outputs.size(); ++i) {
      answer.outputs[i].resize(request_.outputs[i].bytes.size());
      request_.outputs[i].bytes = std::move(answer.outputs[i]);
    }
  }
  return {answer.status, answer.hresult, answer.message};
}

void HeldInPieces::close() { request_ = {}; }

}  // namespace dmlcts::gpu
