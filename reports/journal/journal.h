#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/language/plan_hash.h"
#include "reference/rules.h"
#include "reports/journal/append_file.h"
#include "reports/journal/judgement.h"
#include "reports/journal/when.h"

// The journal is the only state of a run: JSON lines, a header first, then one line per verdict,
// worker failure, investigation (when.h) or bundle. Every report is made from journals.
// In go structs, each line written in a single call; out come the same structs, or InputError with
// file and line. RunFolder (conformance/run) writes journals, reports/summary reads them:
//   JournalWriter out(folder, "journal.jsonl", mode);  out.begin(header);  out.write(entry);
//   for (const JournalEntry& each : readJournal("run/journal.jsonl").entries) …

namespace dmlcts {

// A list of rule ids. Millions of cases have few different lists, so equal ones share their memory.
class RuleIds {
 public:
  using List = std::vector<std::string>;

  RuleIds() = default;
  RuleIds(List ids);
  RuleIds(std::initializer_list<std::string> ids) : RuleIds(List(ids)) {}

  operator const List&() const { return list(); }
  const List& list() const;
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  size_t size() const { return list().size(); }
  const std::string& front() const { return list().front(); }

  bool operator==(const RuleIds& other) const { return list() == other.list(); }

 private:
  std::shared_ptr<const List> ids_;  // null for none
};

// The only version that this dmlcts reads; other versions need the dmlcts that wrote them.
inline constexpr int kJournalVersion = 4;

// Most shards of a run. Reports name each missing one, so a journal with more is refused.
inline constexpr uint32_t kMostShards = 1'000'000;

// JournalHeader::tier of a run that draws its cases at random.
inline constexpr std::string_view kRandomTier = "fuzz";

// First line of every journal (and again where journals are concatenated).
struct JournalHeader {
  int version = kJournalVersion;
  std::string suiteVersion;  // "0.1.0"
  std::string suiteCommit;   // "" if built outside git
  std::string commandLine;
  std::string worker;           // the command line of --worker, or ""
  std::string replayArguments;  // make `dmlcts replay` ask the same target in the same mode
  std::string host;             // operating system and architecture
  std::string startedAt;        // ISO 8601, UTC
  std::string tier;      // smoke, default, large, huge or fuzz; "" if cases of no tier were given
  std::string caseFile;  // file of the given cases, or ""
  std::vector<std::string> queries;  // chose the cases; empty: the whole tier
  std::string levelFilter;           // level or pattern that chose the cases, or ""
  std::string mode;       // execution mode of the cases, or "": see run/judging/execution_mode.h
  bool failFast = false;  // the run was to stop at the first failure
  std::string failedOf;   // the journal whose failed cases were repeated, or ""
  // Cases of the whole tier, all shards, by "gather_nd 3.0". Empty without a tier (fuzzing): then
  // no report can show that nothing is missing.
  std::map<std::string, uint64_t> tierCases;
  uint64_t seed = 0;
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
  uint64_t plannedCases = 0;                         // in this shard
  std::string specification{kSpecificationEdition};  // edition that the verdicts follow
  bool strict = false;                               // inferred rules and ours are failures, too
  std::string planHash;       // PlanHash of the whole run's case strings, all shards
  std::string partitionHash;  // hash of the cases' assignment to shards; "" for the only shard
  // gpu::Identity, as JSON members with the same names.
  std::string target;
  std::string adapter;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::string driver;
  std::string runtime;
  std::string implementation;
  std::string shaderModel;
  std::string maxLevel;
  std::map<std::string, std::string> limits;
  std::map<std::string, std::string> files;  // SHA-256 by name

  // True if a worker ever identified itself; if not, the session has no verdict but InternalError.
  bool sawTarget() const { return !target.empty(); }

