#include "conformance/command/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>

#include "conformance/run/environment.h"
#include "reports/journal/verdict.h"

namespace dmlcts {
namespace {

constexpr const char* kRed = "\033[31m";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kPlain = "\033[0m";

constexpr std::array<std::pair<std::string_view, const char*>, 6> kWords{{
    {"conforms", kGreen},
    {"caught", kGreen},
    {"broken", kRed},
    {"failed", kRed},
    {"SURVIVED", kRed},
    {"PROBLEM", kRed},
}};

// Returns the colour of a verdict or another outcome; null for any other word.
const char* colourOf(std::string_view word) {
  const auto found =
      std::ranges::find(kWords, word, &std::pair<std::string_view, const char*>::first);
  if (found != kWords.end()) return found->second;
  const auto verdict = parseVerdict(word);
  if (!verdict) return nullptr;
  if (*verdict == Verdict::Pass) return kGreen;
  return failsRun(*verdict) || *verdict == Verdict::InternalError ? kRed : kYellow;
}

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Returns where the number in front of a word begins ("3,411 Fail"), or `word` without one.
size_t withNumber(std::string_view text, size_t word) {
  if (word < 2 || text[word - 1] != ' ') return word;
  size_t begin = word - 1;
  while (begin > 0 && (std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                       text[begin - 1] == ',')) {
    --begin;
  }
  const bool separate = begin == 0 || text[begin - 1] == ' ' || text[begin - 1] == '\n';
  return begin < word - 1 && separate ? begin : word;
}

std::string coloured(std::string_view text) {
  std::string out;
  size_t copied = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isLetter(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    // Only a separate word, never a part of a case string or a path.
    const bool free =
        (at == 0 || std::string_view(" \n(").find(text[at - 1]) != text.npos) &&
        (end == text.size() || std::string_view(" \n,.;:)").find(text[end]) != text.npos);
    if (const char* colour = free ? colourOf(text.substr(at, end - at)) : nullptr) {
      const size_t begin = std::max(copied, withNumber(text, at));
      out += text.substr(copied, begin - copied);
      out += colour;
      out += text.substr(begin, end - begin);
      out += kPlain;
      copied = end;
    }
    at = end;
  }
  out += text.substr(copied);
  return out;
}

bool showsColours(std::FILE* stream) {
  const auto value = [](const char* variable) {
    const char* text = std::getenv(variable);
    return std::string_view(text ? text : "");
  };
  if (!value("NO_COLOR").empty() || value("TERM") == "dumb") return false;
  return stream == stdout ? stdoutIsTerminal() : stream == stderr && stderrIsTerminal();
}

}  // namespace

void printColoured(std::FILE* stream, std::string_view text) {
  fmt::print(stream, "{}", showsColours(stream) ? coloured(text) : std::string(text));
}

}  // namespace dmlcts
