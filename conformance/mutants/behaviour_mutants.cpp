// Mutants of behaviour over time: leftover state, results that change from run to run, crash, hang
// and device removal.

#include <chrono>
#include <csignal>
#include <thread>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"

namespace dmlcts {
namespace {

bool isOneIn(uint64_t n, const Passage& passage) { return passage.served % n == n - 1; }

// Trigger of mutants that fail for one kind of descriptor only.
bool isUInt8OfRank7(const Passage& passage) {
  return inputTensor(passage).type == DataType::UInt8 && inputTensor(passage).sizes.size() == 7;
}

// Faulty only sometimes: the same case may pass when repeated.
const Signs kOnceWrong{.verdicts = {Verdict::Fail, Verdict::Flaky}};

}  // namespace

std::vector<Mutant> behaviourMutants() {
  return {
      {"stale-count",
       "Adds the previous execution's count when it was of the same size.",
       {"nonzero_coordinates.count"},
       {.after =
            [](Passage& passage) {
              if (!nonzero(passage.descriptor) || !passage.previous) return;
              const auto& old = passage.previous->outputs[0];
              const gpu::BufferImage& now = passage.outputs[0];
              if (passage.previous->outputs.size() != 2 || old.size() != now.bytes.size()) return;
              writeCount(passage, readCount(passage) + (old[now.offset] ? 1 : 0));
            }},
       kOnceWrong},
      {"stale-output",
       "Returns the previous output when it has the same size.",
       {"tensor.no-write-outside-total"},
       {.after =
            [](Passage& passage) {
              if (!passage.previous || !isOneIn(5, passage)) return;
              if (passage.previous->outputs.size() != passage.outputs.size()) return;
              for (size_t i = 0; i < passage.outputs.size(); ++i) {
                if (passage.previous->outputs[i].size() != passage.outputs[i].bytes.size()) return;
              }
              for (size_t i = 0; i < passage.outputs.size(); ++i) {
                passage.outputs[i].bytes = passage.previous->outputs[i];
              }
            }},
       {.verdicts = {Verdict::Fail, Verdict::Flaky},
        .kinds = {kind::kWrongElements, kind::kPaddingBytes, kind::kGuardBytes}}},
      {"sometimes-nothing",
       "Does nothing in one of 50 executions.",
       kValues,
       {.after =
            [](Passage& passage) {
              if (isOneIn(50, passage)) passage.outputs = passage.request.outputs;
            }},
       kOnceWrong},
      {"sometimes-one-bit",
       "Flips one bit of an output in one of 300 executions.",
       kValues,
       {.after =
            [](Passage& passage) {
              gpu::BufferImage& image = passage.outputs.front();
              if (isOneIn(300, passage)) image.bytes[image.offset] ^= 0x10;
            }},
       kOnceWrong},
      {"late-fault",
       "Is wrong from its 65,536th execution on.",
       {"call.repeatable"},
       {.after =
            [](Passage& passage) {
              gpu::BufferImage& image = passage.outputs.front();
              if (passage.served >= 65'535) image.bytes[image.offset] ^= 1;
            }},
       {.kinds = {kind::kWrongElements, kind::kUnequalRuns}},
       "default"},
      {"crash",
       "Crashes on UINT8 inputs of 7 dimensions.",
       {},
       {.before =
            [](Passage& passage) {
              if (isUInt8OfRank7(passage)) std::raise(SIGSEGV);
            }},
       {.verdicts = {Verdict::Crash}, .kinds = {kind::kCrash}}},
      {"hang",
       "Hangs on UINT8 inputs of 7 dimensions.",
       {},
       {.before =
            [](Passage& passage) {
              while (isUInt8OfRank7(passage)) {
                std::this_thread::sleep_for(std::chrono::seconds(1));
              }
            }},
       {.verdicts = {Verdict::Timeout}, .kinds = {kind::kTimeout}}},
      {"removal",
       "Loses its device on UINT8 inputs of 7 dimensions.",
       {},
       {.before = [](Passage& passage) { passage.deviceRemoved = isUInt8OfRank7(passage); }},
       {.verdicts = {Verdict::DeviceRemoved}, .kinds = {kind::kDeviceRemoved}}},
      {"short-answer",
       "Returns one byte too few on UINT8 inputs of 7 dimensions.",
       {},
       {.after =
            [](Passage& passage) {
              if (isUInt8OfRank7(passage)) passage.outputs.front().bytes.pop_back();
            }},
       {.kinds = {kind::kMalformedAnswer}}},
  };
}

}  // namespace dmlcts
