#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/serve.h"

// Test only: a well-behaved worker whose target touches nothing. "noisy" prints to stdout as
// drivers do; "unmakable" and "broken" fail as a target may.

namespace dmlcts::gpu {
namespace {

class NullTarget : public Target {
 public:
  explicit NullTarget(std::string_view manner) : manner_(manner) {}

  Identity identity() override {
    Identity identity;
    identity.target = "null";
    return identity;
  }

  std::vector<Answer> run(std::span<const Request> requests) override {
    if (manner_ == "broken") throw std::runtime_error("the device is gone");
    if (manner_ == "noisy") {
      std::printf("a driver prints with stdio\n");
      std::fflush(stdout);
      const char text[] = "a driver prints without\n";
      if (::write(STDOUT_FILENO, text, sizeof text - 1) < 0) throw std::runtime_error("no stdout");
      if (std::getchar() != EOF) throw std::runtime_error("stdin was not empty");
    }
    std::vector<Answer> answers;
    answers.reserve(requests.size());
    for (const Request& request : requests) answers.push_back(untouched(request));
    return answers;
  }

  Timing time(const Request& request, uint32_t repetitions, uint64_t) override {
    return {Status::Executed,
            "",
            std::vector<double>(repetitions, 1000),
            untouched(request).outputs,
            {}};
  }

  CopyTiming timeCopy(uint64_t, uint32_t repetitions) override {
    return {Status::Executed,
            "",
            std::vector<double>(repetitions, 2000),
            std::vector<double>(repetitions, 3000),
            {}};
  }

  double bareSeconds(std::span<const Request>) override { return 0.5; }

 private:
  std::string_view manner_;
};

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) try {
  using namespace dmlcts::gpu;
  const std::string_view manner = argc > 1 ? argv[1] : "";
  StandardStreams streams = takeStandardStreams();
  const auto factory = [&]() -> std::unique_ptr<Target> {
    if (manner == "unmakable") throw std::runtime_error("no such adapter");
    return std::make_unique<NullTarget>(manner);
  };
  return serve(factory, *streams.in, *streams.out);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
