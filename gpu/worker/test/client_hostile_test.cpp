#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/client.h"

// A misbehaving worker costs one outcome: no hang, no leak, no signal, no growth.

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

WorkerCommand hostile(const std::string& manner) { return {{DMLCTS_HOSTILE_WORKER, manner}, {}}; }

std::vector<Request> batch() { return {exampleRequest(6), exampleRequest(7)}; }

template <class Reply>
std::string text(const Outcome<Reply>& outcome) {
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure == nullptr ? "answered" : describe(*failure);
}

// A worker that has said hello and was sent a batch.
struct Begun : Worker {
  explicit Begun(const std::string& manner) : Worker(hostile(manner)) {
    EXPECT_EQ(text(hello(60s)), "answered");
    send(batch());
  }
};

// Waits until the condition is true; gives up after a minute.
template <class Condition>
bool eventually(Condition condition) {
  const auto end = Clock::now() + 60s;
  while (!condition() && Clock::now() < end) std::this_thread::yield();
  return condition();
}

bool ends(Worker& worker) {
  return eventually([&] {
    worker.progress();
    return worker.processId() == -1;
  });
}

// Returns the outcome of one batch.
std::string oneBatch(const std::string& manner, std::chrono::milliseconds deadline = 60s) {
  Worker worker(hostile(manner));
  const auto hello = worker.hello(60s);
  if (std::holds_alternative<Failure>(hello)) return "hello: " + text(hello);
  worker.send(batch());
  const auto outcome = worker.receive(deadline);
  EXPECT_EQ(worker.usable(), std::holds_alternative<Answers>(outcome));
  return text(outcome);
}

// Returns the growth of this process's peak memory during the call, in KiB. Empty if the kernel
// does not report it.
template <class Call>
std::optional<int64_t> growth(Call call) {
  const auto status = [](const std::string& key) -> std::optional<int64_t> {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(key)) return std::stoll(line.substr(key.size()));
    }
    return std::nullopt;
  };
  std::ofstream("/proc/self/clear_refs") << "5\n" << std::flush;  // resets the peak
  const auto before = status("VmRSS:");
  call();
  const auto peak = status("VmHWM:");
  if (!before || !peak) return std::nullopt;
  return *peak - *before;
}

TEST(HostileWorker, CostsOneOutcome) {
  const std::string broke = "the worker broke the protocol: ";
  const std::string printed = " to standard output, which is for frames only";
  const std::string answers = broke + "answers.answers";
  struct {
    const char* manner;
    testing::Matcher<std::string> outcome;
  } const attacks[] = {
      {"garbage-hello", "hello: " + broke + "message: a text where an array must be"},
      {"text-hello", "hello: " + broke + "it wrote \"wine: ca…\"" + printed},
      {"text-later", broke + "it wrote \"vkQueueS…\"" + printed},
      {"text-at-the-end", broke + "it wrote \"error\"" + printed},
      {"line-before-an-answer", broke + "it wrote \"ok\\n\"" + printed},
      {"other-version", "hello: " + broke + "the worker speaks version 5, this harness 4"},
      {"long-hello", MatchesRegex("hello: " + broke + "frame: .* bytes, more than the 65536 .*")},
      {"garbage-frame", broke + "message: no message is called \"x\""},
      {"huge-length", StartsWith(broke + "frame: 68719476735 bytes, more than")},
      {"other-reply", broke + "a reply of another kind than what was asked for"},
      {"wrong-id", answers + "[1].id: 99 where 7 was asked"},
      {"wrong-count", answers + ": 1 answers to 2 requests"},
      {"wrong-size", answers + "[1].outputs[0]: 63 bytes where the request's buffer has 64"},
      {"wrong-input-size", answers + "[0].inputs[1]: 39 bytes where the request's buffer has 40"},
      {"no-inputs", answers + "[1].inputs: 0 buffers where the request has 2"},
      {"wrong-buffer-count", answers + "[0].outputs: 2 buffers where the request has 1"},
      {"not-executed", answers + "[0].status: created though execution was asked for"},
      {"refuse", "the worker refused a message: run: I do not like it"},
      {"endless-stdout", broke + "message: the message ends here"},
      {"segfault", "the worker crashed: signal 11 (SIGSEGV)"},
      {"exit-3", "the worker crashed: exit status 3"},
      {"early-end", "the worker crashed: exit status 0"},
      {"half-frame", "the worker crashed: exit status 0 inside a frame"},
      // Its child keeps the streams open; not: did not answer within 10 s.
      {"heir", "the worker crashed: exit status 5"},
  };
  for (const auto& [manner, outcome] : attacks) EXPECT_THAT(oneBatch(manner), outcome) << manner;
}

