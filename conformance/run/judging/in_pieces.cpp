#include "conformance/run/judging/in_pieces.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/hash.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/poison.h"
#include "reference/stream.h"

namespace dmlcts {
namespace {

namespace call = gpu::call;

constexpr uint64_t kAtOnce = uint64_t{1} << 20;        // bytes per thread and step
constexpr uint64_t kVacuousBytes = uint64_t{1} << 16;  // of an input, examined together
constexpr size_t kStepsInFlight = 2;

void onAllProcessors(uint64_t count, const std::function<void(uint64_t)>& work) {
  sideBySide(count, std::thread::hardware_concurrency(), work);
}

// The contents of a case's buffers before execution and the expected contents afterwards, in parts.
class Buffers {
 public:
  Buffers(const Case& testCase, uint64_t id, uint64_t poison)
      : case_(testCase),
        id_(id),
        poison_(poison),
        slots_(tensors(testCase.descriptor)),
        inputs_(streamInputs(testCase)) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      places_.push_back(guardedAt(bindingOffset(testCase, i), slots_[i].desc->totalBytes));
    }
    std::vector<InputElements> elements;
    for (const auto& input : inputs_) {
      elements.emplace_back(
          [&input](uint64_t first, std::span<uint64_t> bits) { input->elements(first, bits); });
    }
    outputs_ = stream(testCase.descriptor, std::move(elements), onAllProcessors);
  }

  size_t count() const { return slots_.size(); }
  size_t inputs() const { return inputs_.size(); }
  const TensorSlot& slot(size_t buffer) const { return slots_[buffer]; }
  const Placement& place(size_t buffer) const { return places_[buffer]; }

  // Fills `part` with the buffer's initial contents from `at`.
  void fill(size_t buffer, uint64_t at, std::span<uint8_t> part) const {
    inAtOnce(part.size(), [&](uint64_t first, uint64_t count) {
      fillOne(buffer, at + first, part.subspan(first, count),
              expectedOf(buffer, at + first, count));
    });
  }

  // Adds the differences between `actual` and the expected contents of the part.
  void compare(size_t buffer, uint64_t at, std::span<const uint8_t> actual, Comparison& comparison,
               bool& anyIsDefined) const {
    std::vector<Comparison> parts((actual.size() + kAtOnce - 1) / kAtOnce);
    std::atomic<bool> defined = false;
    inAtOnce(actual.size(), [&](uint64_t first, uint64_t count) {
      const ReferenceOutput expected = expectedOf(buffer, at + first, count);
      std::vector<uint8_t> sent(count);
      fillOne(buffer, at + first, sent, expected);
      const BufferPart part{places_[buffer], at + first, sent, actual.subspan(first, count)};
      if (slots_[buffer].isOutput) {
        compareOutput(slots_[buffer], part, expected, parts[first / kAtOnce]);
        if (!defined && anyDefined(expected)) defined = true;
      } else {
        compareInput(slots_[buffer], part, parts[first / kAtOnce]);
      }
    });
    for (Comparison& part : parts) add(comparison, std::move(part));
    anyIsDefined = anyIsDefined || defined;
  }

  std::string vacuous(bool anyIsDefined) const {
    if (!anyIsDefined) return std::string(kNothingDefined);
    // Parts overlap by one element: if each part has equal elements, so has the whole.
    const uint64_t total = slots_[0].desc->totalBytes;
    std::string because;
    std::vector<uint8_t> bytes;
    for (uint64_t at = 0; at < total; at += kVacuousBytes) {
      bytes.resize(std::min(total - at, kVacuousBytes + 8));
      inputs_[0]->bytes(at, bytes);
      because = vacuousInput(case_.descriptor, bytes);
      if (because.empty()) return because;
    }
    return because;
  }

 private:
  static void inAtOnce(uint64_t bytes, const std::function<void(uint64_t, uint64_t)>& work) {
    onAllProcessors((bytes + kAtOnce - 1) / kAtOnce,
                    [&](uint64_t i) { work(i * kAtOnce, std::min(kAtOnce, bytes - i * kAtOnce)); });
  }

