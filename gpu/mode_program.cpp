#include "gpu/mode_program.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dmlcts::gpu {

namespace {

constexpr uint32_t kMany = 256;  // executions in one list
constexpr uint32_t kManySeen = kMany / 2;
constexpr uint32_t kManyMutant = 100;
constexpr uint64_t kManyBytes = uint64_t{16} << 20;  // of tensors: more would take minutes
constexpr uint64_t kBindingAlignment = 16;
constexpr uint64_t kPlacement = uint64_t{64} << 10;  // D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT
constexpr uint64_t kTemporaryGuard = 256;            // bytes on each side of a tight temporary
constexpr uint8_t kPoison = 0xFF;
constexpr auto kOutOfBounds = static_cast<int32_t>(0x8000000B);  // E_BOUNDS

uint64_t roundUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

uint8_t guardByte(uint64_t at) { return static_cast<uint8_t>(0x40 + at % 61); }

}  // namespace

std::string ModeProgram::whyNot(const Request& request) {
  uint64_t bytes = 0;
  for (const auto* images : {&request.inputs, &request.outputs}) {
    for (const BufferImage& image : *images) bytes += stagedBytes(image.bytes.size());
  }
  if (!request.modes.has(Mode::Many) || bytes <= kManyBytes) return "";
  return "mode many: its tensors have " + std::to_string(bytes) + " bytes, and this mode is for " +
         std::to_string(kManyBytes) + " at most";
}

ModeProgram::ModeProgram(const Request& request, uint64_t temporaryBytes, const ModeMutant* mutant,
                         Reads reads)
    : request_(request),
      mutant_(mutant),
      firstRead_(reads == Reads::All ? 0 : request.inputs.size()),
      temporaryBytes_(temporaryBytes) {
  for (const auto* images : {&request.inputs, &request.outputs}) {
    for (const BufferImage& image : *images) {
      images_.push_back(&image);
      staged_.push_back(imageBytes_);
      imageBytes_ += stagedBytes(image.bytes.size());
    }
  }
  guard_ = has(Mode::TightTemporary) && temporaryBytes > 0 ? kTemporaryGuard : 0;
  tables_.resize(has(Mode::Rebind) ? 3 : has(Mode::TwoQueues) ? 2 : 1);
  for (Table& table : tables_) arrange(table);
  for (uint32_t i = 0; i < tables_.size(); ++i) bind(i);
  makeOriginal();
  const uint32_t queue = has(Mode::Compute) ? 1 : 0;
  if (!has(Mode::TwoQueues)) {
    executeAll(queue);
  } else {
    // Both queues wait for what was written, so that goes first, without an execution.
    add(call::Submit{0});
    const bool early = isWrong(Mode::TwoQueues);
    execute(0, queue);
    if (!early) execute(1, queue + 2);
    add(call::Submit{queue});
    if (!early) add(call::Submit{queue + 2});
  }
  for (uint32_t kept : kept_) add(call::Get{{kept, 0}, imageBytes_});
  for (uint32_t i = 0; i < tables_.size(); ++i) read(i);
  if (isWrong(Mode::TwoQueues)) execute(1, queue + 2);
}

uint32_t ModeProgram::buffer(uint64_t bytes, std::optional<uint64_t> heapOffset) {
  add(call::Buffer{buffers_, bytes, heapOffset});
  return buffers_++;
}

