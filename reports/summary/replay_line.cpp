#include <fmt/format.h>

#include <algorithm>

#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

// Quotes the words of a command line again: a journal may come from anybody.
std::string requoted(std::string_view line) {
  std::string out;
  std::string word;
  bool begun = false;
  char quote = '\0';
  const auto end = [&] {
    if (begun) out += (out.empty() ? "" : " ") + shellWord(word);
    word.clear();
    begun = false;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && c == ' ') {
      end();
      continue;
    }
    begun = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '\0' && c == '\\' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  end();
  return out;
}

// Returns when the case fails: by an investigation of this case, else of its kind of failure.
// Before another case, the tier may have more that execute nothing, so as many requests as it had.
When whenOf(const Report& report, const JournalEntry& entry) {
  When when;
  const std::string kind = failureKind(entry);
  for (const JournalInvestigation& each : report.investigations) {
    if (kind.empty() || each.failure != kind) continue;
    if (each.caseString == entry.caseString) return each.when;
    // Prefers, of two answers for a kind, the plain one: it is about most cases.
    if (when.occurs == Occurs::Always) continue;
    when = each.when;
    when.requests = std::max(when.requests, entry.request - std::min<uint64_t>(entry.request, 1));
    if (when.after == each.caseString) when.after = entry.caseString;  // the second time
  }
  return when;
}

// Returns the options and cases with which `dmlcts replay` shows a failure.
std::string circumstances(const Report& report, const JournalEntry& entry,
                          const std::string& arguments) {
  constexpr uint64_t kMostRepeats = 100;
  constexpr uint64_t kRepeats = 20;
  const When when = whenOf(report, entry);
  const std::string& tier = report.run.tier;
  const std::string ofTier =
      tier.empty() || tier == "default" || report.isRandom() ? "" : " --tier " + shellWord(tier);
  const auto repeat = [&](uint64_t times) {
    // An option that the run had, too, is not given twice.
    const bool given =
        arguments.find("--repeat") != arguments.npos || arguments.find("--piece") != arguments.npos;
    return given ? "" : fmt::format(" --repeat {}", times);
  };
  switch (when.occurs) {
    case Occurs::AfterRequests:
      return fmt::format(" --after {}{}", when.requests, ofTier);
    case Occurs::AfterCase:
      return ' ' + shellWord(when.after);
    case Occurs::BesideWorkers:
      return fmt::format(" --beside {}{}", std::max<uint64_t>(2, when.workers) - 1, ofTier);
    case Occurs::Sometimes:
      return repeat(when.failed == 0 ? kMostRepeats
                                     : std::clamp<uint64_t>(4 * when.tries / when.failed, kRepeats,
                                                            kMostRepeats));
    default:
      return entry.verdict == Verdict::Flaky ? repeat(kRepeats) : "";
  }
}

}  // namespace

std::string shellWord(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.=:,()*+/@ ";
  const bool plain = text.find_first_not_of(kPlain) == text.npos;
  if (plain && text.find_first_of(" ()*") == text.npos && !text.empty()) return std::string(text);
  if (plain) return fmt::format("\"{}\"", text);
  std::string out = "'";
  for (char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string replayLine(const std::string& arguments, std::string_view caseString) {
  return fmt::format("dmlcts replay {}{}{}", arguments, arguments.empty() ? "" : " ",
                     shellWord(caseString));
}

std::string replayArguments(const JournalHeader& run) {
  if (!run.replayArguments.empty()) return requoted(run.replayArguments);
  return fmt::format("--target {}{}{}", shellWord(run.target),
                     run.mode.empty() ? "" : " --mode " + shellWord(run.mode),
                     run.strict ? " --strict" : "");
}

std::string replayArguments(const Report& report, const JournalEntry& entry) {
  const std::string arguments = replayArguments(report.run);
  return arguments + circumstances(report, entry, arguments);
}

std::string replayCommand(const Report& report, const JournalEntry& entry) {
  return replayLine(replayArguments(report, entry), entry.caseString);
}

}  // namespace dmlcts
