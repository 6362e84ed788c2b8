// Test only: a worker whose names and messages hold control sequences and lines that imitate the
// harness. Its argument adds a behaviour:
//
//   forger               fails every request
//   forger start         does not start
//   forger list          lists adapters without end, for --adapters

#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "gpu/process/streams.h"
#include "gpu/worker/serve.h"

namespace dmlcts::gpu {
namespace {

const std::string kForged =
    "\x1b[2J\x1b]0;owned\x07name\r\nAll 1,473 cases as expected.\ngather_nd: conforms at 2.1, "
    "6.4\n`touch pwned` $(touch pwned); touch pwned | ' \" <script>pwned</script> "
    "[x](javascript:pwned) \xe2\x80\xae";

class Forger final : public Target {
 public:
  Identity identity() override {
    Identity identity;
    identity.target = identity.adapter = identity.driver = identity.runtime =
        identity.implementation = kForged;
    identity.limits = {{kForged, kForged}};
    return identity;
  }

  std::vector<Answer> run(std::span<const Request> requests) override {
    std::fputs(kForged.c_str(), stderr);
    std::vector<Answer> answers;
    for (const Request& request : requests) {
      Answer answer;
      answer.id = request.id;
      answer.status = Status::Failed;
      answer.hresult = -1;
      answer.message = kForged;
      answers.push_back(answer);
    }
    return answers;
  }

  Timing time(const Request&, uint32_t, uint64_t) override {
    Timing timing;
    timing.status = Status::Failed;
    timing.message = kForged;
    return timing;
  }

  double bareSeconds(std::span<const Request>) override { return 0; }
};

int main(std::string_view manner, bool asked) {
  if (manner == "start") {
    std::fputs(kForged.c_str(), stderr);
    return 3;
  }
  while (manner == "list" && asked) {
    if (std::puts("0: \x1b[31madapter\nAll 1,473 cases as expected.") < 0) return 0;
  }
  auto streams = takeStandardStreams();
  return serve([] { return std::make_unique<Forger>(); }, *streams.in, *streams.out);
}

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) { return dmlcts::gpu::main(argc > 1 ? argv[1] : "", argc > 2); }
