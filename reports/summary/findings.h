#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reports/summary/summary.h"

// What runs against one implementation found, gathered over drivers: the data behind
// reports/findings.md.

namespace dmlcts {

// A sentence of a note, and where it comes from: the id of a rule, the name of a journal, or a
// place in the project that begins with "docs/" or "reports/".
struct Remark {
  std::string says;
  std::string source;
};

// What a person adds to a finding, and which cases make it one: those that broke `rule`, or may
// have, and that `query` matches; either may be empty. Of a limit all that match, broken or not.
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

// What an implementation does differently, in one way.
struct Deviation {
  enum class Part { BreaksASentence, DocumentsAreSilent, Limit };

  struct Row {
    uint64_t found = 0;  // cases that have it
    uint64_t of = 0;     // cases that could: that exercise its rules and match the note's query
    Totals totals;       // of those that have it
  };

  std::string id;
  Part part = Part::BreaksASentence;
  std::vector<std::string>
      rules;           // broken; or, where nobody can tell, those that all have in common
  bool known = false;  // the rules are broken ones
  std::set<std::string> operators;
  Kinds kinds;             // how much in all cases together
  std::vector<Row> rows;   // one for each run
  size_t shortestRun = 0;  // where the shortest case is
  size_t shortest = 0;     // in its cases
  const FindingNote* note = nullptr;
};

struct Findings {
  std::vector<std::string> names;  // of the journals
  std::vector<Report> runs;        // one for each
  std::vector<Deviation> all;      // by part, then by number of cases

  const JournalEntry& shortest(const Deviation& finding) const {
    return runs[finding.shortestRun].cases[finding.shortest];
  }
};

// Throws InputError on a journal that does not say what the documents' specification edition makes
// of an unaltered suite (of another edition, strict, with waivers, of a tree with uncommitted
// changes, incomplete), and on a note that matches nothing or has a source that does not exist.
// `notes` outlives the result.
Findings gatherFindings(std::span<const Journal> journals, std::span<const FindingNote> notes);

}  // namespace dmlcts