TEST(HostileWorker, ClosesItsOutputAndStays) {
  Begun worker("close-and-stay");
  int64_t seconds = 0;  // advance each time the clock is read
  worker.readTimeFrom([&] { return Clock::time_point(std::chrono::seconds(++seconds)); });
  EXPECT_EQ(text(worker.receive(std::chrono::hours(1000))),
            "the worker broke the protocol: it closed its output and stayed");

  Begun hurried("close-and-stay");  // costs its deadline
  seconds = 0;
  hurried.readTimeFrom([&] { return Clock::time_point(std::chrono::seconds(++seconds)); });
  EXPECT_EQ(text(hurried.receive(4s)),
            "the worker broke the protocol: it closed its output and stayed");
  EXPECT_LT(seconds, 10);
}

TEST(HostileWorker, DiesAtTheStartAndItsLastWordsAreKept) {
  Worker worker(hostile("exit-at-start"));
  EXPECT_EQ(text(worker.hello(60s)), "the worker crashed: exit status 3");
  EXPECT_EQ(worker.takeStderr(), "cannot load libd3d12.so\n");
}

TEST(HostileWorker, DiesAfterItsLastAnswer) {
  {
    Begun worker("die-before-second");  // the second batch was written but never read
    worker.send(batch());
    EXPECT_EQ(text(worker.receive(60s)), "answered");
    EXPECT_EQ(text(worker.receive(60s)),
              "the worker died after its last answer: signal 11 (SIGSEGV)");
  }
  {
    Begun worker("die-after-answer");  // the second batch finds no reader
    EXPECT_EQ(text(worker.receive(60s)), "answered");
    ASSERT_TRUE(ends(worker));
    worker.send(batch());
    EXPECT_EQ(text(worker.receive(60s)),
              "the worker died after its last answer: signal 11 (SIGSEGV)");
  }
}

// Returns the outcome of telling a worker to exit, perhaps after it has already ended.
std::string finished(const std::string& manner, bool afterItsEnd = false) {
  Begun worker(manner);
  EXPECT_EQ(text(worker.receive(60s)), "answered");
  if (afterItsEnd) {
    EXPECT_TRUE(ends(worker));
  }
  const std::string outcome = text(worker.finish(60s));
  EXPECT_FALSE(worker.usable());
  EXPECT_EQ(worker.processId(), -1);
  return outcome;
}

TEST(HostileWorker, DoesNotLeaveCleanly) {
  EXPECT_EQ(finished("die-at-bye"), "the worker did not exit cleanly: signal 11 (SIGSEGV)");
  EXPECT_EQ(finished("exit-3-at-bye"), "the worker did not exit cleanly: exit status 3");
  EXPECT_EQ(finished("die-after-answer", true),
            "the worker died after its last answer: signal 11 (SIGSEGV)");
  EXPECT_EQ(finished("leave-untold", true), "the worker died after its last answer: exit status 0");
}

TEST(HostileWorker, DiesInTheFirstOfTwoBatches) {
  Begun worker("segfault");
  worker.send(batch());
  EXPECT_EQ(text(worker.receive(60s)), "the worker crashed: signal 11 (SIGSEGV)");
  EXPECT_EQ(worker.inFlight(), 0u);
}