// Creates and fills a table's buffers, laid out as the modes require: by default one per tensor.
void ModeProgram::arrange(Table& table) {
  const uint64_t temporaryBytes = temporaryBytes_ + 2 * guard_;
  const size_t inputs = request_.inputs.size();
  if (has(Mode::Placed)) {
    // Places buffers at odd multiples of the placement alignment, so that none has a larger
    // alignment.
    uint64_t end = 0;
    const auto next = [&](uint64_t bytes) {
      const uint64_t at = (end / kPlacement | 1) * kPlacement;
      end = at + roundUp(std::max<uint64_t>(bytes, 1), kPlacement);
      return at;
    };
    std::vector<uint64_t> places;
    for (const BufferImage* image : images_) places.push_back(next(image->bytes.size()));
    const uint64_t temporaryAt = next(temporaryBytes);
    if (isWrong(Mode::Placed)) places.back() = places.front();
    add(call::Heap{std::max(end, uint64_t{1} << 20)});
    for (size_t i = 0; i < images_.size(); ++i) {
      table.images.push_back({buffer(images_[i]->bytes.size(), places[i]), 0});
    }
    if (temporaryBytes > 0) table.temporary = {buffer(temporaryBytes, temporaryAt), guard_};
  } else {
    if (guard_ > 0) table.temporary = {buffer(temporaryBytes), guard_};
    const std::vector<TensorSlot> slots = tensors(request_.descriptor);
    uint64_t end = 0;
    for (size_t i = 0; i < images_.size(); ++i) {
      const uint64_t bytes = images_[i]->bytes.size();
      if (!has(Mode::SharedBuffer)) {
        table.images.push_back({buffer(bytes), 0});
        continue;
      }
      // Keeps the tensor's alignment: the image must begin aligned, as its offset is.
      end = roundUp(end, std::max<uint64_t>(kBindingAlignment, slots[i].desc->baseOffsetAlignment));
      if (isWrong(Mode::SharedBuffer) && i == inputs) end -= kBindingAlignment;
      table.images.push_back({buffers_, end});
      end += bytes;
    }
    if (has(Mode::SharedBuffer)) buffer(end);
  }
  for (size_t i = 0; i < images_.size(); ++i) {
    add(call::Put{table.images[i], {}, images_[i]->bytes});
  }
  if (guard_ == 0) return;
  std::vector<uint8_t> temporary(temporaryBytes, kPoison);
  for (uint64_t i = 0; i < temporaryBytes; ++i) {
    if (i < guard_ || i >= temporaryBytes - guard_) temporary[i] = guardByte(i);
  }
  add(call::Put{{table.temporary->buffer, 0}, std::move(temporary)});
}

void ModeProgram::bind(uint32_t number) {
  call::Bind call{.table = number, .temporary = tables_[number].temporary};
  for (size_t i = 0; i < images_.size(); ++i) {
    const BufferImage& image = *images_[i];
    Place place = tables_[number].images[i];
    place.offset += image.offset;
    place.bytes = image.size;
    if (has(Mode::LongerRange)) {
      place.bytes = (image.bytes.size() - image.offset) / 4 * 4;  // binding.size-multiple-of-4
    }
    (i < request_.inputs.size() ? call.inputs : call.outputs).push_back(place);
  }
  add(std::move(call));
}

void ModeProgram::execute(uint32_t table, uint32_t queue) {
  add(call::Execute{table, queue});
  if (isWrong(Mode::Compute) && table == 0) poison(0, images_.size() - 1, queue);
}

// Keeps the images' first content, and buffers for those of early executions.
void ModeProgram::makeOriginal() {
  const uint32_t early = executionsOf(request_.modes) - static_cast<uint32_t>(tables_.size());
  if (early == 0 && !isWrong(Mode::Compute)) return;
  original_ = buffer(imageBytes_);
  for (size_t i = 0; i < images_.size(); ++i) {
    add(call::Put{{original_, staged_[i]}, {}, images_[i]->bytes});
  }
  for (uint32_t i = 0; i < early; ++i) kept_.push_back(buffer(imageBytes_));
}

void ModeProgram::executeAll(uint32_t queue) {
  // A copy that was lost must not leave what an earlier program kept there. In a list of its own:
  // the next one may be submitted twice.
  for (uint32_t each : kept_) add(call::Copy{{original_, 0}, {each, 0}, imageBytes_, queue});
  if (!kept_.empty()) add(call::Submit{queue});
  uint32_t kept = 0;
  const uint32_t times = has(Mode::Many) ? kMany : static_cast<uint32_t>(tables_.size());
  for (uint32_t i = 0; i < times; ++i) {
    if (has(Mode::Many) && i > 0) poisonOutputs(queue);
    if (!isWrong(Mode::Many) || i < kManyMutant) {
      execute(!has(Mode::Rebind) || (isWrong(Mode::Rebind) && i == 1) ? 0 : i, queue);
    }
    if (has(Mode::Many) && (i == 0 || i == kManySeen)) keepImages(kept++, queue);
  }
  add(call::Submit{queue});
  if (has(Mode::RecordOnce)) {
    keepImages(kept++, queue);
    poisonOutputs(queue);
    add(call::Submit{queue});
    if (!isWrong(Mode::RecordOnce)) add(call::Resubmit{queue});
  }
  add(call::Wait{queue});
  if (isWrong(Mode::LongerRange)) {
    // Other bytes of the same guard band.
    const BufferImage& image = request_.outputs.back();
    const auto behind = image.bytes.begin() + static_cast<ptrdiff_t>(image.offset + image.size);
    Place place = tables_[0].images.back();
    place.offset += image.offset + image.size;
    add(call::Put{place, {behind + 8, behind + 12}});
  }
}

