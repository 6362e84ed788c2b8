#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "gpu/process/process.h"
#include "gpu/process/start_windows.h"
#include "gpu/process/streams.h"
#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/serve.h"

// Test only: a Windows worker with the fault that its first argument names.
//
//   fault           writes to address 0 in the first batch
//   stack           runs out of stack there
//   abort           calls abort() there
//   fault-at-start  writes to address 0 before our setup
//   fault-at-exit   works normally, but would fault while its libraries are unloaded
//   children        no worker: checks that a worker's grandchildren end with it

namespace dmlcts::gpu {
namespace {

void fault() {
  volatile uintptr_t address = 0;  // volatile, or compilers assume that this never happens
  *reinterpret_cast<volatile int*>(address) = 1;
}

int overflow(int depth) {
  volatile char frame[1 << 18];  // large: what is left of the last one is where Wine reports it
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
}

struct AtExit {
  bool armed = false;
  ~AtExit() {
    if (armed) fault();
  }
} atExit;

class FaultyTarget : public Target {
 public:
  explicit FaultyTarget(std::string manner) : manner_(std::move(manner)) {}

  Identity identity() override { return {}; }

  std::vector<Answer> run(std::span<const Request> requests) override {
    if (manner_ == "fault") fault();
    if (manner_ == "stack") overflow(0);
    if (manner_ == "abort") std::abort();
    std::vector<Answer> answers;
    for (const Request& request : requests) answers.push_back(untouched(request));
    return answers;
  }

  Timing time(const Request&, uint32_t, uint64_t) override { return {}; }
  double bareSeconds(std::span<const Request>) override { return 0; }

 private:
  std::string manner_;
};

std::string ownPath() {
  std::string path(32768, '\0');
  path.resize(GetModuleFileNameA(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

// Starts this program with that argument, detached from this process.
DWORD startDetached(const std::string& manner) {
  std::string line = "\"" + ownPath() + "\" " + manner;
  STARTUPINFOA startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION started{};
  const DWORD flags = DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
  if (!CreateProcessA(nullptr, line.data(), nullptr, nullptr, FALSE, flags, nullptr, nullptr,
                      &startup, &started)) {
    return 0;
  }
  CloseHandle(started.hThread);
  CloseHandle(started.hProcess);
  return started.dwProcessId;
}

int sleepForever() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// A worker that leaves a grandchild running.
int parent() {
  std::fprintf(stderr, "%lu\n", static_cast<unsigned long>(startDetached("sleep")));
  std::fflush(stderr);
  return sleepForever();
}

int children() {
  Handle child;
  {
    Process worker({{ownPath(), "parent"}, {}});
    std::string words;
    while (words.find('\n') == words.npos && !worker.exited()) {
      worker.transfer({}, {}, {});
      words += worker.takeStderr();
    }
    child = Handle(OpenProcess(SYNCHRONIZE, FALSE, std::strtoul(words.c_str(), nullptr, 10)));
    if (!child.open() || WaitForSingleObject(child.get(), 0) != WAIT_TIMEOUT) {
      std::printf("no child was started: %s\n", words.c_str());
      return 1;
    }
  }
  if (WaitForSingleObject(child.get(), 3000) != WAIT_OBJECT_0) {
    std::printf("the child outlives the worker\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) {
  using namespace dmlcts::gpu;
  const std::string manner = argc > 1 ? argv[1] : "";
  if (manner == "fault-at-start") fault();
  if (manner == "children") return children();
  if (manner == "parent") return parent();
  if (manner == "sleep") return sleepForever();
  atExit.armed = manner == "fault-at-exit";
  StandardStreams streams = takeStandardStreams();
  leave(serve([&] { return std::make_unique<FaultyTarget>(manner); }, *streams.in, *streams.out));
}