TEST(HostileWorker, TalksAfterItsLastAnswer) {
  Begun worker("answer-and-more");
  EXPECT_EQ(text(worker.receive(60s)), "answered");
  EXPECT_EQ(text(worker.finish(60s)), "the worker broke the protocol: bytes after the last answer");
}

TEST(HostileWorker, HangsAndIsKilledInTime) {
  EXPECT_EQ(oneBatch("hang", 200ms), "the worker did not answer within 200 ms");
  Worker silent(hostile("silent-start"));
  EXPECT_EQ(text(silent.hello(200ms)),
            "the worker sent no hello within 200 ms; hello comes first, unasked");
  Begun stays("stay-after-bye");
  EXPECT_EQ(text(stays.receive(60s)), "answered");
  EXPECT_EQ(text(stays.finish(200ms)), "the worker did not answer within 200 ms");
}

TEST(HostileWorker, WritesEndlesslyToStderr) {
  const auto grown = growth([] {
    Begun worker("endless-stderr");
    EXPECT_EQ(text(worker.receive(60s)), "answered");  // after 20 MB of stderr
    worker.send(batch());
    EXPECT_EQ(text(worker.receive(300ms)), "the worker did not answer within 300 ms");
    const std::string kept = worker.takeStderr();
    EXPECT_THAT(kept, StartsWith("["));
    EXPECT_THAT(kept, HasSubstr(" earlier bytes dropped]\n"));
    EXPECT_GT(kept.size(), 60'000u);
    EXPECT_LT(kept.size(), 66'000u);
  });
  EXPECT_LT(grown.value_or(0), 4 * 1024);
}

TEST(HostileWorker, MakesNobodyAllocate) {
  EXPECT_LT(growth([] { oneBatch("huge-length"); }).value_or(0), 4 * 1024);
  EXPECT_LT(growth([] { oneBatch("endless-stdout"); }).value_or(0), 4 * 1024);
  EXPECT_LT(growth([] { oneBatch("answer-and-more"); }).value_or(0), 4 * 1024);
}

TEST(HostileWorker, GrowthWouldBeSeen) {
  const auto grown = growth([] {
    std::vector<uint8_t> memory(32 * 1024 * 1024, 1);
    EXPECT_EQ(memory[memory.size() / 2], 1);
  });
  EXPECT_GT(grown.value_or(INT64_MAX), 24 * 1024);
}

TEST(HostileWorker, LeavesNoZombieNoDescriptorAndNoSignal) {
  const auto descriptors = [] {
    int count = 0;
    DIR* folder = ::opendir("/proc/self/fd");
    while (folder != nullptr && ::readdir(folder) != nullptr) ++count;
    if (folder != nullptr) ::closedir(folder);
    return count;
  };
  struct sigaction before{};
  ::sigaction(SIGPIPE, nullptr, &before);
  const int open = descriptors();
  for (const char* manner : {"early-end", "hang", "segfault", "garbage-hello", "exit-at-start"}) {
    oneBatch(manner, 100ms);
  }
  {
    Worker worker(hostile("exit-3"));
    ASSERT_EQ(text(worker.hello(60s)), "answered");
    for (int i = 0; i < 3; ++i) worker.send(std::vector{exampleRequest(1, 100'000)});
    EXPECT_TRUE(ends(worker));
    worker.progress();  // writes into a pipe without a reader
    EXPECT_EQ(text(worker.receive(60s)), "the worker crashed: exit status 3");
  }
  EXPECT_EQ(descriptors(), open);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  struct sigaction after{};
  ::sigaction(SIGPIPE, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  sigset_t set;
  ::sigpending(&set);
  EXPECT_EQ(sigismember(&set, SIGPIPE), 0);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &set);
  EXPECT_EQ(sigismember(&set, SIGPIPE), 0);
}

// Returns the process whose id a worker printed on stderr.
pid_t daemonOf(Worker& worker) {
  std::string words;
  EXPECT_TRUE(eventually([&] {
    worker.progress();
    words += worker.takeStderr();
    return words.ends_with("\n");
  }));
  EXPECT_THAT(words, StartsWith("daemon "));
  return words.starts_with("daemon ") ? std::stoi(words.substr(7)) : -1;
}

// True if the process is alive. Dead ones that init has not reaped do not count.
bool exists(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  return stat >> id >> name >> state && state != "Z" && state != "X";
}

TEST(HostileWorker, TakesItsDaemonsAlong) {
  const std::map<std::string, std::string> endings{
      {"daemon-and-answer", "answered"},
      {"daemon-and-hang", "the worker did not answer within 200 ms"},
      {"daemon-and-segfault", "the worker crashed: signal 11 (SIGSEGV)"},
  };
  for (const auto& [manner, ending] : endings) {
    Worker worker(hostile(manner));
    ASSERT_EQ(text(worker.hello(60s)), "answered");
    const pid_t daemon = daemonOf(worker);
    ASSERT_GT(daemon, 0);
    EXPECT_TRUE(exists(daemon)) << manner;
    worker.send(batch());
    EXPECT_EQ(text(worker.receive(manner == "daemon-and-hang" ? 200ms : 60s)), ending);
    if (worker.usable()) {
      EXPECT_EQ(text(worker.finish(60s)), "answered");
    }
    EXPECT_FALSE(exists(daemon)) << manner;
    if (exists(daemon)) ::kill(daemon, SIGKILL);
  }
  pid_t daemon = -1;
  {
    Worker worker(hostile("daemon-and-hang"));
    ASSERT_EQ(text(worker.hello(60s)), "answered");
    daemon = daemonOf(worker);
    ASSERT_GT(daemon, 0);
  }
  EXPECT_FALSE(exists(daemon)) << "destroyed";
  if (exists(daemon)) ::kill(daemon, SIGKILL);
}

// Forks a harness that exits without running destructors, like a killed one.
TEST(HostileWorker, DiesWithTheHarnessAndSoDoItsDaemons) {
  int report[2];
  ASSERT_EQ(::pipe2(report, O_CLOEXEC), 0);
  const pid_t harness = ::fork();
  ASSERT_GE(harness, 0);
  if (harness == 0) {
    Worker worker(hostile("daemon-and-hang"));
    worker.hello(60s);
    const std::array<pid_t, 2> orphans{static_cast<pid_t>(worker.processId()), daemonOf(worker)};
    worker.send(batch());
    if (::write(report[1], &orphans, sizeof orphans) < 0) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  ::close(report[1]);  // else a harness that dies early would leave this waiting forever
  std::array<pid_t, 2> orphans{};
  ASSERT_EQ(::read(report[0], &orphans, sizeof orphans), static_cast<ssize_t>(sizeof orphans));
  EXPECT_EQ(::waitpid(harness, nullptr, 0), harness);
  for (const pid_t orphan : orphans) {
    ASSERT_GT(orphan, 0);
    EXPECT_TRUE(eventually([&] { return !exists(orphan); }));
    if (exists(orphan)) ::kill(orphan, SIGKILL);
  }
  ::close(report[0]);
}

// Returns a worker's keeper, its parent process.
pid_t keeperOf(const Worker& worker) {
  std::ifstream stat("/proc/" + std::to_string(worker.processId()) + "/stat");
  std::string pid, name, state;
  pid_t parent = -1;
  stat >> pid >> name >> state >> parent;
  return parent;
}

TEST(HostileWorker, DiesWithItsKeeper) {
  Begun worker("hang");
  const auto pid = static_cast<pid_t>(worker.processId());
  const pid_t keeper = keeperOf(worker);
  ASSERT_GT(keeper, 1);
  ASSERT_NE(keeper, ::getpid());
  ::kill(keeper, SIGKILL);
  // The worker may or may not have begun the batch.
  const std::string said = text(worker.receive(60s));
  EXPECT_TRUE(said.ends_with(": killed, with the process that keeps it")) << said;
  EXPECT_TRUE(eventually([&] { return !exists(pid); }));
}

}  // namespace
}  // namespace dmlcts::gpu