  // Returns the expected tensor bytes in a part of an output; nothing for an input.
  ReferenceOutput expectedOf(size_t buffer, uint64_t at, uint64_t count) const {
    const Placement::Range range = places_[buffer].tensorIn(at, count);
    if (!slots_[buffer].isOutput || range.count == 0) return {};
    return outputs_->part(buffer - inputs_.size(), range.first, range.count);
  }

  // Uses the seeds of prepare() and poisonAgain().
  void fillOne(size_t buffer, uint64_t at, std::span<uint8_t> part,
               const ReferenceOutput& expected) const {
    const Placement& place = places_[buffer];
    if (slots_[buffer].isOutput) {
      const uint64_t seed = mix64(mix64(poison_ + id_) + buffer);
      fillGuards(place, at, part, seed);
      fillPoison(slots_[buffer].desc->type, expected, place, at, part, seed);
      return;
    }
    fillGuards(place, at, part, case_.seed + buffer);
    const Placement::Range range = place.tensorIn(at, part.size());
    if (range.count == 0) return;
    inputs_[buffer]->bytes(range.first, part.subspan(place.offset + range.first - at, range.count));
  }

  const Case& case_;
  uint64_t id_;
  uint64_t poison_;
  std::vector<TensorSlot> slots_;
  std::vector<Placement> places_;
  std::vector<std::unique_ptr<StreamedInput>> inputs_;
  std::unique_ptr<OutputStream> outputs_;
};

// One case's exchange with a worker: a program of one operator whose buffers are put and read in
// pieces. Each tensor has its own buffer, because some runtimes cannot view a place far inside a
// shared one. Once the worker fails, nothing more is sent.
class Conversation {
 public:
  Conversation(gpu::Worker& worker, const Buffers& buffers, const PiecesOptions& options)
      : worker_(worker), buffers_(buffers), options_(options) {}

  // Returns the answer without buffers.
  gpu::Answer run(Level level, const Descriptor& descriptor) {
    std::vector<gpu::Call> calls{call::Create{level, descriptor}};
    call::Bind bind;
    for (uint32_t i = 0; i < buffers_.count(); ++i) {
      const Placement& place = buffers_.place(i);
      calls.push_back(call::Buffer{i, place.bytes});
      (buffers_.slot(i).isOutput ? bind.outputs : bind.inputs).push_back({i, place.offset});
    }
    calls.push_back(std::move(bind));
    send(std::move(calls));
    if (!took()) return answer_;
    forEachPiece([&](uint32_t buffer, uint64_t at, uint64_t count) {
      call::Put put{{buffer, at}, std::vector<uint8_t>(count)};
      buffers_.fill(buffer, at, put.data);
      if (worker_.inFlight() == kStepsInFlight && !took()) return;
      send({std::move(put)});
    });
    send({call::Execute{}, call::Wait{}});
    while (!failure_ && worker_.inFlight() > 0) took();
    return answer_;
  }

  // Calls visit(buffer, at, bytes) for all buffer contents, in order. Returns the answer to a
  // failed read, or nothing.
  template <class Visit>
  std::optional<gpu::Answer> read(const Visit& visit) {
    std::deque<gpu::Place> wanted;
    const auto takeOne = [&] {
      if (took()) visit(wanted.front().buffer, wanted.front().offset, answer_.outputs.front());
      wanted.pop_front();
    };
    forEachPiece([&](uint32_t buffer, uint64_t at, uint64_t count) {
      if (wanted.size() == kStepsInFlight) takeOne();
      send({call::Get{{buffer, at}, count}});
      wanted.push_back({buffer, at});
    });
    while (!failure_ && !wanted.empty()) takeOne();
    return executed() ? std::nullopt : std::optional(answer_);
  }

  // Ends the program. Returns the worker's failure, if it failed.
  std::optional<gpu::Failure> close() {
    if (!failure_) {
      worker_.sendProgram(gpu::Program{});
      took();
    }
    return failure_;
  }

 private:
  bool executed() const { return !failure_ && answer_.status == gpu::Status::Executed; }

