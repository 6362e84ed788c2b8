#include "gpu/worker/serve.h"

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "gpu/process/leave.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"

namespace dmlcts::gpu {
namespace {

// The next order; nothing when the harness closed the stream between two frames.
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
  frames.next();  // so that a large case is not in memory twice
  return order;
}

std::vector<std::string> capabilities() {
  std::vector<std::string> all{std::string(kTensorFields), std::string(kSequences)};
  for (size_t i = 0; i < kWays.size(); ++i) all.push_back(capabilityOf(static_cast<Way>(i)));
  return all;
}

class OrderHandler {
 public:
  OrderHandler(Target& target, ByteSink& out) : target_(target), out_(out) {}

  // Each returns whether to go on. Requests are given back before their answers are encoded: they
  // can be large.
  bool operator()(Run& run) {
    const std::vector<Answer> answers = target_.run(run.requests);
    if (answers.size() != run.requests.size()) {
      throw std::logic_error("the target gave " + std::to_string(answers.size()) + " answers to " +
                             std::to_string(run.requests.size()) + " requests");
    }
    run = {};
    return out_.write(encodeAnswers(answers));
  }

  bool operator()(Time& time) {
    const Timing timing = target_.time(time.request, time.repetitions);
    time = {};
    return out_.write(encode(timing));
  }

  bool operator()(const Bare& bare) {
    return out_.write(encode(BareSeconds{target_.bareSeconds(bare.requests)}));
  }

  bool operator()(const Copy& copy) {
    return out_.write(encode(target_.timeCopy(copy.bytes, copy.repetitions)));
  }

  bool operator()(const RunSequence& run) {
    const Answer answer = target_.runSequence(run.sequence);
    return out_.write(encodeAnswers({&answer, 1}));
  }

  bool operator()(const Bye&) { return false; }

 private:
  Target& target_;
  ByteSink& out_;
};

int serveOrders(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out) {
  const std::unique_ptr<Target> target = makeTarget();
  if (!target) throw std::logic_error("there is no such target");
  if (!out.write(encode(Hello{kProtocolVersion, target->identity(), capabilities()}))) {
    return kExitDone;
  }
  OrderHandler handler(*target, out);
  FrameReader frames;
  for (;;) {
    std::optional<Order> order;
    try {
      order = receive(frames, in);
    } catch (const ProtocolError& error) {
      out.write(encode(Trouble{Trouble::Kind::Protocol, error.what()}));
      return kExitMalformed;
    }
    if (!order || !std::visit(handler, *order)) return kExitDone;
  }
}

}  // namespace

int serve(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out) {
  crashAtOnce();
  std::string message;
  try {
    return serveOrders(makeTarget, in, out);
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "the target threw something that is not a std::exception";
  }
  try {
    out.write(encode(Trouble{Trouble::Kind::Target, message}));
  } catch (const std::exception&) {
    // The stream itself is broken: the exit status is all that is left to say.
  }
  return kExitTargetBroken;
}

}  // namespace dmlcts::gpu
