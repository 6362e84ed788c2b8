#include "reports/summary/level_gate.h"

#include "reports/journal/journal_members.h"

namespace dmlcts {
namespace {

// What was tested, as a key.
std::string identityOf(const JournalHeader& header) {
  JournalHeader identity;
  visitIdentities([](const char*, auto& to, const auto& from, Member) { to = from; }, identity,
                  header);
  return toJsonLine(identity);
}

}  // namespace

LevelGates::LevelGates(std::span<const Journal> journals) {
  for (const Journal& journal : journals) {
    std::set<size_t> headers;  // under which such a descriptor was rejected
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const JournalEntry& entry = journal.entries[i];
      if (entry.levelOnly && entry.verdict == Verdict::Pass) headers.insert(journal.headerOf.at(i));
    }
    for (size_t header : headers) gated_.insert(identityOf(journal.headers.at(header)));
  }
}

bool LevelGates::letThrough(const JournalHeader& header, const JournalEntry& entry) const {
  return entry.levelOnly && entry.verdict == Verdict::NotAsked && !gated_.empty() &&
         gated_.contains(identityOf(header));
}

JournalEntry asLetThrough(JournalEntry entry) {
  entry.verdict = Verdict::Fail;
  entry.violated = entry.rules;  // of a rejection the one that it is about
  entry.message += entry.message.empty() ? "accepted what its feature level alone forbids" : "";
  entry.message += ", and this device rejects others for that: its level gate leaks";
  return entry;
}

}  // namespace dmlcts