  bool operator==(const JournalHeader&) const = default;
};

// A verdict: the case, its judgement, and how it came about.
struct JournalEntry : Judgement {
  std::string caseString;
  std::string family;     // case family: "matrix", "layouts", …
  std::string op;         // "gather_nd"
  std::string level;      // "4.0"
  std::string type;       // of the input tensor: "f32"
  uint32_t rank = 0;      // of the input tensor
  bool executed = false;  // false: a rejection (or create-only) case
  std::string mode;       // the case's own execution modes; "" for the ordinary one
  bool weak = false;  // its data reveal only one kind of wrong answer (conformance/facts/weak.h)
  // For cases that must execute; empty if the run did not look, or could not.
  std::string labels;      // its place in the parameter space (conformance/facts/labels.h)
  std::string has;         // what its inputs hold (conformance/facts/traits.h): "zero nonzero"
  uint64_t denormals = 0;  // elements of its input
  RuleIds rules;           // rules that this case exercises
  std::vector<std::string> attempts;  // outcomes of retries, in order; empty without retry
  std::string workerStderr;           // written by the worker in this case, possibly cut
  std::string bundle;  // folder of the failure bundle, relative to the journal; or ""
  double seconds = 0;  // wall clock attributed to the case
  // The worker process that answered, and the request's number in it; both from 1, 0 if unknown.
  uint64_t worker = 0;
  uint64_t request = 0;
  // Place of a generated case in the sequence of its seed, or of the last one that a relation is
  // drawn from; from 1, and 0 elsewhere.
  uint64_t number = 0;

  // In memory only (summary/alike_cases.h): number, seconds and hash of the cases that this entry
  // stands for. othersRules counts the rules of all such cases of its family, operator, level and
  // verdict.
  uint64_t others = 0;
  double othersSeconds = 0;
  PlanHash othersHash;
  std::map<std::string, uint64_t> othersRules;
  uint64_t count() const { return 1 + others; }

  Judgement& judgement() { return *this; }

  bool operator==(const JournalEntry&) const = default;
};

// A worker's failure outside any case, or an expectation that the whole run did not meet.
struct JournalWorkerFailure {
  std::string when;                  // "between cases", "at exit", "at the end of the run"
  Verdict verdict = Verdict::Crash;  // its kind
  std::string message;               // how it failed
  std::string workerStderr;

  bool operator==(const JournalWorkerFailure&) const = default;
};

// The failure bundle of a case, written after the cases have run.
struct JournalBundle {
  std::string caseString;
  std::string bundle;  // as JournalEntry::bundle

  bool operator==(const JournalBundle&) const = default;
};

// Appends to a journal. Throws std::system_error, naming the file, if a line cannot be written
// whole (full disk, read-only directory) or another process writes the journal. So no verdict is
// half-recorded in silence. Invalid UTF-8 in strings becomes U+FFFD.
class JournalWriter {
 public:
  // Opens and locks it: an existing file stays unchanged until begin().
  JournalWriter(const Folder& folder, const std::string& name, AppendFile::Mode mode)
      : file_(folder, name, mode) {}

  // Writes the header after whole lines that are there. Deletes a newly created file that cannot
  // take it. Like write(), returns what a reader will read.
  JournalHeader begin(JournalHeader header);

  template <class Line>  // any JournalLine but a header
  Line write(Line line);
  void sync() { file_.sync(); }        // to the disk
  void clear() { file_.clear(); }      // puts an empty file in its place, before begin()
  void discard() { file_.discard(); }  // closes the file; deletes it if it is new

 private:
  AppendFile file_;
};

using JournalLine = std::variant<JournalHeader, JournalEntry, JournalWorkerFailure,
                                 JournalInvestigation, JournalBundle>;

struct Journal {
  std::string name;                    // of the file
  std::vector<JournalHeader> headers;  // empty only if the file is cut in its first line
  std::vector<JournalEntry> entries;   // in file order
  std::vector<size_t> headerOf;        // per entry: index of its header
  std::vector<JournalWorkerFailure> workerFailures;
  std::vector<JournalInvestigation> investigations;
  std::map<std::string, std::string> bundles;  // by case string; the last line counts
  std::optional<std::string> cutLine;          // an unfinished last line, if any

  void add(JournalLine&& line);

  // Gives each entry its bundle. Readers call it once all lines are added.
  void nameBundles();
};

// Reads a journal. Throws InputError "FILE:LINE: what is wrong" on anything but a cut last line,
// including another version; unknown members are skipped. Never allocates more than a fixed
// multiple of the file's size.
Journal readJournal(const std::filesystem::path& path);

// Reads a journal from a stream; messages call it `name`.
Journal parseJournal(std::istream& in, const std::string& name);

// Reads line by line, in memory that does not grow with the journal. Returns the cut line.
std::optional<std::string> readJournal(const std::filesystem::path& path,
                                       const std::function<void(JournalLine&&)>& take);

// Returns one line without the newline, which the reader reads back. Exposed for tests and fuzzing.
template <class Line>
std::string toJsonLine(const Line& line);

}  // namespace dmlcts
