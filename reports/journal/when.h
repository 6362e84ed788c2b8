#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// When a failure occurs: the answer to questions that are asked of one case of each kind of failure
// after the run's cases. It never changes a verdict, only what reports say about the cause.

namespace dmlcts {

struct JournalEntry;

enum class Occurs : uint8_t {
  Unknown,        // nobody asked, or the answers fit none of the others
  Always,         // alone in a new process, too
  AfterRequests,  // only in a process that answered some number of requests before
  AfterCase,      // only in a process that ran another case before
  BesideWorkers,  // only while other workers run
  Sometimes,      // in some of several tries under the same circumstances
};

inline constexpr std::array kOccurrences{Occurs::Unknown,       Occurs::Always,
                                         Occurs::AfterRequests, Occurs::AfterCase,
                                         Occurs::BesideWorkers, Occurs::Sometimes};

// Returns the name in journals: "always", "after-requests", …
std::string_view name(Occurs occurs);
std::optional<Occurs> parseOccurs(std::string_view text);

struct When {
  Occurs occurs = Occurs::Unknown;
  uint64_t requests = 0;  // AfterRequests: fewest requests in one process that were seen to suffice
  std::string after = {};  // AfterCase: the case string of the case before
  uint64_t workers = 0;    // BesideWorkers: workers that ran at once when it failed
  uint64_t failed = 0;     // number of `tries` that failed, under the circumstances named above
  uint64_t tries = 0;

  bool operator==(const When&) const = default;
};

// A journal line: the answer for one case, which stands for its kind of failure.
struct JournalInvestigation {
  std::string caseString;
  std::string failure;  // failureKind()
  When when;

  bool operator==(const JournalInvestigation&) const = default;
};

// Returns a name for the kind of failure; "" unless the case failed. Failures of equal kind may
// have one cause, and one of them is asked when it occurs. A kind is the message where that alone
// says what went wrong: an HRESULT other than E_INVALIDARG with its text, a signal, an assertion, a
// deadline. Else it is the operator and the kinds of difference, as for wrong elements. The same
// for Flaky as for the verdict that did not repeat.
std::string failureKind(const JournalEntry& entry);

// True if the kind is a message: such failures are one cause, whatever their parameters.
bool isMessage(std::string_view failureKind);

}  // namespace dmlcts
