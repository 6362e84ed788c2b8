#include "gpu/worker/client.h"

#include <algorithm>
#include <concepts>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "gpu/wire/cbor.h"
#include "gpu/wire/members.h"
#include "gpu/wire/path.h"
#include "gpu/wire/utf8.h"

namespace dmlcts::gpu {
namespace {

// The one place where text of workers enters the harness: it loses characters that could control a
// terminal.

using Plain = std::string (*)(std::string_view);

struct AnyMembers {
  void operator()(auto...) const {}
};

// Applies `plain` to every text in a message; an identity's texts have one line each.
template <class Value>
void makePlain(Value& value, Plain plain) {
  if constexpr (std::same_as<Value, std::string>) {
    value = plain(value);
  } else if constexpr (std::same_as<Value, std::map<std::string, std::string>>) {
    Value all;
    for (const auto& [name, text] : value) all.emplace(plain(name), plain(text));
    value = std::move(all);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) makePlain(*value, plain);
  } else if constexpr (requires { visitMembers(value, AnyMembers()); }) {
    const Plain inside = std::same_as<Value, Identity> ? plainLine : plain;
    visitMembers(value, [&](auto... members) { (makePlain(members.value, inside), ...); });
  } else if constexpr (requires { requires std::is_class_v<typename Value::value_type>; }) {
    for (auto& each : value) makePlain(each, plain);
  }
}

inline void makePlain(Reply& reply) {
  std::visit([](auto& message) { makePlain(message, plainText); }, reply);
}

using std::chrono::milliseconds;

// The longest delay in noticing a dead worker whose streams another process keeps open.
constexpr milliseconds kSlice{20};
// The same after its output has ended.
constexpr milliseconds kInstant{1};
// The time for a worker to exit after it closed its output or announced its exit; the least if its
// order has an earlier deadline.
constexpr milliseconds kLeave{10000};
constexpr milliseconds kExit{1000};

constexpr uint64_t kMaxSmallReply = 2 * kMaxTextBytes;
constexpr uint64_t kMaxHello = 64 * 1024;  // an identity goes into every header and report
constexpr uint64_t kNumberBytes = 9;

milliseconds sliceOf(std::chrono::steady_clock::duration left) {
  return std::clamp(std::chrono::ceil<milliseconds>(left), milliseconds(0), kSlice);
}

struct Describer {
  std::string operator()(const TargetUnavailable& it) { return "the worker gave up: " + it.text; }
  std::string operator()(const Crashed& it) { return "the worker crashed: " + it.how; }
  std::string operator()(const DiedAfterLastAnswer& it) {
    return (it.leaving ? "the worker did not exit cleanly: "
                       : "the worker died after its last answer: ") +
           it.how;
  }
  std::string operator()(const TimedOut& it) {
    const std::string within = " within " + std::to_string(it.after.count()) + " ms";
    return it.greeted ? "the worker did not answer" + within
                      : "the worker sent no hello" + within + "; hello comes first, unasked";
  }
  std::string operator()(const ProtocolViolation& it) {
    return (it.refused ? "the worker refused a message: " : "the worker broke the protocol: ") +
           it.text;
  }
  std::string operator()(const Cancelled&) { return "the harness was told to stop"; }
};

}  // namespace

Worker::Worker(const WorkerCommand& command) : peer_(startPeer(command)) {}

Outcome<Hello> Worker::hello(Deadline deadline) {
  if (!usable_ || greeted_) throw std::logic_error("Worker::hello called twice or too late");
  greeted_ = true;
  inFlight_.push_back({0, kMaxHello, {}});
  incoming_.limit(kMaxHello);
  Outcome<Hello> outcome = reply<Hello>(deadline);
  if (auto* failure = std::get_if<Failure>(&outcome)) {
    if (auto* late = std::get_if<TimedOut>(failure)) late->greeted = false;
  }
  if (const auto* hello = std::get_if<Hello>(&outcome);
      hello != nullptr && hello->protocol != kProtocolVersion) {
    return conclude(ProtocolViolation{"the worker speaks version " +
                                      std::to_string(hello->protocol) + ", this harness " +
                                      std::to_string(kProtocolVersion)});
  }
  return outcome;
}

void Worker::send(std::span<const Request> batch) {
  requireUsable("send");
  auto expected = answerShapes(batch);
  const uint64_t maxPayload = maxAnswerBytes(expected);
  queue(encodeRun(batch), maxPayload, std::move(expected));
}

Outcome<Answers> Worker::receive(Deadline deadline) {
  requireUsable("receive");
  if (inFlight_.empty()) throw std::logic_error("Worker::receive with nothing in flight");
  const std::vector<AnswerShape> expected = std::move(inFlight_.front().expected);
  return reply<Answers>(deadline,
                        [&](const Answers& answers) { checkAnswers(expected, answers.answers); });
}

