#include "gpu/worker/serve.h"

#include <array>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "gpu/process/streams.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/worker/host_program.h"

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

// The state of a program: transfers and tensors must lie in its buffers, and each call needs those
// before it.
class ProgramChecker {
 public:
  std::string whyNot(const Program& program) {
    for (size_t i = 0; i < program.calls.size(); ++i) {
      const std::string problem =
          std::visit([&](const auto& call) { return whyNot(call); }, program.calls[i]);
      if (!problem.empty()) return "program.calls[" + std::to_string(i) + "]: " + problem;
    }
    return "";
  }

 private:
  std::string whyNot(const auto&) const { return ""; }

  std::string whyNot(const call::Create& create) {
    if (descriptor_) return "there is an operator";
    descriptor_ = create.descriptor;
    return "";
  }

  std::string whyNot(const call::Buffer& buffer) {
    std::optional<uint64_t>& bytes = buffers_.at(buffer.buffer);
    if (bytes) return "there is such a buffer";  // which may be in use
    bytes = buffer.bytes;
    return "";
  }

  std::string whyNot(const call::Put& put) const { return whyOutside(put.to, put.data.size()); }

  std::string whyNot(const call::Get& get) const { return whyOutside(get.from, get.bytes); }

  std::string whyNot(const call::Bind& bind) {
    if (!descriptor_) return "there is no operator";
    size_t inputs = 0;
    size_t outputs = 0;
    for (const TensorSlot& slot : tensors(*descriptor_)) {
      const std::vector<Place>& places = slot.isOutput ? bind.outputs : bind.inputs;
      size_t& next = slot.isOutput ? outputs : inputs;
      if (next == places.size()) return "a tensor has no place";
      const Place& place = places[next++];
      if (place.offset % kImageAlignment != 0) return "a tensor is not aligned";
      if (auto outside = whyOutside(place, slot.desc->totalBytes); !outside.empty()) return outside;
    }
    const bool more = inputs < bind.inputs.size() || outputs < bind.outputs.size();
    if (more) return "there are more places than tensors";
    bound_ = true;
    return "";
  }

  std::string whyNot(const call::Execute&) const { return bound_ ? "" : "nothing is bound"; }

  std::string whyOutside(const Place& place, uint64_t bytes) const {
    const std::optional<uint64_t>& buffer = buffers_.at(place.buffer);
    const uint64_t size = buffer.value_or(0);
    if (buffer && place.offset <= size && bytes <= size - place.offset) return "";
    return std::to_string(bytes) + " bytes from " + std::to_string(place.offset) +
           " on reach beyond the " + std::to_string(size) + " of buffer " +
           std::to_string(place.buffer);
  }

  std::optional<Descriptor> descriptor_;
  std::array<std::optional<uint64_t>, kMostBuffers> buffers_;  // bytes
  bool bound_ = false;
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
                               std::string(kEvict)};
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
  std::string whyNot(const Program& program) { return checker_.whyNot(program); }
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

  bool operator()(const Program& program) {
    Answer answer;
    if (failed_) {
      answer = *failed_;
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
