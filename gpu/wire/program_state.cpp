#include "gpu/wire/program_state.h"

#include <string>
#include <variant>

#include "gpu/wire/protocol.h"

namespace dmlcts::gpu {

void ProgramState::add(const Program& program) {
  Path path("program");
  path.enter("calls");
  for (size_t i = 0; i < program.calls.size(); ++i) {
    path.enter(i);
    std::visit([&](const auto& call) { add(path, call); }, program.calls[i]);
    path.leave();
  }
  if (!program.continues) *this = {};
}

void ProgramState::add(const Path& path, const call::Create& create) {
  if (descriptor_) path.fail("there is an operator");
  descriptor_ = create.descriptor;
}

void ProgramState::add(const Path& path, const call::Buffer& buffer) {
  std::optional<uint64_t>& bytes = buffers_.at(buffer.buffer);
  if (bytes) path.fail("there is such a buffer");  // which may be in use
  bytes = buffer.bytes;
}

void ProgramState::add(const Path& path, const call::Put& put) const {
  checkInside(path, put.to, put.data.size());
}

void ProgramState::add(const Path& path, const call::Get& get) const {
  checkInside(path, get.from, get.bytes);
}

void ProgramState::add(const Path& path, const call::Bind& bind) {
  if (!descriptor_) path.fail("there is no operator");
  size_t inputs = 0;
  size_t outputs = 0;
  for (const TensorSlot& slot : tensors(*descriptor_)) {
    const std::vector<Place>& places = slot.isOutput ? bind.outputs : bind.inputs;
    size_t& next = slot.isOutput ? outputs : inputs;
    if (next == places.size()) path.fail("a tensor has no place");
    const Place& place = places[next++];
    if (place.offset % kImageAlignment != 0) path.fail("a tensor is not aligned");
    checkInside(path, place, slot.desc->totalBytes);
  }
  const bool more = inputs < bind.inputs.size() || outputs < bind.outputs.size();
  if (more) path.fail("there are more places than tensors");
  bound_ = true;
}

void ProgramState::add(const Path& path, const call::Execute&) const {
  if (!bound_) path.fail("nothing is bound");
}

void ProgramState::checkInside(const Path& path, const Place& place, uint64_t bytes) const {
  const std::optional<uint64_t>& buffer = buffers_.at(place.buffer);
  const uint64_t size = buffer.value_or(0);
  if (buffer && place.offset <= size && bytes <= size - place.offset) return;
  path.fail(std::to_string(bytes) + " bytes from " + std::to_string(place.offset) +
            " on reach beyond the " + std::to_string(size) + " of buffer " +
            std::to_string(place.buffer));
}

}  // namespace dmlcts::gpu
