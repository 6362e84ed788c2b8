#include "reports/journal/alike_cases.h"

#include <set>
#include <string_view>
#include <utility>

namespace dmlcts {
namespace {

// Reports count rules by this group.
std::string groupOf(const JournalEntry& entry) {
  std::string key;
  for (std::string_view each : {std::string_view(entry.family), std::string_view(entry.op),
                                std::string_view(entry.level), name(entry.verdict)}) {
    (key += each) += '\n';
  }
  return key;
}

// Reports count everything else by this key; it ignores digits in the message.
std::string keyOf(const JournalEntry& entry) {
  std::string key = groupOf(entry) + entry.type + '\n' + std::to_string(entry.rank);
  key += entry.executed ? 'e' : ' ';
  key += entry.mode + '\n';
  key += entry.weak ? 'w' : ' ';
  key += entry.levelOnly ? 'l' : ' ';
  for (const std::string& rule : entry.violated) (key += rule) += '\n';
  for (const auto& [kind, count] : entry.kinds) (key += kind) += '\n';
  for (const auto& [rule, count] : entry.observations) (key += rule) += '\n';
  for (char c : entry.message) {
    if (c < '0' || c > '9') key += c;
  }
  return key;
}

}  // namespace

void AlikeCases::add(Journal& journal, JournalEntry entry) {
  const bool whole = journal.entries.size() < whole_;
  const auto [found, isFirst] = standsFor_.emplace(keyOf(entry), journal.entries.size());
  if (isFirst || whole) {
    journal.add(std::move(entry));
    return;
  }
  JournalEntry& kept = journal.entries[found->second];
  if (entry.seconds > kept.seconds) {  // reports name the slowest
    std::swap(kept, entry);
    std::swap(kept.others, entry.others);
    std::swap(kept.othersSeconds, entry.othersSeconds);
    std::swap(kept.othersRules, entry.othersRules);
  }
  ++kept.others;
  kept.othersSeconds += entry.seconds;
  const auto group = hasRules_.emplace(groupOf(entry), found->second).first;
  auto& rules = journal.entries[group->second].othersRules;
  for (const std::string& rule : std::set<std::string>(entry.rules.begin(), entry.rules.end())) {
    ++rules[rule];
  }
}

}  // namespace dmlcts