// Copies all images aside: an early execution's result.
void ModeProgram::keepImages(uint32_t kept, uint32_t queue) {
  for (size_t i = 0; i < images_.size(); ++i) {
    add(call::Copy{
        tables_[0].images[i], {kept_[kept], staged_[i]}, images_[i]->bytes.size(), queue});
  }
}

// Gives a table's image its first content again.
void ModeProgram::poison(uint32_t table, size_t image, uint32_t queue) {
  add(call::Copy{{original_, staged_[image]},
                 tables_[table].images[image],
                 images_[image]->bytes.size(),
                 queue});
}

void ModeProgram::poisonOutputs(uint32_t queue) {
  for (size_t i = request_.inputs.size(); i < images_.size(); ++i) poison(0, i, queue);
}

void ModeProgram::read(uint32_t table) {
  const Table& from = tables_[table];
  if (guard_ > 0 && isWrong(Mode::TightTemporary)) {
    add(call::Put{{from.temporary->buffer, guard_ + temporaryBytes_},
                  std::vector<uint8_t>(4, kPoison)});
  }
  for (size_t i = firstRead_; i < images_.size(); ++i) {
    add(call::Get{from.images[i], images_[i]->bytes.size()});
  }
  if (guard_ > 0) add(call::Get{{from.temporary->buffer, 0}, temporaryBytes_ + 2 * guard_});
}

Answer ModeProgram::answer(Answer executed) const {
  executed.id = request_.id;
  if (executed.status != Status::Executed) return executed;
  auto outputs = std::exchange(executed.outputs, {});
  auto read = outputs.begin();
  std::vector<Execution> executions;
  const auto add = [&](size_t image, std::vector<uint8_t> bytes) {
    Execution& execution = executions.back();
    (image < request_.inputs.size() ? execution.inputs : execution.outputs)
        .push_back(std::move(bytes));
  };
  for (size_t k = 0; k < kept_.size(); ++k, ++read) {
    executions.emplace_back();
    for (size_t i = 0; i < images_.size(); ++i) {
      const auto first = read->begin() + static_cast<ptrdiff_t>(staged_[i]);
      add(i, {first, first + static_cast<ptrdiff_t>(images_[i]->bytes.size())});
    }
  }
  for (size_t table = 0; table < tables_.size(); ++table) {
    executions.emplace_back();
    for (size_t i = firstRead_; i < images_.size(); ++i) add(i, std::move(*read++));
    if (guard_ == 0) continue;
    if (executed.message = overrun(*read++); !executed.message.empty()) {
      executed.status = Status::Failed;
      executed.hresult = kOutOfBounds;
      return executed;
    }
  }
  executed.modes = request_.modes;
  executed.outputs = std::move(executions.front().outputs);
  executed.inputs = std::move(executions.front().inputs);
  executed.more.assign(std::make_move_iterator(executions.begin() + 1),
                       std::make_move_iterator(executions.end()));
  return executed;
}

// Reports a write beside a tight temporary; "" if there is none.
std::string ModeProgram::overrun(const std::vector<uint8_t>& temporary) const {
  uint64_t bytes = 0;
  std::string first;
  for (uint64_t i = 0; i < temporary.size(); ++i) {
    const bool inside = i >= guard_ && i < temporary.size() - guard_;
    if (inside || temporary[i] == guardByte(i)) continue;
    if (bytes++ > 0) continue;
    first =
        i < guard_ ? std::to_string(guard_ - i) + " before it" : "at " + std::to_string(i - guard_);
  }
  if (bytes == 0) return "";
  return "mode tight-temporary: " + std::to_string(bytes) + " bytes beside the temporary of " +
         std::to_string(temporaryBytes_) + " bytes were written, the first " + first;
}

}  // namespace dmlcts::gpu
