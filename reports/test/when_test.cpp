#include "reports/journal/when.h"

#include <gtest/gtest.h>

#include "reports/journal/journal.h"

// Kinds of failure: equal for failures that may have one cause, whatever their sizes and addresses.

namespace dmlcts {
namespace {

JournalEntry failing(std::string_view kind, std::string message) {
  JournalEntry entry;
  entry.op = "gather_nd";
  entry.verdict = Verdict::Fail;
  entry.kinds = {{std::string(kind), 1}};
  entry.message = std::move(message);
  return entry;
}

TEST(FailureKind, IsTheMessageOfAnHresultOrASignal) {
  const std::string heap = "rejected a valid descriptor with 0x8007000e: CreateDescriptorHeap";
  struct {
    std::string_view kind;
    std::string message, key;
  } const cases[] = {
      {kind::kRejected, heap, "message " + heap},
      {kind::kCallFailed, "failed with 0x80004005: Map of 65536 bytes at 0x7ffd12345678",
       "message failed with 0x80004005: Map of * bytes at *"},
      {kind::kCrash, "the worker crashed: killed by signal 11 (Segmentation fault)",
       "message the worker crashed: killed by signal 11 (Segmentation fault)"},
      {kind::kCrash,
       "the worker crashed: killed by signal 6 (in a message of 2 cases, none of which does it "
       "alone)",
       "message the worker crashed: killed by signal 6"},
      {kind::kDeviceRemoved, "failed with 0x887a0005", "message failed with 0x887a0005"},
      // The parameters say more than these.
      {kind::kRejected, "rejected a valid descriptor with 0x80070057 (E_INVALIDARG)",
       "gather_nd rejected"},
      {kind::kTimeout, "the worker did not answer within 2000 ms", "gather_nd timeout"},
      {kind::kWrongElements, "4 of 9 elements differ", "gather_nd wrong-elements"},
  };
  for (const auto& [kind, message, key] : cases) {
    const std::string found = failureKind(failing(kind, message));
    EXPECT_EQ(found, key);
    EXPECT_EQ(isMessage(found), key.starts_with("message ")) << key;
  }
}

TEST(FailureKind, IsTheAssertionThatTheWorkerWrote) {
  JournalEntry entry = failing(kind::kCrash, "the worker crashed: killed by signal 6");
  entry.workerStderr = "line\nheap.c:87: Assertion `free > 0' failed.\nlast\n";
  EXPECT_EQ(failureKind(entry),
            "message the worker crashed: killed by signal 6: heap.c:87: Assertion `free > 0' "
            "failed.");
}

TEST(FailureKind, IsTheSameForFlaky) {
  JournalEntry entry = failing(kind::kCrash, "the worker crashed: killed by signal 9");
  const std::string once = failureKind(entry);
  entry.verdict = Verdict::Flaky;
  entry.message = "Crash in a message of 2 cases, not again: " + entry.message;
  EXPECT_EQ(failureKind(entry), once);
  entry.verdict = Verdict::Pass;
  EXPECT_EQ(failureKind(entry), "");
}

}  // namespace
}  // namespace dmlcts
