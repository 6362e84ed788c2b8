#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/wire/test/example_messages.h"

// Test only: a worker with the misbehaviour that its first argument names.

namespace dmlcts::gpu {
namespace {

void put(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0) std::_Exit(9);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
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
  Order order = decodeOrder(frame.payload());
  if (auto* run = std::get_if<Run>(&order)) return std::move(run->requests);
  return {};
}

std::vector<Answer> answers(const std::vector<Request>& requests) {
  std::vector<Answer> result;
  for (const Request& request : requests) result.push_back(untouched(request));
  return result;
}

// Says hello, takes a batch, answers it with the answers that `spoil` changed, and waits.
void answerSpoiled(const std::function<void(std::vector<Answer>&)>& spoil) {
  hello();
  auto result = answers(batch());
  spoil(result);
  put(encodeAnswers(result));
  batch();
}

[[noreturn]] void sleepForever() {
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
    const std::string line = "daemon " + std::to_string(::getpid()) + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) std::_Exit(9);
    for (int fd = 0; fd < 3; ++fd) ::close(fd);
    sleepForever();
  }
  ::waitpid(parent, nullptr, 0);
}

[[noreturn]] void segfault() {
  ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would exit instead
  ::raise(SIGSEGV);
  std::abort();
}

const std::map<std::string, std::function<void()>> kManners{
    {"garbage-hello",
     [] {
       put(Bytes{4, 0, 0, 0, 0, 0, 0, 0, 'o', 'o', 'p', 's'});
       sleepForever();
     }},
    {"text-hello",
     [] {
       const std::string text = "wine: cannot find it\n";
       put({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
       sleepForever();
     }},
    {"other-version",
     [] {
       put(encode(Hello{kProtocolVersion + 1, {}}));
       sleepForever();
     }},
    {"long-hello",
     [] {
       Hello hello;
       for (int i = 0; i < 256; ++i) hello.identity.limits[std::to_string(i)].assign(16384, 'x');
       put(encode(hello));
       sleepForever();
     }},
    {"silent-start", [] { sleepForever(); }},
    {"exit-at-start",
     [] {
       const char text[] = "cannot load libd3d12.so\n";
       if (::write(STDERR_FILENO, text, sizeof text - 1) < 0) std::_Exit(9);
       std::_Exit(3);
     }},
    {"garbage-frame",
     [] {
       hello();
       batch();
       put(Bytes{3, 0, 0, 0, 0, 0, 0, 0, 0x82, 0x61, 'x'});
       sleepForever();
     }},
    {"huge-length",
     [] {
       hello();
       batch();
       put(Bytes{0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0});
       for (;;) put(Bytes(65536));
     }},
    {"other-reply",
     [] {
       hello();
       batch();
       put(encode(BareSeconds{1}));
       sleepForever();
     }},
    {"wrong-id", [] { answerSpoiled([](auto& all) { all[1].id = 99; }); }},
    {"wrong-count", [] { answerSpoiled([](auto& all) { all.pop_back(); }); }},
    {"wrong-size", [] { answerSpoiled([](auto& all) { all[1].outputs[0].pop_back(); }); }},
    {"wrong-input-size", [] { answerSpoiled([](auto& all) { all[0].inputs[1].pop_back(); }); }},
    {"no-inputs", [] { answerSpoiled([](auto& all) { all[1].inputs.clear(); }); }},
    {"wrong-buffer-count", [] { answerSpoiled([](auto& all) { all[0].outputs.emplace_back(); }); }},
    {"not-executed",
     [] {
       answerSpoiled([](auto& all) { all[0] = Answer{all[0].id, Status::Created, 0, "", {}, {}}; });
     }},
    {"refuse",
     [] {
       hello();
       batch();
       put(encode(ErrorReply{ErrorReply::Kind::Protocol, "run: I do not like it"}));
       std::_Exit(2);
     }},
    {"half-frame",
     [] {
       hello();
       const Bytes frame = encodeAnswers(answers(batch()));
       put(std::span(frame).first(frame.size() / 2));
       std::_Exit(0);
     }},
    {"early-end",
     [] {
       hello();
       batch();
       std::_Exit(0);
     }},
    {"close-and-stay",
     [] {
       hello();
       batch();
       ::close(STDOUT_FILENO);
       sleepForever();
     }},
    {"endless-stdout",
     [] {
       hello();
       batch();
       for (;;) put(Bytes(65536));
     }},
    {"answer-and-more",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       for (;;) put(encodeAnswers({}));
     }},
    {"endless-stderr",
     [] {
       hello();
       const auto requests = batch();
       const std::string line(1023, 'e');
       for (int i = 0; i < 20'000; ++i) {
         if (::write(STDERR_FILENO, (line + '\n').data(), 1024) < 0) std::_Exit(9);
       }
       put(encodeAnswers(answers(requests)));
       for (;;) {
         if (::write(STDERR_FILENO, (line + '\n').data(), 1024) < 0) std::_Exit(9);
       }
     }},
    {"hang",
     [] {
       hello();
       batch();
       sleepForever();
     }},
    {"segfault",
     [] {
       hello();
       batch();
       segfault();
     }},
    {"exit-3",
     [] {
       hello();
       batch();
       std::_Exit(3);
     }},
    {"die-after-answer",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       segfault();
     }},
    {"die-before-second",  // the batch stays in the pipe, untouched
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       pollfd orders{STDIN_FILENO, POLLIN, 0};
       ::poll(&orders, 1, -1);
       segfault();
     }},
    {"die-at-bye",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       batch();
       segfault();
     }},
    {"exit-3-at-bye",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       batch();
       std::_Exit(3);
     }},
    {"leave-untold",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       std::_Exit(0);
     }},
    {"stay-after-bye",
     [] {
       hello();
       put(encodeAnswers(answers(batch())));
       batch();
       sleepForever();
     }},
    {"daemon-and-answer",
     [] {
       hello();
       startDaemon();
       put(encodeAnswers(answers(batch())));
       batch();
     }},
    {"daemon-and-hang",
     [] {
       hello();
       startDaemon();
       batch();
       sleepForever();
     }},
    {"daemon-and-segfault",
     [] {
       hello();
       startDaemon();
       batch();
       segfault();
     }},
    {"heir",  // ends, but its child keeps the streams open
     [] {
       hello();
       batch();
       if (::fork() == 0) sleepForever();
       std::_Exit(5);
     }},
};

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) {
  const auto manner = dmlcts::gpu::kManners.find(argc > 1 ? argv[1] : "");
  if (manner == dmlcts::gpu::kManners.end()) return 64;
  manner->second();
  return 0;
}
