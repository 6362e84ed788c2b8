#include "reports/journal/when.h"

#include <algorithm>

#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

constexpr std::string_view kHexadecimal = "0123456789abcdefABCDEF";
constexpr std::string_view kDecimal = "0123456789";
constexpr std::string_view kMessage = "message ";

// Returns the message without what differs from case to case: sizes and addresses become "*". Keeps
// HRESULTs, and short numbers, such as a signal's or a line's.
std::string withoutNumbers(std::string_view message) {
  constexpr size_t kSizeDigits = 4;
  constexpr size_t kHresultDigits = 8;
  std::string text;
  for (size_t at = 0; at < message.size();) {
    const bool isHex = message.substr(at).starts_with("0x");
    const size_t from = at + (isHex ? 2 : 0);
    const size_t end =
        std::min(message.find_first_not_of(isHex ? kHexadecimal : kDecimal, from), message.size());
    const size_t digits = end - from;
    if (isHex ? digits > kHresultDigits : digits >= kSizeDigits) {
      text += '*';
    } else {
      text += message.substr(at, std::max<size_t>(end - at, 1));
    }
    at = std::max(end, at + 1);
  }
  return text;
}

// Removes what the harness added: "Fail in a message of 2 cases, not again: ", and the number of
// cases that failed only together.
std::string_view fromTarget(std::string_view message) {
  constexpr std::string_view kNotAgain = ", not again: ";
  constexpr std::string_view kTogether = " (in a message of ";
  if (const size_t at = message.find(kNotAgain); at != message.npos) {
    message.remove_prefix(at + kNotAgain.size());
  }
  return message.substr(0, message.find(kTogether));
}

// Returns the last line about a failed assertion, or "".
std::string_view assertionIn(std::string_view text) {
  std::string_view found;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find("ssert") != line.npos) found = line;
  }
  return found;
}

// True if the message says more than which parameters the case has.
bool saysWhatWentWrong(const JournalEntry& entry, std::string_view message) {
  const auto has = [&](std::string_view which) { return entry.kinds.contains(std::string(which)); };
  if (has(kind::kCrash) || has(kind::kDeviceRemoved)) return true;
  const bool returned = has(kind::kRejected) || has(kind::kCallFailed);
  return returned && message.find("0x8") != message.npos &&
         message.find("E_INVALIDARG") == message.npos;
}

}  // namespace

std::string_view name(Occurs occurs) {
  constexpr std::array<std::string_view, kOccurrences.size()> kNames{
      "unknown", "always", "after-requests", "after-case", "beside-workers", "sometimes"};
  return kNames.at(static_cast<size_t>(occurs));
}

std::optional<Occurs> parseOccurs(std::string_view text) {
  for (Occurs each : kOccurrences) {
    if (name(each) == text) return each;
  }
  return std::nullopt;
}

std::string failureKind(const JournalEntry& entry) {
  if (!isFailure(entry.verdict) || entry.kinds.empty()) return "";
  const std::string_view message = fromTarget(entry.message);
  if (saysWhatWentWrong(entry, message)) {
    std::string text = withoutNumbers(message);
    if (const auto assertion = assertionIn(entry.workerStderr); !assertion.empty()) {
      text += ": " + withoutNumbers(assertion);
    }
    return std::string(kMessage) + text;
  }
  std::string text = entry.op;
  for (const auto& [which, count] : entry.kinds) text += ' ' + which;
  return text;
}

bool isMessage(std::string_view failureKind) { return failureKind.starts_with(kMessage); }

}  // namespace dmlcts
