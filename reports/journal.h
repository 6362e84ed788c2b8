#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/verdict.h"

// The journal is the only state of a run: a file of JSON lines, one header and then one line per
// verdict, each appended with a single write and flushed as it happens. Every report is made from
// journals; shards merge by concatenation.

namespace dmlcts {

inline constexpr int kJournalVersion = 1;

// First line of every journal (and again where journals are concatenated).
struct JournalHeader {
  int version = kJournalVersion;
  std::string suiteVersion;    // "0.1.0"
  std::string suiteCommit;     // "" when built outside git
  std::string commandLine;
  std::string host;            // operating system and architecture
  std::string startedAt;       // ISO 8601, UTC
  std::string tier;            // smoke, default, large, or "" for a bare query
  uint64_t seed = 0;
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
  uint64_t plannedCases = 0;   // of this shard
  std::string planHash;        // of the ordered case strings of the whole run, all shards
  // gpu::Identity, as JSON members of the same names.
  std::string target;
  std::string adapter;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::string driver;
  std::string runtime;
  std::string implementation;
  std::string maxLevel;
  std::map<std::string, std::string> limits;

  bool operator==(const JournalHeader&) const = default;
};

// One verdict.
struct JournalEntry {
  std::string caseString;
  std::string family;               // case family: "matrix", "layouts", …
  std::string op;                   // "gather_nd"
  std::string level;                // "4.0"
  std::string type;                 // of the input tensor: "f32"
  uint32_t rank = 0;                // of the input tensor
  bool executed = false;            // false: a rejection (or create-only) case
  Verdict verdict = Verdict::InternalError;
  std::vector<std::string> rules;   // rule ids that this case exercises
  std::string message;              // empty for Pass
  std::vector<std::string> differences;  // first differing elements, one readable line each
  std::vector<std::string> attempts;     // outcomes of retries, in order; empty without retry
  std::string workerStderr;         // what the worker wrote in this case, possibly cut
  std::string bundle;               // folder of the failure bundle, relative to the journal; or ""
  double seconds = 0;               // wall clock attributed to the case

  bool operator==(const JournalEntry&) const = default;
};

// Appends to a journal. Throws std::system_error, naming the file, when a line cannot be written
// whole (full disk, read-only directory): a verdict is never half-recorded in silence.
class JournalWriter {
 public:
  // Creates `path` (an existing file is an error unless `append`) and writes the header.
  // With `append`, a cut last line (no newline at its end) is first removed.
  JournalWriter(const std::filesystem::path& path, const JournalHeader& header, bool append);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  void write(const JournalEntry& entry);

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

struct Journal {
  std::vector<JournalHeader> headers;  // at least one
  std::vector<JournalEntry> entries;   // in file order
  std::optional<std::string> cutLine;  // an unfinished last line, if there was one
};

// Reads a journal. Throws std::runtime_error "FILE:LINE: what is wrong" on anything but a cut last
// line. Never allocates more than the file's own size allows for.
Journal readJournal(const std::filesystem::path& path);

// One line each, without the newline; the reader's inverse. Exposed for tests and fuzzing.
std::string toJsonLine(const JournalHeader& header);
std::string toJsonLine(const JournalEntry& entry);

}  // namespace dmlcts