  // Calls visit(buffer, at, count) for each piece of all buffers until the program fails.
  template <class Visit>
  void forEachPiece(const Visit& visit) const {
    for (uint32_t buffer = 0; buffer < buffers_.count(); ++buffer) {
      const uint64_t bytes = buffers_.place(buffer).bytes;
      for (uint64_t at = 0; at < bytes && executed(); at += options_.piece) {
        visit(buffer, at, std::min(options_.piece, bytes - at));
      }
    }
  }

  void send(std::vector<gpu::Call> calls) {
    if (!failure_) worker_.sendProgram({std::move(calls), true});
  }

  // Receives an answer. False if the worker has failed, or the program, which the worker then
  // answers again.
  bool took() {
    auto outcome = worker_.receive(options_.timeout);
    if (auto* failure = std::get_if<gpu::Failure>(&outcome)) {
      failure_ = std::move(*failure);
      return false;
    }
    answer_ = std::move(std::get<gpu::Answers>(outcome).answers.front());
    return executed();
  }

  gpu::Worker& worker_;
  const Buffers& buffers_;
  const PiecesOptions& options_;
  gpu::Answer answer_;  // the last
  std::optional<gpu::Failure> failure_;
};

}  // namespace

void sideBySide(uint64_t count, uint64_t threads, const std::function<void(uint64_t)>& work) {
  threads = std::min(count, threads);
  if (threads <= 1) return oneByOne(count, work);
  std::atomic<uint64_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr error;
  const auto serve = [&] {
    try {
      for (uint64_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (uint64_t i = 1; i < threads; ++i) others.emplace_back(serve);
  serve();
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

bool isTooLargeForMessages(const Case& testCase) {
  return testCase.expect == Expect::Execute && tensorBytes(testCase) > kMostWholeBytes &&
         !streamProblem(testCase);
}

uint64_t bufferBytes(const Case& testCase) {
  uint64_t bytes = 0;
  const auto slots = tensors(testCase.descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    bytes += guardedAt(bindingOffset(testCase, i), slots[i].desc->totalBytes).bytes;
  }
  return bytes;
}

gpu::Outcome<Judgement> runInPieces(gpu::Worker& worker, const Case& testCase,
                                    const Descriptor& descriptor, const PiecesOptions& options) {
  const Buffers buffers(testCase, options.id, options.poison);
  Conversation conversation(worker, buffers, options);
  gpu::Answer answer = conversation.run(testCase.level, descriptor);
  Comparison comparison;
  bool anyIsDefined = false;
  const bool executed = answer.status == gpu::Status::Executed;
  if (executed) {
    const auto unread =
        conversation.read([&](size_t buffer, uint64_t at, std::span<const uint8_t> bytes) {
          buffers.compare(buffer, at, bytes, comparison, anyIsDefined);
        });
    if (unread) answer = *unread;
  }
  const bool held = tensorBytes(testCase) <= kMostHeldBytes;
  if (executed && comparison.wrongElements > 0 && held) {
    const size_t inputs = buffers.inputs();
    answer.inputs.resize(inputs);
    answer.outputs.resize(buffers.count() - inputs);
    const auto unread =
        conversation.read([&](size_t buffer, uint64_t, std::span<const uint8_t> bytes) {
          auto& whole = buffer < inputs ? answer.inputs[buffer] : answer.outputs[buffer - inputs];
          whole.insert(whole.end(), bytes.begin(), bytes.end());
        });
    if (const auto failure = conversation.close()) return *failure;
    if (unread) return judgeSteps(testCase, *unread, {}, {}, options.judging);
    const PreparedCase prepared = prepare(testCase, options.id, 1, options.poison);
    Judgement whole = judge(prepared, {&answer, 1}, options.judging);
    if (whole.verdict == Verdict::Pass) {
      throw std::logic_error("buffers that differ in pieces and not as a whole");
    }
    return whole;
  }
  if (const auto failure = conversation.close()) return *failure;
  return judgeSteps(
      testCase, answer, std::move(comparison), [&] { return buffers.vacuous(anyIsDefined); },
      options.judging);
}

}  // namespace dmlcts
