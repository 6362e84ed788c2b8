#include "reports/journal/json.h"

#include <array>

namespace dmlcts {
namespace {

InputError wrongJson(std::string_view where, const std::string& what) {
  return InputError(where.empty() ? what : std::string(where) + ": " + what);
}

}  // namespace

void requireShallow(std::string_view text, std::string_view where) {
  // Most lines of a journal have too few brackets to be deep.
  const auto brackets = std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; });
  if (static_cast<size_t>(brackets) <= kMostNested) return;
  size_t depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        inString = false;
      }
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostNested) {
        throw wrongJson(where,
                        "not JSON of ours: nested deeper than " + std::to_string(kMostNested));
      }
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

bool mayHide(std::string_view text) {
  // In one pass, because every line of a journal goes through here.
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    switch (text[at]) {
      case '\x7F':  // DEL, and what the others' UTF-8 begins with; JSON escapes those below the
                    // space
      case '\xC2':
      case '\xE2':
        return true;
      case ':':  // twice, it may be a command to a CI service
      case '#':
        if (next == text[at]) return true;
        break;
      case '\\':
        if (next != '"' && next != '\\' && next != '/') return true;
        ++at;
        break;
      default:
        break;
    }
  }
  return false;
}

bool mayHaveLines(std::string_view member) {
  constexpr std::array<std::string_view, 5> kLong{"message", "note", "attempts", "workerStderr",
                                                  "problem"};
  return std::ranges::find(kLong, member) != kLong.end();
}

std::string problemOf(const nlohmann::json::exception& error) {
  const std::string_view text = error.what();
  const size_t end = text.find("] ");
  return std::string(end == text.npos ? text : text.substr(end + 2));
}

// Keeps what the parser says, without the text, which may be the whole file.
void throwNotJson(const nlohmann::json::exception& error, std::string_view where) {
  const std::string text = problemOf(error);
  throw wrongJson(where, "not JSON: " + text.substr(0, text.find("; last read")));
}

}  // namespace dmlcts
