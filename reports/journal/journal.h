#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/rules.h"
#include "reports/journal/append_file.h"
#include "reports/journal/kinds.h"
#include "reports/journal/verdict.h"

// The journal is the only state of a run: a file of JSON lines, one header and then one line per
// verdict or worker failure, each appended with a single write and flushed as it happens. Every
// report is made from journals; shards merge by concatenation.

namespace dmlcts {

// The only version that is read: an older or newer dmlcts reads what it wrote.
inline constexpr int kJournalVersion = 3;

// Shards that a run can have. Reports name each that is missing, so a journal with more is refused.
inline constexpr uint32_t kMostShards = 1'000'000;

// First line of every journal (and again where journals are concatenated).
struct JournalHeader {
  int version = kJournalVersion;
  std::string suiteVersion;  // "0.1.0"
  std::string suiteCommit;   // "" when built outside git
  std::string commandLine;
  std::string worker;                // the command line of --worker, or ""
  std::string replayArguments;       // that make `dmlcts replay` ask the same target the same mode
  std::string host;                  // operating system and architecture
  std::string startedAt;             // ISO 8601, UTC
  std::string tier;                  // smoke, default, large, or "" for a bare query
  std::vector<std::string> queries;  // that chose the cases; none: the whole tier
  std::string levelFilter;           // the level or pattern that did, or ""
  std::string mode;       // the mode that the cases took, or "": see run/execution_mode.h
  bool failFast = false;  // it was to stop at the first failure
  std::string failedOf;   // the journal of which only failed cases were run, or ""
  // Cases of the whole tier, all shards, by "gather_nd 3.0"; empty where there is no tier
  // (fuzzing), which therefore cannot show that nothing was left out.
  std::map<std::string, uint64_t> tierCases;
  uint64_t seed = 0;
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
  uint64_t plannedCases = 0;                         // of this shard
  std::string specification{kSpecificationEdition};  // edition that the verdicts follow
  bool strict = false;                               // inferred rules and our own are failures, too
  std::string planHash;       // of the case strings of the whole run, all shards: PlanHash
  std::string partitionHash;  // of which shard each of them is in; "" for the only shard
  // gpu::Identity, as JSON members of the same names.
  std::string target;
  std::string adapter;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::string driver;
  std::string runtime;
  std::string implementation;
  std::string shaderModel;
  std::string kernelVariant;
  std::string maxLevel;
  std::map<std::string, std::string> limits;
  std::map<std::string, std::string> files;  // SHA-256 by name

  // Whether a worker ever said who it is; without, the session has no verdict but InternalError.
  bool sawTarget() const { return !target.empty(); }

  bool operator==(const JournalHeader&) const = default;
};

// One verdict.
struct JournalEntry {
  std::string caseString;
  std::string family;     // case family: "matrix", "layouts", …
  std::string op;         // "gather_nd"
  std::string level;      // "4.0"
  std::string type;       // of the input tensor: "f32"
  uint32_t rank = 0;      // of the input tensor
  bool executed = false;  // false: a rejection (or create-only) case
  bool weak = false;      // its data tell one kind of wrong answers alone (cases/weak.h)
  // Of a case that is to be executed; empty where the run did not look, or could not.
  std::string labels;      // its place in the parameter space (cases/labels.h)
  std::string has;         // what its inputs hold (cases/traits.h): "zero nonzero"
  uint64_t denormals = 0;  // elements of its input
  Verdict verdict = Verdict::InternalError;
  bool levelOnly = false;             // about a rejection that nothing but its level calls for
  std::vector<std::string> rules;     // rule ids that this case exercises
  std::vector<std::string> violated;  // those of them that the target is known to have broken
  Kinds kinds;                        // what was wrong, and how much of it
  // What no page promises and the target did not keep: ids of rules of Standing::Ours, and how
  // often. No part of the verdict, unless the run was strict.
  std::map<std::string, uint64_t> observations;
  std::string message;                   // empty for Pass
  std::vector<std::string> differences;  // first differing elements, one readable line each
  std::vector<std::string> attempts;     // outcomes of retries, in order; empty without retry
  std::string workerStderr;              // what the worker wrote in this case, possibly cut
  std::string bundle;  // folder of the failure bundle, relative to the journal; or ""
  double seconds = 0;  // wall clock attributed to the case

  // In memory only (alike_cases.h): cases that this one stands for, and their seconds; and how many
  // of the cases that some entry of its family, operator, level and verdict stands for have a rule.
  uint64_t others = 0;
  double othersSeconds = 0;
  std::map<std::string, uint64_t> othersRules;
  uint64_t count() const { return 1 + others; }

  bool operator==(const JournalEntry&) const = default;
};

// What happened to a worker outside any case, or an expectation that a whole run did not meet.
struct JournalWorkerFailure {
  std::string when;                  // "between cases", "at exit", "at the end of the run"
  Verdict verdict = Verdict::Crash;  // of its kind
  std::string message;               // how
  std::string workerStderr;

  bool operator==(const JournalWorkerFailure&) const = default;
};

// Appends to a journal. Throws std::system_error, naming the file, when a line cannot be written
// whole (full disk, read-only directory) or another process writes the same journal: a verdict is
// never half-recorded in silence. Strings that are not UTF-8 are made so, with U+FFFD.
class JournalWriter {
 public:
  // Creates `path` (an existing file is an error unless `append`) and writes the header.
  // With `append`, a cut last line (no newline at its end) is first removed, and the header is
  // written after what is there.
  JournalWriter(const std::filesystem::path& path, const JournalHeader& header, bool append);

  // Only opens and locks it: nothing changes in an existing file before begin().
  JournalWriter(const std::filesystem::path& path, AppendFile::Mode mode);

  // Writes the header. A file that was made for it, and cannot take it, is deleted again. Returns
  // what a reader gets of the line, as those below.
  JournalHeader begin(JournalHeader header);

  JournalEntry write(JournalEntry entry);
  JournalWorkerFailure write(JournalWorkerFailure workerFailure);
  void sync() { file_.sync(); }        // to the disk
  void clear() { file_.clear(); }      // of all it held
  void discard() { file_.discard(); }  // closes it, and deletes it when it is new

 private:
  AppendFile file_;
};

using JournalLine = std::variant<JournalHeader, JournalEntry, JournalWorkerFailure>;

struct Journal {
  std::string name;                    // of the file
  std::vector<JournalHeader> headers;  // none only where the file is cut within its first line
  std::vector<JournalEntry> entries;   // in file order
  std::vector<size_t> headerOf;        // of each entry: index into headers of the one it follows
  std::vector<JournalWorkerFailure> workerFailures;
  std::optional<std::string> cutLine;  // an unfinished last line, if there was one

  void add(JournalLine line);
};

// Reads a journal. Throws InputError "FILE:LINE: what is wrong" on anything but a cut last
// line, also where the file has another version; members it does not know are skipped.
// Never allocates more than a fixed multiple of the file's own size.
Journal readJournal(const std::filesystem::path& path);

// The same, of a stream; `name` stands for the file in messages.
Journal parseJournal(std::istream& in, const std::string& name);

// The same line by line, in memory that does not grow with the journal. Returns the cut line.
std::optional<std::string> readJournal(const std::filesystem::path& path,
                                       const std::function<void(JournalLine)>& take);

// One line each, without the newline; the reader's inverse. Exposed for tests and fuzzing.
std::string toJsonLine(const JournalHeader& header);
std::string toJsonLine(const JournalEntry& entry);
std::string toJsonLine(const JournalWorkerFailure& workerFailure);

}  // namespace dmlcts
