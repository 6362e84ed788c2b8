#include <fmt/color.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/run/environment.h"
#include "reports/journal/verdict.h"

namespace dmlcts {
namespace {

fmt::terminal_color colourOf(Verdict verdict) {
  if (verdict == Verdict::Pass) return fmt::terminal_color::green;
  return failsRun(verdict) || verdict == Verdict::InternalError ? fmt::terminal_color::red
                                                                : fmt::terminal_color::yellow;
}

// Colours the words, each with a number in front of it ("3,411 Fail"). Only separate words, never a
// part of a case string or a path.
std::string coloured(const std::string& text, fmt::terminal_color colour,
                     std::vector<std::string_view> words) {
  for (const Verdict verdict : kVerdicts) {
    if (colourOf(verdict) == colour) words.push_back(name(verdict));
  }
  const std::regex pattern(
      fmt::format("(^|[ \n(])((?:[0-9][0-9,]* )?(?:{}))(?=$|[ \n,.;:)])", fmt::join(words, "|")));
  return std::regex_replace(text, pattern, "$1" + fmt::format(fmt::fg(colour), "$2"));
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
  std::string out(text);
  if (showsColours(stream)) {
    out = coloured(out, fmt::terminal_color::green, {"conforms", "caught"});
    out = coloured(out, fmt::terminal_color::red, {"broken", "failed", "SURVIVED", "PROBLEM"});
    out = coloured(out, fmt::terminal_color::yellow, {});
  }
  fmt::print(stream, "{}", out);
}

}  // namespace dmlcts
