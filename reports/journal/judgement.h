#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/journal/verdict.h"

// The result of a case: its verdict, and all that is known about why. judge() (conformance/run)
// makes it from the target's answers; it travels unchanged into the case's journal line, which is
// a Judgement with the case's description (JournalEntry), and every report reads it there.

namespace dmlcts {

// Differences that a comparison lists; it counts all.
inline constexpr size_t kMostDifferences = 8;

// A place in memory that does not hold what it should after an execution; or a remark in words.
struct Difference {
  std::string tensor = {};             // "output"; "" if `note` says everything
  std::vector<uint32_t> element = {};  // its coordinate; empty for a byte of no element
  uint64_t byte = 0;                   // the element's offset in the tensor
  std::string expected = {};           // bits, as hexadecimal digits
  std::string actual = {};
  std::string note = {};  // source of the element's actual value; place of a byte of no element

  // Returns the sentence of every text report: "output[0,3] at byte 6: expected 0x3c69, …".
  std::string text() const;

  bool operator==(const Difference&) const = default;
};

// JSON other than journals and pages has the sentence.
void to_json(auto& json, const Difference& difference) { json = difference.text(); }

struct Judgement {
  Verdict verdict = Verdict::InternalError;
  std::string message = {};                  // empty for Pass
  std::vector<Difference> differences = {};  // the first kMostDifferences
  Kinds kinds = {};                          // what was wrong, and how much of it
  bool levelOnly = false;                    // a rejection that only its level calls for
  // Rules that the target is known to have broken; the one that explains the failure comes first.
  std::vector<std::string> violated = {};
  // Ids of rules of Standing::Ours that the target did not keep, and how often. They do not affect
  // the verdict, unless the run was strict.
  std::map<std::string, uint64_t> observations = {};

  bool operator==(const Judgement&) const = default;
};

}  // namespace dmlcts
