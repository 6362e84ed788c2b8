#include "reports/summary/waivers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace dmlcts {
namespace {

// Returns "accepts FLOAT64" for "accepts FLOAT64; Fail: was accepted".
std::string_view reasonIn(std::string_view message) {
  size_t end = message.size();
  for (Verdict verdict : kVerdicts) {
    const std::string after = "; " + std::string(name(verdict)) + ":";
    end = std::min(end, message.find(after));
  }
  return message.substr(0, end);
}

}  // namespace

std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases) {
  std::map<std::string, uint64_t> counts;
  for (const JournalEntry& entry : cases) {
    if (entry.verdict != Verdict::Waived) continue;
    counts[std::string(reasonIn(entry.message))] += entry.count();
  }
  std::vector<Waiver> waivers;
  for (auto& [reason, count] : counts) waivers.push_back({reason, count});
  std::ranges::stable_sort(waivers, std::greater{}, &Waiver::cases);
  return waivers;
}

}  // namespace dmlcts
