#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reports/summary/summary.h"

// Findings of runs against one implementation, over several drivers: the data behind
// reports/findings.md.

namespace dmlcts {

// A sentence of a note, and its source: a rule's id, a journal's name, or a project path that
// begins with "docs/" or "reports/".
struct Remark {
  std::string says;
  std::string source;
};

// A person's addition to a finding. The finding has the cases that broke `rule`, or may have, and
// that match `query`; either may be empty. A limit has all matching cases, broken or not.
struct FindingNote {
  std::string id;  // also the name of its files
  std::string title;
  std::string rule;
  std::string query;
  bool limit = false;
  std::vector<Remark> text;
  std::vector<Remark> notExcluded;
  std::vector<Remark> toSettle;
};

// Reads a list of notes. Throws InputError "FILE: what is wrong".
std::vector<FindingNote> readFindingNotes(const std::filesystem::path& file);

// One way in which an implementation differs from the documents.
struct Deviation {
  enum class Part { BreaksASentence, DocumentsAreSilent, Limit };

  struct Row {
    uint64_t found = 0;  // cases that show it
    uint64_t of = 0;     // cases that could: they exercise its rules and match the note's query
    Totals totals;       // of the cases that show it
  };

  std::string id;
  Part part = Part::BreaksASentence;
  std::vector<std::string> rules;  // broken rules; if unknown, the rules that all cases share
  bool known = false;              // true if `rules` are broken ones
  std::set<std::string> operators;
  std::vector<Row> rows;                   // one for each run
  size_t shortestRun = 0;                  // where the case with the fewest elements is
  const JournalEntry* shortest = nullptr;  // that case, in the run
  const FindingNote* note = nullptr;
};

struct Findings {
  std::vector<std::string> names;  // of the journals
  std::vector<Report> runs;        // one per journal
  std::vector<Deviation> all;      // by part, then by number of cases
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
