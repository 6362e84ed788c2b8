#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/cases/facts/query.h"
#include "reports/compare/version.h"
#include "reports/summary/summary.h"

// Ways in which implementations differ from their documents, over several runs. The matrix and
// reports/findings.md are renderings of them.

namespace dmlcts {

// A run to compare. Without a report, `problem` gives the reason.
struct Configuration {
  std::string name;
  std::optional<Report> report = {};
  std::string problem = {};
};

// Return the version and the driver by which differences are dated.
std::string versionOf(const JournalHeader& run);
std::string driverOf(const JournalHeader& run);

// Counts cases that never ran.
uint64_t notAsked(const Totals& totals);

// A sentence of a note, and its source: a rule's id, a journal's name, or a project path that
// begins with "docs/" or "reports/".
struct Remark {
  std::string says;
  std::string source;
};

// A person's addition to a deviation: the one whose rule is `rule` and whose shortest case matches
// `query`; either may be empty. A limit has all matching cases, whatever their verdict.
struct FindingNote {
  std::string id;  // also the name of its files
  std::string title;
  std::string rule;
  std::optional<Query> query;
  bool limit = false;
  std::vector<Remark> text;
  std::vector<Remark> notExcluded;
  std::vector<Remark> toSettle;
};

// Reads a list of notes. Throws InputError "FILE: what is wrong".
std::vector<FindingNote> readFindingNotes(const std::filesystem::path& file);

// A cause of a target's failures, a rule that it does not keep without failing, or a limit.
struct Deviation {
  enum class Part { BreaksASentence, DocumentsAreSilent, Limit };

  struct Row {
    uint64_t found = 0;  // cases that show it
    uint64_t of = 0;     // cases that could
    Totals totals;       // of the cases that show it
  };
  // On one driver, from the oldest to the newest version.
  struct OnDriver : VersionSpan {
    std::string driver;  // adapter, driver, runtime, shader model and mode
  };

  std::string target = {};  // "" for limits
  Part part = Part::BreaksASentence;
  CauseRule rule = {};
  std::string query = {};  // of a cause; "" if no query explains its cases
  std::string headline = {};
  std::string id = {};                     // distinct
  std::vector<Row> rows = {};              // one for each run
  size_t shortestRun = 0;                  // where the case with the fewest elements is
  const JournalEntry* shortest = nullptr;  // that case, in the run
  std::vector<OnDriver> drivers = {};
  const FindingNote* note = nullptr;
};

// Returns each target's causes by number of cases, then its unkept rules by id. A case fails if it
// fails in any run.
std::vector<Deviation> deviationsOf(std::span<const Configuration> runs);

struct Findings {
  std::vector<Configuration> runs;  // one per journal
  std::vector<Deviation> all;       // by part, then by number of cases
};

// Throws InputError on a journal that does not show an unaltered suite's
// judgement by this specification edition. That excludes other editions, strict and incomplete
// runs, waivers, uncommitted changes and more cases than kMostWhole. Throws also on a note that
// matches nothing or has no valid source. `notes` must outlive the result.
Findings gatherFindings(size_t journals, const ReadJournal& read,
                        std::span<const FindingNote> notes);

// Throws InputError where a finding has no note, and so no words.
void requireNotes(const Findings& findings);

}  // namespace dmlcts
