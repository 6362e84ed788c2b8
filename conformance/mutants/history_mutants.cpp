// Mutants whose faults depend on what else happens: on the requests that their process has had, on
// other workers, or on chance. By itself, each case passes in a new process.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#endif

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr auto kOutOfMemory = static_cast<int32_t>(0x8007000e);  // E_OUTOFMEMORY
constexpr uint64_t kRequest = 500;    // the first faulty one of a process
constexpr uint64_t kOperators = 400;  // that a process can create

void flipOneBit(Passage& passage) {
  gpu::BufferImage& image = passage.outputs.front();
  image.bytes[image.offset] ^= 1;
}

bool isLate(const Passage& passage) { return passage.served + 1 >= kRequest; }

void runOutOfHeaps(std::span<const gpu::Request>, std::vector<gpu::Answer>& answers) {
  static uint64_t created = 0;
  for (gpu::Answer& answer : answers) {
    if (answer.status == gpu::Status::Rejected || ++created <= kOperators) continue;
    gpu::Answer failed;
    failed.id = answer.id;
    failed.status = gpu::Status::Failed;
    failed.hresult = kOutOfMemory;
    failed.message = "CreateDescriptorHeap";
    answer = std::move(failed);
  }
}

void abortAtTheSecond(Passage& passage) {
  static std::vector<Descriptor> executed;
  if (std::ranges::find(executed, passage.request.descriptor) == executed.end()) {
    executed.push_back(passage.request.descriptor);
    return;
  }
  std::fputs("operator.cpp:80: Assertion `!bound_' failed.\n", stderr);
  std::abort();
}

// Swaps the first two rows, in every third execution of a large input.
void loseTheOrder(Passage& passage) {
  static uint64_t executions = 0;
  if (!nonzero(passage.descriptor)) return;
  if (elementCount(inputTensor(passage).sizes).value_or(0) <= 4096) return;
  Rows rows = readRows(passage);
  if (rows.size() < 2 || executions++ % 3 != 0) return;
  std::swap(rows[0], rows[1]);
  writeRows(passage, rows);
}

#ifdef __linux__

// Returns the process that started this one's keeper.
pid_t harness() {
  std::ifstream stat(fmt::format("/proc/{}/stat", ::getppid()));
  std::string name, state;
  pid_t keeper = 0, parent = 0;
  stat >> keeper >> name >> state >> parent;
  return parent;
}

// True while another worker of the same harness has computed and lives. Each locks a byte of the
// program's file; the lock ends with its process.
bool hasCompany() {
  constexpr off_t kMostProcesses = off_t{1} << 23;
  static const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  static const off_t own = harness() * kMostProcesses;
  struct flock lock = {};
  lock.l_whence = SEEK_SET;
  lock.l_type = F_RDLCK;
  lock.l_start = own + ::getpid();
  lock.l_len = 1;
  ::fcntl(file, F_SETLK, &lock);
  lock.l_type = F_WRLCK;
  lock.l_start = own;
  lock.l_len = kMostProcesses;
  return ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

#endif

}  // namespace

std::vector<Mutant> historyMutants() {
  std::vector<Mutant> all{
      {"wrong-from-a-request",
       fmt::format("Is wrong from its process's {}th execution on.", kRequest),
       {},
       {.after =
            [](Passage& passage) {
              if (isLate(passage)) flipOneBit(passage);
            }}},
      {"out-of-heaps",
       fmt::format("Has no descriptor heap after its process's {}th operator.", kOperators),
       {},
       {.onAnswers = runOutOfHeaps},
       {.kinds = {kind::kCallFailed}}},
      {"abort-at-the-second",
       "Aborts when its process executes a descriptor the second time.",
       {},
       {.before = abortAtTheSecond},
       {.verdicts = {Verdict::Crash, Verdict::Flaky}, .kinds = {kind::kCrash}}},
      {"hang-from-a-request",
       fmt::format("Hangs from its process's {}th execution on.", kRequest),
       {},
       {.before =
            [](Passage& passage) {
              while (isLate(passage)) std::this_thread::sleep_for(std::chrono::seconds(1));
            }},
       {.verdicts = {Verdict::Timeout, Verdict::Flaky}, .kinds = {kind::kTimeout}}},
      {"order-by-chance",
       "Loses the order of rows in one of three executions above 4,096 elements.",
       {"nonzero_coordinates.order"},
       {.after = loseTheOrder},
       {.verdicts = {Verdict::Fail, Verdict::Flaky}}},
  };
#ifdef __linux__
  all.push_back({"killed-at-a-request",
                 fmt::format("Is killed by the system at its process's {}th execution.", kRequest),
                 {},
                 {.before =
                      [](Passage& passage) {
                        if (isLate(passage)) std::raise(SIGKILL);
                      }},
                 {.verdicts = {Verdict::Crash, Verdict::Flaky}, .kinds = {kind::kCrash}}});
  all.push_back({"wrong-beside-others",
                 "Is wrong while another worker of the same harness lives.",
                 {},
                 {.after =
                      [](Passage& passage) {
                        if (hasCompany()) flipOneBit(passage);
                      }},
                 {.where = Signs::Where::BesideWorkers}});
#endif
  return all;
}

}  // namespace dmlcts