Outcome<Timing> Worker::time(Bytes order, const Request& request, uint32_t repetitions,
                             Deadline deadline) {
  requireIdle("time");
  const std::vector<AnswerShape> expected = answerShapes({&request, 1});
  const uint64_t maxPayload =
      kMaxSmallReply + kNumberBytes * repetitions + maxAnswerBytes(expected);
  return ask<Timing>(std::move(order), maxPayload, deadline,
                     [&](const Timing& timing) { checkTiming(expected[0], repetitions, timing); });
}

Outcome<CopyTiming> Worker::copy(uint64_t bytes, uint32_t repetitions, Deadline deadline) {
  requireIdle("copy");
  return ask<CopyTiming>(encode(Copy{bytes, repetitions}),
                         kMaxSmallReply + 2 * kNumberBytes * repetitions, deadline,
                         checkCopyTiming);
}

Outcome<BareSeconds> Worker::bare(std::span<const Request> requests, Deadline deadline) {
  requireIdle("bare");
  return ask<BareSeconds>(encode(Bare{{requests.begin(), requests.end()}}), kMaxSmallReply,
                          deadline);
}

void Worker::sendProgram(const Program& program) {
  requireUsable("sendProgram");
  AnswerShape shape;
  shape.isProgram = true;
  for (const Call& each : program.calls) {
    if (const auto* get = std::get_if<call::Get>(&each)) shape.outputs.push_back(get->bytes);
  }
  const uint64_t most = maxAnswerBytes({&shape, 1});
  queue(encode(program), most, {std::move(shape)});
}

Outcome<Finished> Worker::finish(Deadline deadline) {
  requireIdle("finish");
  const auto until = now_() + deadline;
  const bool leaving = !peer_->exited();
  queue(encode(Bye{}), 0);
  for (bool exited = false;;) {
    const bool moved = move(sliceOf(until - now_()));
    if (violation_ || incoming_.started()) {
      return conclude(ProtocolViolation{"bytes after the last answer"});
    }
    if (outgoing_.empty()) peer_->closeInput();
    if (exited && !moved) break;  // all its output has been read
    exited = peer_->exited();
    if (!exited && now_() >= until) return conclude(TimedOut{deadline});
  }
  const Ending ending = peer_->end(milliseconds(0));
  retire(milliseconds(0));
  if (!leaving || !ending.clean) return Failure(DiedAfterLastAnswer{ending.how, leaving});
  return Finished{};
}

void Worker::progress() {
  if (usable_) move(milliseconds(0));
}

void Worker::kill() { retire(milliseconds(0)); }

size_t Worker::memory() const {
  size_t bytes = incoming_.memory();
  for (const Bytes& frame : outgoing_) bytes += frame.capacity();
  return bytes;
}

void Worker::queue(Bytes frame, uint64_t maxPayload, std::vector<AnswerShape> expected) {
  inFlight_.push_back({queued_, maxPayload, std::move(expected)});
  if (inFlight_.size() == 1) incoming_.limit(maxPayload);
  queued_ += frame.size();
  outgoing_.push_back(std::move(frame));
  move(milliseconds(0));
}

// Moves bytes, and waits for at most `wait`. True if message bytes moved; ignores stderr.
bool Worker::move(milliseconds wait) {
  std::span<const uint8_t> toWrite;
  if (!outgoing_.empty()) toWrite = std::span(outgoing_.front()).subspan(outgoingDone_);
  // Leaves unexpected bytes in the pipe until they can be judged.
  std::span<uint8_t> toRead;
  if (!inFlight_.empty() && !incoming_.complete() && !violation_) toRead = incoming_.space();

  if (outputEnded_) wait = std::min(wait, kInstant);
  const Peer::Transfer moved = peer_->transfer(toWrite, toRead, wait);
  outputEnded_ = moved.outputEnded;
  written_ += moved.written;
  outgoingDone_ += moved.written;
  if (!outgoing_.empty() && outgoingDone_ == outgoing_.front().size()) {
    outgoing_.pop_front();
    outgoingDone_ = 0;
    moments_.sent = now_();
  }
  if (moved.read > 0) {
    if (!incoming_.started()) moments_.answering = now_();
    try {
      incoming_.commit(moved.read);
    } catch (const ProtocolError& error) {
      violation_ = textInstead().value_or(ProtocolViolation{error.what()});
    }
  }
  return moved.read > 0 || moved.written > 0;
}

