#include "gpu/worker/answer_shape.h"

#include <string>
#include <string_view>

#include "gpu/wire/cbor.h"
#include "gpu/wire/path.h"

namespace dmlcts::gpu {
namespace {

constexpr uint64_t kAnswerBytes = kMaxTextBytes + 512;  // without buffers; generous

void checkBuffers(Path& path, std::string_view member, const std::vector<uint64_t>& expected,
                  const std::vector<std::vector<uint8_t>>& buffers) {
  path.enter(member);
  if (buffers.size() != expected.size()) {
    path.fail(std::to_string(buffers.size()) + " buffers where the request has " +
              std::to_string(expected.size()));
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    path.enter(i);
    if (buffers[i].size() != expected[i]) {
      path.fail(std::to_string(buffers[i].size()) + " bytes where the request's buffer has " +
                std::to_string(expected[i]));
    }
    path.leave();
  }
  path.leave();
}

// Checks that the request was executed in its modes, and as often as they require.
void checkMode(Path& path, const AnswerShape& expected, const Answer& answer) {
  const auto text = [](const Modes& modes) {
    return modes.empty() ? "the ordinary mode" : "mode " + name(modes);
  };
  if (answer.modes != expected.modes) {
    path.fail("mode", "executed in " + text(answer.modes) + " where " + text(expected.modes) +
                          " was asked for");
  }
  const size_t more = executionsOf(expected.modes) - 1;
  if (answer.more.size() != more) {
    path.fail("more", std::to_string(answer.more.size()) + " executions where the mode has " +
                          std::to_string(more));
  }
  path.enter("more");
  for (size_t i = 0; i < more; ++i) {
    path.enter(i);
    checkBuffers(path, "outputs", expected.outputs, answer.more[i].outputs);
    checkBuffers(path, "inputs", expected.inputs, answer.more[i].inputs);
    path.leave();
  }
  path.leave();
}

void checkAnswer(Path& path, const AnswerShape& expected, const Answer& answer) {
  if (answer.id != expected.id && !expected.isProgram) {
    path.fail("id",
              std::to_string(answer.id) + " where " + std::to_string(expected.id) + " was asked");
  }
  if (answer.status == Status::Executed) {
    if (!expected.execute) path.fail("status", "executed, which was not asked for");
    checkBuffers(path, "outputs", expected.outputs, answer.outputs);
    checkBuffers(path, "inputs", expected.inputs, answer.inputs);
    checkMode(path, expected, answer);
  } else if (answer.status == Status::Created && expected.execute) {
    path.fail("status", "created though execution was asked for");
  }
}

// Nanoseconds that an execution can take: rates and ratios of them stay printable.
constexpr double kLeastTime = 1e-3;
constexpr double kMostTime = 1e18;

void checkTimes(Path& path, const char* member, const std::vector<double>& times, double least) {
  for (const double time : times) {
    if (time >= least && time <= kMostTime) continue;
    path.fail(member, "a number of nanoseconds that no execution takes");
  }
}

}  // namespace

std::vector<AnswerShape> answerShapes(std::span<const Request> requests) {
  std::vector<AnswerShape> expected;
  expected.reserve(requests.size());
  for (const Request& request : requests) {
    AnswerShape& entry = expected.emplace_back();
    entry.id = request.id;
    entry.execute = request.execute;
    entry.modes = request.modes;
    for (const BufferImage& image : request.inputs) entry.inputs.push_back(image.bytes.size());
    for (const BufferImage& image : request.outputs) entry.outputs.push_back(image.bytes.size());
  }
  return expected;
}

uint64_t maxAnswerBytes(std::span<const AnswerShape> expected) {
  uint64_t bytes = kAnswerBytes;
  for (const AnswerShape& entry : expected) {
    uint64_t execution = kAnswerBytes;
    for (uint64_t size : entry.inputs) execution += size;
    for (uint64_t size : entry.outputs) execution += size;
    bytes += execution * executionsOf(entry.modes);
  }
  return bytes;
}

void checkAnswers(std::span<const AnswerShape> expected, std::span<const Answer> answers) {
  Path path("answers.answers");
  if (answers.size() != expected.size()) {
    path.fail(std::to_string(answers.size()) + " answers to " + std::to_string(expected.size()) +
              " requests");
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    path.enter(i);
    checkAnswer(path, expected[i], answers[i]);
    path.leave();
  }
}

void checkCopyTiming(const CopyTiming& timing) {
  Path path("copied");
  checkTimes(path, "kernel", timing.kernel, kLeastTime);
  checkTimes(path, "region", timing.region, kLeastTime);
  checkTimes(path, "dispatch", timing.dispatch, 0);
}

void checkTiming(const AnswerShape& expected, uint32_t repetitions, const Timing& timing) {
  Path path("timing");
  if (timing.status == Status::Executed) {
    if (!expected.execute) path.fail("status", "executed, which was not asked for");
    checkBuffers(path, "outputs", expected.outputs, timing.outputs);
    if (timing.nanoseconds.size() != repetitions) {
      path.fail("nanoseconds", std::to_string(timing.nanoseconds.size()) + " times where " +
                                   std::to_string(repetitions) + " were asked for");
    }
    checkTimes(path, "nanoseconds", timing.nanoseconds, kLeastTime);
    for (const PassTime& pass : timing.passes) checkTimes(path, "passes", {pass.nanoseconds}, 0);
  } else if (timing.status == Status::Created && expected.execute) {
    path.fail("status", "created though execution was asked for");
  }
}

}  // namespace dmlcts::gpu
