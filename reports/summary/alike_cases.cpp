#include "reports/summary/alike_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

constexpr size_t kMostKeptText = size_t{128} << 20;
constexpr size_t kShortLine = 256;  // bytes; few lines are shorter

// Reports count rules by this group, for each header.
std::string groupOf(size_t header, const JournalEntry& entry) {
  std::string key = std::to_string(header);
  for (std::string_view each : {std::string_view(entry.family), std::string_view(entry.op),
                                std::string_view(entry.level), name(entry.verdict)}) {
    (key += '\n') += each;
  }
  return key;
}

// Reports count everything else by this key; it ignores numbers in the message, hexadecimal ones
// too.
std::string keyOf(const std::string& group, const JournalEntry& entry) {
  std::string key = group + '\n' + entry.type + '\n' + std::to_string(entry.rank);
  key += entry.executed ? 'e' : ' ';
  key += entry.mode + '\n';
  key += entry.weak ? 'w' : ' ';
  key += entry.levelOnly ? 'l' : ' ';
  for (const std::string& rule : entry.violated) (key += rule) += '\n';
  for (const auto& [kind, count] : entry.kinds) (key += kind) += '\n';
  for (const auto& [rule, count] : entry.observations) (key += rule) += '\n';
  bool inNumber = false;
  for (char c : entry.message) {
    const bool isDigit = c >= '0' && c <= '9';
    inNumber = isDigit || (inNumber && ((c >= 'a' && c <= 'f') || c == 'x'));
    if (!inNumber) key += c;
  }
  return key;
}

size_t textOf(const JournalEntry& entry) {
  size_t bytes = entry.caseString.size() + entry.message.size() + entry.workerStderr.size();
  for (const Difference& each : entry.differences) bytes += each.text().size();
  for (const std::string& line : entry.attempts) bytes += line.size();
  return bytes;
}

}  // namespace

bool AlikeCases::mustKeep(const Journal& journal, const JournalEntry& entry) {
  const bool hasRoom = (entry.verdict == Verdict::Pass ? passing_ : others_) < whole_;
  if (!journal.headers.empty() && journal.headers.back().tier != kRandomTier) {
    if (entry.verdict == Verdict::InternalError) {
      unjudged_.insert(entry.caseString);
      return true;
    }
    if (!judged_.insert(PlanHash::of(entry.caseString)).second) repeated_ = entry.caseString;
    if (repeated_ == entry.caseString || unjudged_.contains(entry.caseString)) return true;
  }
  return hasRoom || covering_.add(entry);
}

void AlikeCases::add(Journal& journal, JournalLine&& line) {
  if (!std::holds_alternative<JournalEntry>(line)) return journal.add(std::move(line));
  auto& entry = std::get<JournalEntry>(line);
  if (journal.entries.empty()) {  // indices are of the journal before
    standsFor_.clear();
    hasRules_.clear();
    indexed_ = 0;
  }
  const bool keeps = mustKeep(journal, entry);
  if (!repeated_.empty() && (counted_ > 0 || !keeps)) {
    throw InputError(fmt::format(
        "{}: the case \"{}\" has several verdicts; a report of more than {} cases needs one each",
        journal.name, repeated_, whole_));
  }
  const auto keep = [&] {
    ++(entry.verdict == Verdict::Pass ? passing_ : others_);
    text_ += textOf(entry);
    journal.add(std::move(line));
  };
  if (keeps) return keep();
  for (; indexed_ < journal.entries.size(); ++indexed_) {
    const JournalEntry& each = journal.entries[indexed_];
    standsFor_.emplace(keyOf(groupOf(journal.headerOf[indexed_], each), each), indexed_);
  }
  const std::string group = groupOf(journal.headers.size() - 1, entry);
  const auto found = standsFor_.find(keyOf(group, entry));
  if (found == standsFor_.end()) return keep();
  ++counted_;
  JournalEntry& kept = journal.entries[found->second];
  if (entry.seconds > kept.seconds) {  // reports name the slowest
    std::swap(kept, entry);
    std::swap(kept.others, entry.others);
    std::swap(kept.othersSeconds, entry.othersSeconds);
    std::swap(kept.othersRules, entry.othersRules);
    std::swap(kept.othersHash, entry.othersHash);
  }
  ++kept.others;
  kept.othersSeconds += entry.seconds;
  kept.othersHash.add(entry.caseString);
  const auto counts = hasRules_.emplace(group, found->second).first;
  auto& rules = journal.entries[counts->second].othersRules;
  for (const std::string& rule : std::set<std::string>(entry.rules.begin(), entry.rules.end())) {
    ++rules[rule];
  }
}

bool AlikeCases::full() const {
  return passing_ + others_ > 3 * std::max<size_t>(whole_, 1) || text_ > kMostKeptText;
}

Journal readJournal(const std::filesystem::path& path, AlikeCases& alike) {
  Journal journal;
  journal.name = path.string();
  std::error_code none;
  const uintmax_t bytes = std::filesystem::file_size(path, none);
  // A list that grows moves each entry again, to memory that is new.
  if (!none) journal.entries.reserve(std::min<uintmax_t>(bytes / kShortLine, 2 * kMostWhole));
  journal.cutLine = readJournal(path, [&](JournalLine&& line) {
    alike.add(journal, std::move(line));
    if (!alike.full()) return;
    throw InputError(fmt::format(
        "{}: more than {} cases whose outcomes differ, or more than {} MiB of their messages: "
        "make reports from parts of it",
        journal.name, 3 * kMostWhole, kMostKeptText >> 20));
  });
  journal.nameBundles();
  return journal;
}

}  // namespace dmlcts
