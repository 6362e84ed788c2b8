#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/subject.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Journal lines of a fuzz run.

JournalHeader makeHeader(const FuzzOptions& options, const gpu::Identity& identity);

// `prepared`: the case as it was sent, or null.
JournalEntry makeEntry(const Subject& subject, std::string_view family,
                       const PreparedCase* prepared);

// Returns the case of an entry.
Subject subjectOf(const JournalEntry& entry);

// A failure to investigate.
struct FuzzFailure {
  Subject subject;
  Judgement judgement;
  uint64_t number = 0;  // of JournalEntry

  // Its place in the seed's sequence: a case, the other target's answer to it, and the relation
  // that is drawn up to it.
  std::pair<uint64_t, int> order() const {
    return {number, subject.relation ? 2 : subject.against ? 1 : 0};
  }
};

// Returns the kind; each kind is investigated once per run.
std::string kindOf(const FuzzFailure& failure);

// The failures of a run that are not investigated, and the kinds that are. Several lanes
// investigate the failures that a single one would.
class Failures {
 public:
  // At most `most` kinds are investigated. The run ends after `enough` of them; 0: never.
  Failures(size_t most, size_t enough) : most_(most), enough_(enough) {}

  // Keeps the failure, unless its kind is settled or has enough earlier ones.
  void add(FuzzFailure failure);

  // Takes the first failures up to the number `reached` that are to be investigated, of `lanes`
  // kinds at most. Take no more until each has its outcome.
  std::vector<FuzzFailure> take(uint64_t reached, size_t lanes);

  // Drops failures up to a number.
  void forget(uint64_t reached);

  // A kind that has its finding, of an earlier session too.
  void settle(const std::string& kind);
  bool settled(const std::string& kind) const { return settled_.contains(kind); }
  bool foundEnough() const { return enough_ && settled_.size() >= enough_; }

  // Outcomes of a failure that was taken: a finding that the database has already, and no time.
  void rediscover(const FuzzFailure& failure);
  void leave(const FuzzFailure& failure);

  size_t unshrunk() const { return unshrunk_.size(); }
  int rediscoveries() const;

 private:
  bool isOpen(const std::string& kind, Verdict verdict) const;

  const size_t most_;
  const size_t enough_;
  std::map<std::string, std::map<std::pair<uint64_t, int>, FuzzFailure>> waiting_;  // by kind
  std::unordered_set<std::string> settled_;
  std::unordered_set<std::string> unshrunk_;            // kinds that need more time
  std::unordered_map<std::string, int> rediscoveries_;  // of what the database holds, by kind
  size_t exhausted_ = 0;                                // kinds that have as many as there may be
};

}  // namespace dmlcts
