#include "gpu/worker/serve.h"

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "gpu/process/streams.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/worker/memory_program.h"

namespace dmlcts::gpu {
namespace {

// Returns the next order; empty if the harness closed the stream between two frames.
std::optional<Order> receive(FrameReader& frames, ByteSource& in, ProgramState& program) {
  frames.next();
  while (!frames.complete()) {
    const size_t count = in.read(frames.space());
    if (count == 0) {
      if (!frames.started()) return std::nullopt;
      throw ProtocolError("frame: the stream ends inside it");
    }
    frames.commit(count);
  }
  Order order = decodeOrder(frames.payload(), program);
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
      answer = program_.make(program);
    }
    if (!program.continues) {
      failed_.reset();
    } else if (answer.status != Status::Executed) {
      failed_ = answer;
    }
    return out_.write(encodeAnswers({std::move(answer)}));
  }

  bool operator()(const Bye&) { return false; }

 private:
  Target& target_;
  MemoryProgram program_{
      [this](std::span<const Request> requests) { return target_.run(requests); }};
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
  ProgramState program;
  for (;;) {
    std::optional<Order> order;
    try {
      order = receive(frames, in, program);
    } catch (const ProtocolError& error) {
      out.write(encode(ErrorReply{ErrorReply::Kind::Protocol, error.what()}));
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
