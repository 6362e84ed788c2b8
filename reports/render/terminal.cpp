#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <vector>

#include "reports/render/writers.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr size_t kClustersShown = 4;
constexpr size_t kMaxClaims = 10;
constexpr size_t kMaxRemarks = 5;
constexpr size_t kMaxLine = 600;
constexpr std::array<std::string_view, 7> kFactsShown{
    "Target", "Adapter", "Driver", "Runtime", "Implementation", "Shader model", "Execution mode"};

std::string cutLine(const std::string& text) {
  const std::string line = plainLine(text);
  return line.size() <= kMaxLine ? line : plainLine(line.substr(0, kMaxLine)) + "…";
}

// Returns the statements about operators; if there are many, those that most need attention.
std::vector<Claim> claimsToShow(const Report& report) {
  std::vector<Claim> claims = report.claims;
  if (claims.size() > kMaxClaims) {
    std::ranges::stable_sort(claims, {}, [](const Claim& claim) {
      return std::ranges::find(kCompliances, claim.status) - std::begin(kCompliances);
    });
    claims.resize(kMaxClaims);
  }
  return claims;
}

// Returns ", 1 of 48 elements" if known, or "".
std::string howMuch(const JournalEntry& entry) {
  const auto wrong = wrongElements(entry);
  return wrong ? fmt::format(", {} of {}", grouped(wrong->wrong), counted(wrong->all, "element"))
               : "";
}

// Adds each cause: its rule, its extent, and its shortest case with the difference or the worker's
// last words, the replay line and the bundle.
template <class Add>
void addClusters(const Report& report, const std::filesystem::path& folder, const Add& add) {
  if (report.clusters.empty()) return;
  add(faultsOf(report) + ":");
  const size_t shown = std::min(kClustersShown, report.clusters.size());
  for (size_t i = 0; i < shown; ++i) {
    const Cluster& cluster = report.clusters[i];
    const JournalEntry& entry = report.cases[cluster.shortest];
    add("- " + headlineOf(cluster));
    if (const std::string rule = ruleTextOf(report, cluster); !rule.empty()) add("  " + rule);
    if (const std::string extent = extentOf(cluster); !extent.empty()) add("  " + extent);
    add(fmt::format("  {}{}: {}", name(entry.verdict), howMuch(entry), firstWords(entry)));
    std::istringstream words(lastWords(entry));
    for (std::string line; std::getline(words, line);) add("  | " + line);
    add("  " + replayCommand(report, entry));
    if (!entry.bundle.empty()) add("  bundle: " + (folder / entry.bundle).generic_string());
  }
  if (shown < report.clusters.size()) {
    add(fmt::format("and {} more in the report", report.clusters.size() - shown));
  }
}

}  // namespace

std::string terminalSummary(const Report& report, const std::filesystem::path& folder) {
  const Conclusion conclusion = conclude(report);
  std::string out;
  const auto add = [&](const std::string& line) { out += cutLine(line) + '\n'; };
  for (auto [what, value] : factsOf(report)) {
    if (value.empty() || std::ranges::find(kFactsShown, what) == kFactsShown.end()) continue;
    what.front() = static_cast<char>(what.front() + 'a' - 'A');
    add(fmt::format("{:<15}{}", what, value));
  }
  for (const Claim& claim : claimsToShow(report)) {
    add(fmt::format("{} {}: {}", claim.op, claim.levels(), claim.statement));
  }
  if (report.claims.size() > kMaxClaims) {
    add(fmt::format("and {} more statements in the report", report.claims.size() - kMaxClaims));
  }
  addClusters(report, folder, add);
  for (size_t i = 0; i < std::min(kMaxRemarks, conclusion.remarks.size()); ++i) {
    add(conclusion.remarks[i]);
  }
  if (conclusion.remarks.size() > kMaxRemarks) {
    add(fmt::format("and {} in the report",
                    counted(conclusion.remarks.size() - kMaxRemarks, "more remark")));
  }
  add(conclusion.detail.empty() ? conclusion.headline
                                : conclusion.headline + " " + conclusion.detail);
  add(conclusion.sentence);
  return out;
}

}  // namespace dmlcts
