#include "gpu/worker/order_limits.h"

#include <map>

namespace dmlcts::gpu {
namespace {

constexpr uint64_t kMostEvicted = uint64_t{1} << 30;
constexpr uint64_t kMostCopied = uint64_t{1} << 34;
constexpr uint64_t kMostOpened = uint64_t{1} << 36;  // the largest tensor has 2^35

std::string beyond(const char* member, uint64_t bytes, uint64_t most) {
  if (bytes <= most) return "";
  return std::string(member) + ": " + std::to_string(bytes) + " bytes, more than " +
         std::to_string(most);
}

// The buffers of a sequence, and what its operators and tables bind.
class BufferChecker {
 public:
  explicit BufferChecker(const std::vector<Bytes>& buffers) : buffers_(buffers) {}

  std::string whyNot(const SequenceCall& call) {
    switch (call.kind) {
      case CallKind::Create:
        operators_[call.object] = &call.asked->descriptor;
        return "";
      case CallKind::Copy:
        if (auto outside = whyOutside(call.from.front(), call.bytes); !outside.empty())
          return outside;
        return whyOutside(call.to.front(), call.bytes);
      case CallKind::Bind:
      case CallKind::Reset:
        tables_[call.object] = operators_[call.operators.front()];
        return call.misuse ? "" : whyNotBound(call);
      case CallKind::Rebind:
        return whyNotBound(call);
      default:
        return "";
    }
  }

 private:
  std::string whyOutside(const Place& place, uint64_t bytes) const {
    const uint64_t size = place.buffer < buffers_.size() ? buffers_[place.buffer].size() : 0;
    if (place.offset <= size && bytes <= size - place.offset) return "";
    return std::to_string(bytes) + " bytes from " + std::to_string(place.offset) +
           " on reach beyond the " + std::to_string(size) + " of buffer " +
           std::to_string(place.buffer);
  }

  std::string whyNotBound(const SequenceCall& call) {
    const Descriptor* op = tables_[call.object];
    if (op == nullptr) return "there is no such operator or table";
    for (const bool outputs : {false, true}) {
      const std::vector<Place>& places = outputs ? call.to : call.from;
      if (places.empty() && call.kind == CallKind::Rebind) continue;
      size_t next = 0;
      for (const TensorSlot& slot : tensors(*op)) {
        if (slot.isOutput != outputs) continue;
        if (next == places.size()) return "a tensor has no place";
        const Place& place = places[next++];
        if (place.offset % kImageAlignment != 0) return "a tensor is not aligned";
        if (auto outside = whyOutside(place, slot.desc->totalBytes); !outside.empty())
          return outside;
      }
      if (next < places.size()) return "there are more places than tensors";
    }
    return "";
  }

  const std::vector<Bytes>& buffers_;
  std::map<uint32_t, const Descriptor*> operators_;
  std::map<uint32_t, const Descriptor*> tables_;
};

}  // namespace

std::string whyBeyondLimits(const Time& time) {
  return beyond("time.evict", time.evict, kMostEvicted);
}

std::string whyBeyondLimits(const Copy& copy) {
  return beyond("copy.bytes", copy.bytes, kMostCopied);
}

std::string whyBeyondLimits(const Piece& piece) {
  if (!piece.request) return "";
  for (const auto* extents : {&piece.request->inputs, &piece.request->outputs}) {
    for (const BufferExtent& extent : *extents) {
      if (auto text = beyond("open.bytes", extent.bytes, kMostOpened); !text.empty()) return text;
    }
  }
  return "";
}

std::string whyBeyondLimits(const RunSequence& run) {
  BufferChecker checker(run.sequence.buffers);
  for (size_t i = 0; i < run.sequence.calls.size(); ++i) {
    const std::string problem = checker.whyNot(run.sequence.calls[i]);
    if (!problem.empty()) return "sequence.calls[" + std::to_string(i) + "]: " + problem;
  }
  return "";
}

}  // namespace dmlcts::gpu
