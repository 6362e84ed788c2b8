#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/serve.h"

// Test only: a worker with the manner that its first argument names, mostly a misbehaviour.

namespace dmlcts::gpu {
namespace {

void put(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0) std::_Exit(9);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void print(std::string_view text) {
  put({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

void hello() {
  Hello hello;
  hello.identity.target = "hostile";
  put(encode(hello));
}

std::vector<Request> batch() {
  FrameReader frame;
  while (!frame.complete()) {
    const auto space = frame.space();
    const ssize_t count = ::read(STDIN_FILENO, space.data(), space.size());
    if (count <= 0) std::_Exit(8);
    frame.commit(static_cast<size_t>(count));
  }
  static ProgramState program;
  Order order = decodeOrder(frame.payload(), program);
  if (auto* run = std::get_if<Run>(&order)) return std::move(run->requests);
  return {};
}

std::vector<Answer> answers(const std::vector<Request>& requests) {
  std::vector<Answer> result;
  for (const Request& request : requests) result.push_back(untouched(request));
  return result;
}

void take() { batch(); }
void answer() { put(encodeAnswers(answers(batch()))); }

template <int status>
void leave() {
  std::_Exit(status);
}

template <uint8_t... bytes>
void send() {
  put(Bytes{bytes...});
}

void sendForever() {
  for (;;) put(Bytes(65536));
}

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) std::_Exit(9);
}

void sleepForever() {
  ::signal(SIGTERM, SIG_IGN);
  for (;;) ::pause();
}

// Starts a process that only a subreaper connects to this one: its own session, parent gone,
// streams closed. Prints its id on stderr.
void startDaemon() {
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::setsid();
    if (::fork() != 0) std::_Exit(0);
    ::setsid();
    say("daemon " + std::to_string(::getpid()) + "\n");
    for (int fd = 0; fd < 3; ++fd) ::close(fd);
    sleepForever();
  }
  ::waitpid(parent, nullptr, 0);
}

void segfault() {
  ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would exit instead
  ::raise(SIGSEGV);
  std::abort();
}

// Prints to stdout, as drivers do.
class NoisyTarget : public UntouchedTarget {
 public:
  std::vector<Answer> run(std::span<const Request> requests) override {
    std::printf("a driver prints with stdio\n");
    std::fflush(stdout);
    const char text[] = "a driver prints without\n";
    if (::write(STDOUT_FILENO, text, sizeof text - 1) < 0) throw std::runtime_error("no stdout");
    if (std::getchar() != EOF) throw std::runtime_error("stdin was not empty");
    return UntouchedTarget::run(requests);
  }
};

// Says times that no execution takes, in `picoseconds`; kEndless stands for 1e308 nanoseconds.
constexpr int kEndless = -1;
template <int picoseconds>
class TimelessTarget : public UntouchedTarget {
 public:
  Timing time(const Request& request, uint32_t repetitions, uint64_t evict) override {
    Timing timing = UntouchedTarget::time(request, repetitions, evict);
    timing.nanoseconds.back() = picoseconds == kEndless ? 1e308 : picoseconds * 1e-3;
    return timing;
  }
};

template <class Hosted>
void host() {
  const StandardStreams streams = takeStandardStreams();
  std::exit(serve([] { return std::make_unique<Hosted>(); }, *streams.in, *streams.out));
}

template <ErrorReply::Kind kind>
std::function<void()> complain(const char* text) {
  return [text] { put(encode(ErrorReply{kind, text})); };
}

using Steps = std::vector<std::function<void()>>;

// Says hello, takes a batch, answers it with the answers that `spoil` changed, and waits.
Steps spoiled(const std::function<void(std::vector<Answer>&)>& spoil) {
  const auto answerSpoiled = [spoil] {
    auto all = answers(batch());
    spoil(all);
    put(encodeAnswers(all));
  };
  return {hello, answerSpoiled, take};
}

void sayMuch() {
  const std::string line = std::string(1023, 'e') + '\n';
  for (int i = 0; i < 20'000; ++i) say(line);
}

const std::map<std::string, Steps> kManners{
    {"behaves", {host<UntouchedTarget>}},
    {"no-time", {host<TimelessTarget<0>>}},
    {"endless-time", {host<TimelessTarget<kEndless>>}},
    {"noisy", {host<NoisyTarget>}},
    {"unmakable", {complain<ErrorReply::Kind::Target>("no such adapter"), leave<3>}},
    {"broken", {hello, take, complain<ErrorReply::Kind::Target>("the device is gone"), leave<3>}},
    {"garbage-hello", {send<4, 0, 0, 0, 0, 0, 0, 0, 'o', 'o', 'p', 's'>, sleepForever}},
    {"text-hello", {[] { print("wine: cannot find it\n"); }, sleepForever}},
    {"text-later", {hello, take, [] { print("vkQueueSubmit failed\n"); }, sleepForever}},
    {"text-at-the-end", {hello, take, [] { print("error"); }, leave<3>}},
    {"line-before-an-answer", {hello, [] { print("ok\n"); }, answer, sleepForever}},
    {"other-version", {[] { put(encode(Hello{kProtocolVersion + 1, {}})); }, sleepForever}},
    {"long-hello",
     {[] {
        Hello hello;
        for (int i = 0; i < 256; ++i) hello.identity.limits[std::to_string(i)].assign(16384, 'x');
        put(encode(hello));
      },
      sleepForever}},
    {"silent-start", {sleepForever}},
    {"exit-at-start", {[] { say("cannot load libd3d12.so\n"); }, leave<3>}},
    {"garbage-frame", {hello, take, send<3, 0, 0, 0, 0, 0, 0, 0, 0x82, 0x61, 'x'>, sleepForever}},
    {"huge-length", {hello, take, send<0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0>, sendForever}},
    {"other-reply", {hello, take, [] { put(encode(BareSeconds{1})); }, sleepForever}},
    {"wrong-id", spoiled([](auto& all) { all[1].id = 99; })},
    {"wrong-count", spoiled([](auto& all) { all.pop_back(); })},
    {"wrong-size", spoiled([](auto& all) { all[1].outputs[0].pop_back(); })},
    {"wrong-input-size", spoiled([](auto& all) { all[0].inputs[1].pop_back(); })},
    {"no-inputs", spoiled([](auto& all) { all[1].inputs.clear(); })},
    {"wrong-buffer-count", spoiled([](auto& all) { all[0].outputs.emplace_back(); })},
    {"not-executed", spoiled([](auto& all) { all[0] = {{}, all[0].id, Status::Created, 0, ""}; })},
    {"refuse",
     {hello, take, complain<ErrorReply::Kind::Protocol>("run: I do not like it"), leave<2>}},
    {"half-frame",
     {hello,
      [] {
        const Bytes frame = encodeAnswers(answers(batch()));
        put(std::span(frame).first(frame.size() / 2));
      },
      leave<0>}},
    {"early-end", {hello, take, leave<0>}},
    {"close-and-stay", {hello, take, [] { ::close(STDOUT_FILENO); }, sleepForever}},
    {"endless-stdout", {hello, take, sendForever}},
    {"answer-and-more",
     {hello, answer,
      [] {
        for (;;) put(encodeAnswers({}));
      }}},
    {"endless-stderr",
     {hello,
      [] {
        const auto requests = batch();
        sayMuch();
        put(encodeAnswers(answers(requests)));
        for (;;) sayMuch();
      }}},
    {"hang", {hello, take, sleepForever}},
    {"segfault", {hello, take, segfault}},
    {"exit-3", {hello, take, leave<3>}},
    {"die-after-answer", {hello, answer, segfault}},
    {"die-before-second",  // the batch stays in the pipe, untouched
     {hello, answer,
      [] {
        pollfd orders{STDIN_FILENO, POLLIN, 0};
        ::poll(&orders, 1, -1);
      },
      segfault}},
    {"die-at-bye", {hello, answer, take, segfault}},
    {"exit-3-at-bye", {hello, answer, take, leave<3>}},
    {"leave-untold", {hello, answer, leave<0>}},
    {"stay-after-bye", {hello, answer, take, sleepForever}},
    {"daemon-and-answer", {hello, startDaemon, answer, take}},
    {"daemon-and-hang", {hello, startDaemon, take, sleepForever}},
    {"daemon-and-segfault", {hello, startDaemon, take, segfault}},
    {"heir",  // ends, but its child keeps the streams open
     {hello, take,
      [] {
        if (::fork() == 0) sleepForever();
      },
      leave<5>}},
};

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) {
  const auto manner = dmlcts::gpu::kManners.find(argc > 1 ? argv[1] : "");
  if (manner == dmlcts::gpu::kManners.end()) return 64;
  for (const auto& step : manner->second) step();
  return 0;
}
