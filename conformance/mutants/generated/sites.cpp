#include "conformance/mutants/generated/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace dmlcts::mutation {
namespace {

const std::map<std::string_view, std::vector<std::string>> kOthers{
    {"+", {"-"}},        {"-", {"+"}},       {"*", {"+"}},        {"/", {"*"}},
    {"%", {"/"}},        {"&", {"|", "^"}},  {"|", {"&", "^"}},   {"^", {"&"}},
    {"<<", {">>"}},      {">>", {"<<"}},     {"<", {"<=", ">="}}, {"<=", {"<", ">"}},
    {">", {">=", "<="}}, {">=", {">", "<"}}, {"==", {"!="}},      {"!=", {"=="}},
    {"&&", {"||"}},      {"||", {"&&"}},     {"+=", {"-="}},      {"-=", {"+="}},
    {"*=", {"+="}},      {"/=", {"*="}},     {"%=", {"/="}},      {"|=", {"&="}},
    {"&=", {"|="}},      {"^=", {"|="}},     {"<<=", {">>="}},    {">>=", {"<<="}},
};

// More of them: the left term alone, a border moved the other way, equality of one side.
std::vector<std::string> moreOf(std::string_view text) {
  if (text == "==") return {"<=", ">="};
  if (text == "!=") return {"<", ">"};
  if (text == "&&" || text == "||") return {"without the right", "without the left"};
  if (text == "+" || text == "-" || text == "*") return {"left"};
  const bool orders = text == "<" || text == "<=" || text == ">" || text == ">=";
  return orders ? std::vector<std::string>{"shifted"} : std::vector<std::string>{};
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Blanks everything in which no site may lie; keeps the length.
std::string codeOf(std::string_view source) {
  std::string code(source);
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < to && i < code.size(); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  for (size_t i = 0; i < code.size(); ++i) {
    if (code.compare(i, 2, "//") == 0) {
      const size_t end = std::min(code.find('\n', i), code.size());
      blank(i, end);
      i = end;
    } else if (code.compare(i, 2, "/*") == 0) {
      const size_t end = std::min(code.find("*/", i), code.size() - 2) + 2;
      blank(i, end);
      i = end - 1;
    } else if (code[i] == '"' || (code[i] == '\'' && !(i > 0 && isWord(code[i - 1])))) {
      size_t end = i + 1;
      while (end < code.size() && code[end] != code[i]) end += code[end] == '\\' ? 2 : 1;
      blank(i + 1, end);
      i = end;
    }
  }
  // Preprocessor lines.
  bool continued = false;
  for (size_t begin = 0; begin < code.size();) {
    const size_t end = std::min(code.find('\n', begin), code.size());
    const std::string_view line = std::string_view(code).substr(begin, end - begin);
    const size_t hash = line.find_first_not_of(' ');
    const bool directive = hash != line.npos && line[hash] == '#';
    const bool hide = directive || continued;
    continued = (directive || continued) && line.ends_with('\\');
    const bool constant = line.find("constexpr") != line.npos ||
                          line.find("static_assert") != line.npos ||
                          line.find("template") != line.npos || line.find("  case ") != line.npos ||
                          line.find("operator") != line.npos || line.find("using ") != line.npos;
    if (hide || constant) blank(begin, end);
    begin = end + 1;
  }
  return code;
}

// Returns the position after the bracket that closes the one at `open`.
size_t closing(std::string_view code, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return code.size();
}

class Finder {
 public:
  explicit Finder(std::string_view source) : source_(source), code_(codeOf(source)) {}

  std::vector<Site> find() {
    size_t line = 1;
    for (size_t i = 0; i < code_.size();) {
      if (code_[i] == '\n') ++line;
      const bool starts = i == 0 || !isWord(code_[i - 1]);
      const size_t before = sites_.size();
      if (starts && std::isdigit(static_cast<unsigned char>(code_[i])) != 0) {
        i = literal(i);
      } else if (starts && isWord(code_[i])) {
        i = word(i);
      } else {
        i = symbol(i);
      }
      for (size_t k = before; k < sites_.size(); ++k) sites_[k].line = line;
    }
    std::ranges::stable_sort(sites_, {}, &Site::at);
    return std::move(sites_);
  }

 private:
  void add(SiteKind kind, size_t at, size_t length, std::vector<std::string> others) {
    sites_.push_back(
        {kind, at, length, 0, std::string(source_.substr(at, length)), std::move(others)});
  }

  size_t literal(size_t at) {
    size_t end = at;
    while (end < code_.size() && (isWord(code_[end]) || code_[end] == '\'' || code_[end] == '.'))
      ++end;
    const std::string text(source_.substr(at, end - at));
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
    const size_t suffix = digits.find_last_of("0123456789abcdefABCDEF") + 1;
    if (digits.find('.') != digits.npos) return end;
    size_t used = 0;
    const bool hex = digits.starts_with("0x");
    const auto value = std::stoull(digits, &used, hex ? 16 : 10);
    const std::string tail = digits.substr(std::max(used, hex ? suffix : used));
    const auto say = [&](uint64_t number) {
      return (hex ? fmt::format("0x{:X}", number) : std::to_string(number)) + tail;
    };
    std::vector<std::string> others{say(value + 1)};
    if (value > 0) others.push_back(say(value - 1));
    add(SiteKind::Literal, at, end - at, others);
    return end;
  }

  size_t word(size_t at) {
    size_t end = at;
    while (end < code_.size() && isWord(code_[end])) ++end;
    const std::string_view text = std::string_view(code_).substr(at, end - at);
    if ((text == "if" || text == "while") && code_.compare(end, 2, " (") == 0) {
      const size_t close = closing(code_, end + 1);
      const std::string_view condition = std::string_view(code_).substr(end + 2, close - end - 3);
      if (condition.find(" = ") == condition.npos && condition.find(';') == condition.npos) {
        add(SiteKind::Condition, end + 2, condition.size(),
            {fmt::format("!({})", source_.substr(end + 2, condition.size())), "false"});
      }
    }
    const size_t lineStart = code_.rfind('\n', at) + 1;
    const bool begins = code_.find_first_not_of(' ', lineStart) == at;
    static const std::vector<std::string_view> keywords{
        "return", "if",   "for",  "while",       "else",   "throw",  "const", "switch",
        "do",     "case", "auto", "static_cast", "inline", "delete", "using"};
    // Not the rest of an expression from another line.
    const size_t previous = code_.find_last_not_of(" \n", lineStart == 0 ? 0 : lineStart - 1);
    const bool follows =
        previous != code_.npos && previous < at &&
        (std::string_view(";{})").find(code_[previous]) != std::string_view::npos ||
         code_.compare(previous - std::min(previous, size_t{3}), 4, "else") == 0);
    if (begins && follows && lineStart != at &&
        std::ranges::find(keywords, text) == keywords.end()) {
      // A call for its effect, on one line: "barriers.push_back(all);", "outBytes.Store(at, x);"
      const size_t lineEnd = std::min(code_.find('\n', at), code_.size());
      const std::string_view line = std::string_view(code_).substr(at, lineEnd - at);
      const size_t open = line.find('(');
      const std::string_view callee = line.substr(0, open);
      const bool plain = open != line.npos && !callee.empty() &&
                         callee.find_first_of(" =") == callee.npos && line.ends_with(");") &&
                         closing(code_, at + open) == lineEnd - 1;
      if (plain) add(SiteKind::Statement, at, line.size() - 1, {""});
    }
    return end;
  }

  size_t symbol(size_t at) {
    const char before = at > 0 ? code_[at - 1] : '\n';
    if (before == ' ' || before == '\n') {
      size_t end = at;
      while (end < code_.size() &&
             std::string_view("+-*/%&|^<>=!").find(code_[end]) != std::string_view::npos) {
        ++end;
      }
      const std::string_view text = std::string_view(code_).substr(at, end - at);
      const auto known = kOthers.find(text);
      const bool spaced = end < code_.size() && (code_[end] == ' ' || code_[end] == '\n');
      if (known != kOthers.end() && spaced) {
        std::vector<std::string> others = known->second;
        std::ranges::copy(moreOf(text), std::back_inserter(others));
        const bool operands = text == "&&" || text == "||";
        const size_t from = operands ? edgeOf(text, at - 1, -1) : 0;
        const bool again = operands && code_.compare(from, 2, text) == 0;
        if (again) others.pop_back();  // the operator before drops that operand
        add(SiteKind::Operator, at, end - at, others);
        if (operands) {
          const size_t length = code_[from] == 'r' ? 6 : code_[from] == '|' ? 2 : 1;
          sites_.back().left = again ? 0 : code_.find_first_not_of(" \n", from + length);
          sites_.back().right = code_.find_last_not_of(" \n", edgeOf(text, end, 1) - 1) + 1;
        }
        return end;
      }
    }
    return at + 1;
  }

  // Returns the place that ends a lazy operator's operand, from `at` backwards or forwards.
  size_t edgeOf(std::string_view text, size_t at, int step) const {
    const std::string_view opens = step > 0 ? "([{" : ")]}";
    const std::string_view closes = step > 0 ? ")]}" : "([{";
    for (size_t depth = 0; at < code_.size(); at += static_cast<size_t>(step)) {
      const std::string_view rest = std::string_view(code_).substr(at);
      if (closes.find(rest[0]) != closes.npos && depth-- == 0) break;
      if (opens.find(rest[0]) != opens.npos) ++depth;
      const bool spaced = at > 0 && code_[at - 1] == ' ';
      if (depth == 0 && (rest[0] == ',' || rest[0] == ';' || rest.starts_with(text) ||
                         rest.starts_with("||") || rest.starts_with("return ") ||
                         (spaced && (rest.starts_with("= ") || rest.starts_with("? ") ||
                                     rest.starts_with(": "))))) {
        break;
      }
    }
    return at;
  }

  std::string_view source_;
  std::string code_;
  std::vector<Site> sites_;
};

}  // namespace

std::vector<Site> sitesOf(std::string_view source) { return Finder(source).find(); }

std::string withAll(std::string_view source, const std::vector<Site>& sites, size_t first) {
  // Uses insertions, because a condition contains sites. At one place what ends comes before what
  // begins, and of two that begin the longer one.
  std::multimap<std::pair<size_t, size_t>, std::string> before;
  const auto insert = [&](size_t at, std::string text) {
    before.emplace(std::pair(at, size_t{0}), std::move(text));
  };
  const auto wrap = [&](size_t from, size_t to, std::string open, std::string close) {
    before.emplace(std::pair(from, SIZE_MAX - to), std::move(open));
    insert(to, std::move(close));
  };
  size_t number = first;
  for (const Site& site : sites) {
    const size_t end = site.at + site.length;
    switch (site.kind) {
      case SiteKind::Operator: {
        // a + b becomes a + At<7>() + b, which has the same precedence for any a and b.
        const bool lazy = site.text == "&&" || site.text == "||";
        const bool assigns = site.text.size() > 1 && site.text.back() == '=' && site.text != "==" &&
                             site.text != "!=" && site.text != "<=" && site.text != ">=";
        if (lazy) {
          const bool both = site.text == "&&";
          const auto without = [&](size_t from, size_t to, size_t which) {
            wrap(from, to,
                 both ? fmt::format("(::dmlcts::mutation::when<{}>() || (", which)
                      : fmt::format("(::dmlcts::mutation::unless<{}>() && (", which),
                 "))");
          };
          insert(site.at, fmt::format("{} ::dmlcts::mutation::{}<{}>() ", site.text,
                                      both ? "unless" : "when", number));
          without(end + 1, site.right, number + 1);
          if (site.left != 0) without(site.left, site.at - 1, number + 2);
        } else if (assigns) {
          // x += y  becomes  x += Right<7, '+'>() = y.
          insert(end,
                 fmt::format(" ::dmlcts::mutation::Right<{}, '{}'>() =", number, site.text[0]));
        } else {
          insert(site.at, fmt::format("{} ::dmlcts::mutation::At<{}>() ", site.text, number));
        }
        break;
      }
      case SiteKind::Literal:
        wrap(site.at, end, fmt::format("::dmlcts::mutation::literal<{}>(", number), ")");
        break;
      case SiteKind::Condition:
        wrap(site.at, end, fmt::format("::dmlcts::mutation::flip<{}>(static_cast<bool>(", number),
             "))");
        break;
      case SiteKind::Statement:
        // Not `if`, because the statement may precede an `else`.
        wrap(site.at, end,
             fmt::format("::dmlcts::mutation::unless<{}>() ? static_cast<void>(", number),
             ") : void()");
        break;
    }
    number += site.others.size();
  }
  std::string text = "#include \"conformance/mutants/generated/mutation.h\"\n";
  size_t at = 0;
  for (const auto& [place, inserted] : before) {
    text += source.substr(at, place.first - at);
    text += inserted;
    at = place.first;
  }
  return text + std::string(source.substr(at));
}

}  // namespace dmlcts::mutation
