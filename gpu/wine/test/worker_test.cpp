#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gpu/process/process.h"
#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/client.h"

// Windows workers under Wine, as the harness sees them. Crashes are reported at once, a worker told
// to exit does so, and DirectML is found wherever it is.

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;
using std::filesystem::path;
using testing::HasSubstr;
using testing::StartsWith;

const path kSource = DMLCTS_SOURCE;

WorkerCommand faulty(const std::string& manner) {
  return {{(kSource / "gpu/wine/run").string(),
           (kSource / "build-windows/bin/faulty_worker.exe").string(), manner},
          {}};
}

WorkerCommand directMl(const std::vector<std::string>& arguments = {}) {
  WorkerCommand command{{(kSource / "gpu/directml/worker").string()}, {}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return command;
}

template <class Reply>
std::string text(const Outcome<Reply>& outcome) {
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure == nullptr ? "answered" : describe(*failure);
}

TEST(WineWorker, CrashesAtOnce) {
  // The exit status is the low byte of an exception's code; abort() gives 3.
  for (const auto& [manner, status] :
       {std::pair{"fault", 5}, std::pair{"stack", 0xfd}, std::pair{"abort", 3}}) {
    Worker worker(faulty(manner));
    ASSERT_EQ(text(worker.hello(60s)), "answered") << manner;
    worker.send(std::vector{exampleRequest(1)});
    EXPECT_EQ(text(worker.receive(60s)),
              "the worker crashed: exit status " + std::to_string(status));
    if (status != 3) {
      EXPECT_THAT(worker.takeStderr(), HasSubstr("exception 0xC00000")) << manner;
    }
  }
}

TEST(WineWorker, CrashesAtOnceBeforeItIsSetUp) {
  Worker worker(faulty("fault-at-start"));
  EXPECT_THAT(text(worker.hello(120s)), StartsWith("the worker crashed: exit status "));
}

TEST(WineWorker, LeavesWithoutUnloading) {
  Worker worker(faulty("fault-at-exit"));
  ASSERT_EQ(text(worker.hello(60s)), "answered");
  worker.send(std::vector{exampleRequest(1)});
  EXPECT_EQ(text(worker.receive(60s)), "answered");
  EXPECT_EQ(text(worker.finish(60s)), "answered");
}

TEST(WineWorker, TakesItsChildrenAlong) {
  Process process(faulty("children"));
  const Ending ending = process.end(60s);
  EXPECT_TRUE(ending.clean) << ending.how << process.takeStderr();
}

TEST(DirectMlWorker, LeavesWhenTold) {
  Worker worker(directMl());
  ASSERT_EQ(text(worker.hello(120s)), "answered") << worker.takeStderr();
  worker.send(std::vector{exampleRequest(1)});
  EXPECT_EQ(text(worker.receive(120s)), "answered");
  EXPECT_EQ(text(worker.finish(60s)), "answered") << worker.takeStderr();
}

// The path that gpu/directml/setup installs to.
path library() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const path folder = cache != nullptr ? path(cache) : path(std::getenv("HOME")) / ".cache";
  return folder / "dmlcts/directml-1.15.4/DirectML.dll";
}

TEST(DirectMlWorker, FindsALibraryWhereverItLies) {
  for (const path& place : {path("/tmp"), path("/var/tmp"), path("/usr/local")}) {
    const path folder = place / "dmlcts worker_test";
    std::filesystem::create_directories(folder);
    const path copy = folder / "Direct ML.dll";
    std::filesystem::copy_file(library(), copy, std::filesystem::copy_options::overwrite_existing);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--directml", copy.string()},
          std::vector<std::string>{"--directml=" + copy.string()}}) {
      Worker worker(directMl(words));
      EXPECT_EQ(text(worker.hello(120s)), "answered") << copy << worker.takeStderr();
    }
    std::filesystem::remove_all(folder);
  }
}

TEST(DirectMlWorker, SaysThatThereIsNoSuchLibrary) {
  Worker worker(directMl({"--directml", "/tmp/no such/DirectML.dll"}));
  EXPECT_EQ(text(worker.hello(120s)), "the worker crashed: exit status 2");
  EXPECT_THAT(worker.takeStderr(), HasSubstr("/tmp/no such/DirectML.dll"));
}

}  // namespace
}  // namespace dmlcts::gpu
