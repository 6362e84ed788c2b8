#include "gpu/worker/serve.h"

#include <array>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "gpu/host_program.h"
#include "gpu/process/streams.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"

namespace dmlcts::gpu {
namespace {

// Numbers of an order that a driver would not survive. Each function says why the order is refused,
// "" if it is not.

template <class AnyOther>
std::string whyBeyondLimits(const AnyOther&) {
  return "";
}

constexpr uint64_t kMostEvicted = uint64_t{1} << 30;
constexpr uint64_t kMostCopied = uint64_t{1} << 34;

std::string beyond(const char* member, uint64_t bytes, uint64_t most) {
  if (bytes <= most) return "";
  return std::string(member) + ": " + std::to_string(bytes) + " bytes, more than " +
         std::to_string(most);
}

// The buffers of a program, and what its operators and tables bind: transfers, copies and tensors
// must lie in the buffers.
class ProgramChecker {
 public:
  std::string whyNot(const Sequence& program) {
    for (size_t i = 0; i < program.calls.size(); ++i) {
      const std::string problem = whyNot(program.calls[i]);
      if (!problem.empty()) return "program.calls[" + std::to_string(i) + "]: " + problem;
    }
    return "";
  }

 private:
  std::string whyNot(const SequenceCall& call) {
    switch (call.kind) {
      case CallKind::Create:
        operators_[call.object] = call.asked->descriptor;
        return "";
      case CallKind::Buffer:
        if (buffers_[call.object]) return "there is such a buffer";  // which may be in use
        buffers_[call.object] = call.bytes;
        return "";
      case CallKind::Put:
        return whyOutside(call.to.front(), call.data.size());
      case CallKind::Get:
        return whyOutside(call.from.front(), call.bytes);
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

  std::string whyOutside(const Place& place, uint64_t bytes) const {
    const uint64_t size = buffers_.at(place.buffer).value_or(0);
    if (buffers_[place.buffer] && place.offset <= size && bytes <= size - place.offset) return "";
    return std::to_string(bytes) + " bytes from " + std::to_string(place.offset) +
           " on reach beyond the " + std::to_string(size) + " of buffer " +
           std::to_string(place.buffer);
  }

  std::string whyNotBound(const SequenceCall& call) {
    const std::optional<Descriptor>& op = tables_[call.object];
    if (!op) return "there is no such operator or table";
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

  std::array<std::optional<uint64_t>, kMostOperators> buffers_;  // bytes
  std::array<std::optional<Descriptor>, kMostOperators> operators_;
  std::array<std::optional<Descriptor>, kMostOperators> tables_;
};

std::string whyBeyondLimits(const Time& time) {
  return beyond("time.evict", time.evict, kMostEvicted);
}

std::string whyBeyondLimits(const Copy& copy) {
  return beyond("copy.bytes", copy.bytes, kMostCopied);
}

// Returns the next order; empty if the harness closed the stream between two frames.
std::optional<Order> receive(FrameReader& frames, ByteSource& in) {
  frames.next();
  while (!frames.complete()) {
    const size_t count = in.read(frames.space());
    if (count == 0) {
      if (!frames.started()) return std::nullopt;
      throw ProtocolError("frame: the stream ends inside it");
    }
    frames.commit(count);
  }
  Order order = decodeOrder(frames.payload());
  frames.next();  // frees the frame, so that a large case is not in memory twice
  return order;
}

std::vector<std::string> capabilities(const Target& target) {
  std::vector<std::string> all{std::string(kTensorFields), std::string(kPrograms),
                               std::string(kMisuse), std::string(kEvict)};
  for (size_t i = 0; i < kModes.size(); ++i) {
    const auto mode = static_cast<Mode>(i);
    if (target.takes(mode)) all.push_back(capabilityOf(mode));
  }
  return all;
}

class OrderHandler {
 public:
  OrderHandler(Target& target, ByteSink& out) : target_(target), out_(out) {}

  // Returns why an order must not come now, or "".
  std::string whyNot(const Sequence& program) { return checker_.whyNot(program); }
  template <class AnyOther>
  std::string whyNot(const AnyOther& order) {
    return whyBeyondLimits(order);
  }

  // Return true to continue. Free requests, which can be large, before their answers are encoded.
  bool operator()(Run& run) {
    std::vector<Answer> answers = target_.run(run.requests);
    if (answers.size() != run.requests.size()) {
      throw std::logic_error("the target gave " + std::to_string(answers.size()) + " answers to " +
                             std::to_string(run.requests.size()) + " requests");
    }
    run = {};
    return out_.write(encodeAnswers(std::move(answers)));
  }

  bool operator()(Time& time) {
    const Timing timing = target_.time(time.request, time.repetitions, time.evict);
    time = {};
    return out_.write(encode(timing));
  }

  bool operator()(const Bare& bare) {
    return out_.write(encode(BareSeconds{target_.bareSeconds(bare.requests)}));
  }

  bool operator()(const Copy& copy) {
    return out_.write(encode(target_.timeCopy(copy.bytes, copy.repetitions)));
  }

  bool operator()(const Sequence& program) {
    Answer answer;
    if (failed_) {
      answer = *failed_;
    } else if (misusedCall(program) && !target_.hasBindingTables()) {
      answer.status = Status::NotSupported;
      answer.message = "the target has no binding tables";
    } else if (auto own = target_.runProgram(program)) {
      answer = *std::move(own);
    } else {
      answer = host_.make(program);
    }
    if (!program.continues) {
      checker_ = {};
      failed_.reset();
    } else if (answer.status != Status::Executed) {
      failed_ = answer;
    }
    return out_.write(encodeAnswers({std::move(answer)}));
  }

  bool operator()(const Bye&) { return false; }

 private:
  Target& target_;
  HostProgram host_{[this](std::span<const Request> requests) { return target_.run(requests); }};
  ProgramChecker checker_;        // of the program that continues
  std::optional<Answer> failed_;  // its failure, which answers all its further messages
  ByteSink& out_;
};

int serveOrders(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out) {
  std::unique_ptr<Target> target;
  try {
    target = makeTarget();
  } catch (const std::invalid_argument& error) {
    out.write(encode(ErrorReply{ErrorReply::Kind::Options, error.what()}));
    return kExitMalformed;
  }
  if (!target) throw std::logic_error("there is no such target");
  if (!out.write(encode(Hello{kProtocolVersion, target->identity(), capabilities(*target)}))) {
    return kExitDone;
  }
  OrderHandler handler(*target, out);
  FrameReader frames;
  for (;;) {
    std::optional<Order> order;
    std::string malformed;
    try {
      order = receive(frames, in);
      if (order)
        malformed = std::visit([&](const auto& any) { return handler.whyNot(any); }, *order);
    } catch (const ProtocolError& error) {
      malformed = error.what();
    }
    if (!malformed.empty()) {
      out.write(encode(ErrorReply{ErrorReply::Kind::Protocol, malformed}));
      return kExitMalformed;
    }
    if (!order || !std::visit(handler, *order)) return kExitDone;
  }
}

}  // namespace

int serve(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out) {
  installCrashHandler();
  std::string message;
  try {
    return serveOrders(makeTarget, in, out);
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "the target threw something that is not a std::exception";
  }
  try {
    out.write(encode(ErrorReply{ErrorReply::Kind::Target, message}));
  } catch (const std::exception&) {
    // The stream itself is broken: only the exit status remains.
  }
  return kExitTargetBroken;
}

}  // namespace dmlcts::gpu