// Returns the complaint about a worker that wrote text where a frame must begin: only printable
// characters, or some and the end of a line. No frame is as long as five of them say; before hello,
// which has no order, fewer will do.
std::optional<ProtocolViolation> Worker::textInstead() const {
  constexpr size_t kTooLong = 5;
  std::string begun;
  size_t count = 0;
  size_t line = 0;  // characters of `begun` up to the end of a line
  for (const uint8_t byte : incoming_.header()) {
    if (byte == '\n' || byte == '\t' || byte == '\r') {
      begun += byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : "\\r";
    } else if (byte >= ' ' && byte < 127) {
      begun += static_cast<char>(byte);
    } else {
      break;
    }
    ++count;
    if (byte == '\n') line = begun.size();
  }
  const size_t all = incoming_.header().size();
  const bool isText = count == all && (queued_ == 0 ? count > 0 : count >= kTooLong);
  if (!isText) begun.resize(all == kFrameHeaderBytes ? line : 0);
  if (begun.empty()) return std::nullopt;
  const bool goesOn = count == kFrameHeaderBytes;
  return ProtocolViolation{.text = "it wrote \"" + begun + (goesOn ? "…" : "") +
                                   "\" to standard output, which is for frames only",
                           .isText = true};
}

// Waits for a complete frame.
std::optional<Failure> Worker::await(Deadline deadline) {
  const auto until = now_() + deadline;
  while (!incoming_.complete()) {
    const bool moved = move(sliceOf(until - now_()));
    if (violation_) return conclude(*violation_);
    if (incoming_.complete()) break;
    if (outputEnded_ || (!moved && peer_->exited() && !move(milliseconds(0)))) {
      return concludeEnded(until);
    }
    if (cancel_ && *cancel_) return conclude(Cancelled{});
    if (now_() >= until) return conclude(TimedOut{deadline});
  }
  return std::nullopt;
}

template <class Message, class Check>
Outcome<Message> Worker::reply(Deadline deadline, Check check) {
  if (std::optional<Failure> failure = await(deadline)) return *std::move(failure);
  Reply reply;
  try {
    reply = decodeReply(incoming_.payload());
    if (const auto* message = std::get_if<Message>(&reply)) static_cast<void>(check(*message));
  } catch (const ProtocolError& error) {
    return conclude(ProtocolViolation{plainText(error.what())});
  }
  makePlain(reply);
  incoming_.next();
  inFlight_.pop_front();
  if (!inFlight_.empty()) incoming_.limit(inFlight_.front().maxPayload);
  if (auto* message = std::get_if<Message>(&reply)) return std::move(*message);
  if (auto* trouble = std::get_if<ErrorReply>(&reply)) {
    if (trouble->kind != ErrorReply::Kind::Protocol) {
      const bool badOptions = trouble->kind == ErrorReply::Kind::Options;
      return conclude(TargetUnavailable{trouble->text, badOptions}, kLeave);
    }
    return conclude(ProtocolViolation{trouble->text, true}, kLeave);
  }
  return conclude(ProtocolViolation{"a reply of another kind than what was asked for"});
}

template <class Message, class Check>
Outcome<Message> Worker::ask(Bytes frame, uint64_t maxPayload, Deadline deadline, Check check) {
  queue(std::move(frame), maxPayload);
  return reply<Message>(deadline, check);
}

void Worker::requireUsable(const char* call) const {
  if (!usable_)
    throw std::logic_error(std::string("Worker::") + call + " on a worker that is gone");
  if (!greeted_) throw std::logic_error(std::string("Worker::") + call + " before hello");
}

void Worker::requireIdle(const char* call) const {
  requireUsable(call);
  if (!inFlight_.empty()) {
    throw std::logic_error(std::string("Worker::") + call + " with batches in flight");
  }
}

void Worker::retire(milliseconds grace) {
  peer_->end(grace);
  usable_ = false;
  inFlight_.clear();
  outgoing_.clear();
  incoming_.next();
}

Failure Worker::conclude(Failure failure, milliseconds grace) {
  retire(grace);
  return failure;
}

// Handles a worker that ended or closed its output, but owes a reply.
Failure Worker::concludeEnded(std::chrono::steady_clock::time_point deadline) {
  // Hello is owed without an order. Other orders have begun once the worker took their first byte.
  const uint64_t taken = written_ - std::min<uint64_t>(written_, peer_->unreadInput());
  const bool begun = queued_ == 0 || taken > inFlight_.front().begins || incoming_.started();
  const bool inFrame = incoming_.started();
  const auto until = std::clamp(deadline, now_() + kExit, now_() + kLeave);
  while (!peer_->exited() && now_() < until) peer_->transfer({}, {}, kInstant);
  const bool exited = peer_->exited();
  const Ending ending = peer_->end(milliseconds(0));
  if (!exited) return conclude(ProtocolViolation{"it closed its output and stayed"});
  if (!begun) return conclude(DiedAfterLastAnswer{ending.how, false});
  if (auto text = textInstead()) return conclude(*text);
  return conclude(Crashed{inFrame ? ending.how + " inside a frame" : ending.how});
}

std::string describe(const Failure& failure) { return std::visit(Describer{}, failure); }

}  // namespace dmlcts::gpu
