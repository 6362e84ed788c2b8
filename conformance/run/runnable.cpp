#include "conformance/run/runnable.h"

#include <fmt/format.h>

#include "conformance/cases/npy.h"
#include "conformance/run/environment.h"
#include "conformance/run/in_pieces.h"

namespace dmlcts {
namespace {

// Copies of all tensor bytes in memory while a case runs. Each side of the pipe has buffers, a
// frame in transit, and expected or computed bytes.
constexpr uint64_t kCopies = 8;
constexpr uint64_t kUnquestioned = uint64_t{64} << 20;  // tensor bytes; fits on any machine

}  // namespace

std::optional<std::string> whyNotRunnable(const Case& testCase) {
  if (auto problem = caseProblem(testCase)) return problem;
  if (const NpyFill* npy = unreadFill(testCase)) return npy->file + " was not read";
  if (testCase.expect != Expect::Execute || isTooLargeForMessages(testCase)) return std::nullopt;
  uint64_t bytes = 0;  // at most 2^35 each
  for (const TensorSlot& slot : tensors(testCase.descriptor)) bytes += slot.desc->totalBytes;
  const uint64_t available = bytes > kUnquestioned ? availableMemory() : UINT64_MAX;
  if (kCopies * bytes <= available) return std::nullopt;
  return fmt::format(
      "its tensors have {:.1f} GiB; to run and judge it takes about {:.1f} GiB of memory, and "
      "{:.1f} GiB are left here",
      static_cast<double>(bytes) / (1 << 30), static_cast<double>(kCopies * bytes) / (1 << 30),
      static_cast<double>(available) / (1 << 30));
}

}  // namespace dmlcts
