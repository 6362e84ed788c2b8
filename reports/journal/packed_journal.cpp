#include "reports/journal/packed_journal.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "reports/journal/input_error.h"

namespace dmlcts {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& name, size_t line, const std::string& problem) {
  throw InputError(fmt::format("{}:{}: {}", name, line, problem));
}

Json parse(const std::string& text, const std::string& name, size_t line) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    fail(name, line, error.what());
  }
}

// The last line of a packed journal, without its end.
std::string checksumLine(uLong crc) { return fmt::format("{{\"crc32\":\"{:08x}\"}}", crc); }

uLong addedTo(uLong crc, std::string_view text) {
  return crc32_z(crc, reinterpret_cast<const Bytef*>(text.data()), text.size());
}

// The lines of a packed journal, counted and summed up.
class Lines {
 public:
  Lines(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  const std::string& next() {
    if (!std::getline(in_, text_) || in_.eof()) fail(name_, number_, "the file ends early");
    ++number_;
    before_ = crc_;
    crc_ = addedTo(addedTo(crc_, text_), "\n");
    return text_;
  }
  void end() {
    if (in_.peek() != std::istream::traits_type::eof()) {
      fail(name_, number_ + 1, "a line behind the last");
    }
  }
  size_t number() const { return number_; }  // of the last line
  uLong before() const { return before_; }   // the checksum of all lines before it

 private:
  std::istream& in_;
  const std::string& name_;
  std::string text_;
  size_t number_ = 0;
  uLong crc_ = 0;
  uLong before_ = 0;
};

// Columns in order of first appearance.
class Columns {
 public:
  void set(const std::string& column, size_t line, std::string text) {
    const auto [found, fresh] = indexOf_.emplace(column, names.size());
    if (fresh) {
      names.push_back(column);
      cells.emplace_back();
    }
    auto& of = cells[found->second];
    of.resize(std::max(of.size(), line + 1));
    of[line] = std::move(text);
  }

  // Those that hold nothing.
  void drop() {
    for (size_t i = names.size(); i-- > 0;) {
      if (std::ranges::any_of(cells[i], [](const auto& cell) { return !cell.empty(); })) continue;
      names.erase(names.begin() + static_cast<ptrdiff_t>(i));
      cells.erase(cells.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  std::vector<std::string> names;
  std::vector<std::vector<std::string>> cells;

 private:
  std::map<std::string, size_t> indexOf_;
};

// A word of a case string: KEY=VALUE, or KEY=TYPE:VALUE. The first word is a value alone.
struct Word {
  std::string_view key, type, value;
};

// The words of a case string, as JSON has it without quotes; none where they would not give it
// back.
std::vector<Word> wordsOf(std::string_view text) {
  std::vector<Word> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    Word word{{}, {}, text.substr(at, end - at)};
    if (!words.empty()) {
      const size_t equals = word.value.find('=');
      if (equals == std::string_view::npos) return {};
      word.key = word.value.substr(0, equals);
      word.value.remove_prefix(equals + 1);
      const size_t colon = word.value.find(':');
      if (colon != std::string_view::npos) {
        word.type = word.value.substr(0, colon);
        word.value.remove_prefix(colon + 1);
        if (word.type.empty()) return {};
      }
      const bool known = std::ranges::find(words, word.key, &Word::key) != words.end();
      if (word.key.empty() || known || word.key.find(':') != std::string_view::npos) return {};
    }
    if (word.value.empty() || word.value.ends_with(':') || word.value.starts_with('~')) return {};
    words.push_back(word);
    at = end + 1;
  }
  return words;
}

std::vector<std::string_view> sizesOf(std::string_view text) {
  std::vector<std::string_view> sizes;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('x', at), text.size());
    sizes.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return sizes;
}

size_t alike(std::span<const std::string_view> a, std::span<const std::string_view> b) {
  size_t count = 0;
  while (count < a.size() && count < b.size() &&
         a[a.size() - 1 - count] == b[b.size() - 1 - count]) {
    ++count;
  }
  return count;
}

// Whether the sizes of a word without a type are told by those of the two before it, which have
// one: what a gather makes of an input and indices.
bool isTold(std::span<const Word> before) {
  return before.size() >= 2 && !before.back().type.empty() &&
         !before[before.size() - 2].type.empty();
}

// "~REST~P~S": REST, then P sizes before the last of the word before, then the last S of the one
// before that. The text itself where they have nothing in common.
std::string told(std::string_view text, std::span<const Word> before) {
  const auto sizes = sizesOf(text);
  const auto slices = sizesOf(before[before.size() - 2].value);
  auto tuples = sizesOf(before.back().value);
  tuples.pop_back();
  std::string best(text);
  size_t least = text.size();
  for (size_t last = alike(sizes, slices) + 1; last-- > 0;) {
    const auto front = std::span(sizes).first(sizes.size() - last);
    const size_t middle = alike(front, tuples);
    if (last + middle == 0) continue;
    const std::string rest = fmt::format("{}", fmt::join(front.first(front.size() - middle), "x"));
    if (rest.size() >= least) continue;
    least = rest.size();
    best = fmt::format("~{}~{}~{}", rest, middle, last);
  }
  return best;
}

// What told() made; nothing of what it does not make.
std::optional<std::string> untold(std::string_view cell, std::span<const Word> before) {
  if (!isTold(before)) return std::nullopt;
  const size_t middle = cell.find('~', 1);
  const size_t last = middle == cell.npos ? middle : cell.find('~', middle + 1);
  if (last == cell.npos) return std::nullopt;
  const auto slices = sizesOf(before[before.size() - 2].value);
  auto tuples = sizesOf(before.back().value);
  tuples.pop_back();
  std::string text(cell.substr(1, middle - 1));
  const auto append = [&](std::string_view number, const std::vector<std::string_view>& from) {
    size_t count = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (error != std::errc() || end != number.data() + number.size() || count > from.size()) {
      return false;
    }
    for (size_t i = from.size() - count; i < from.size(); ++i) {
      text += (text.empty() ? "" : "x") + std::string(from[i]);
    }
    return true;
  };
  if (!append(cell.substr(middle + 1, last - middle - 1), tuples)) return std::nullopt;
  if (!append(cell.substr(last + 1), slices)) return std::nullopt;
  return text;
}

constexpr std::string_view kWhole = "case :";  // of case strings that words would not give back

// Every key behind those that it follows in some case, as far as that can be.
std::vector<std::string_view> inOrder(const std::vector<std::vector<Word>>& cases) {
  std::map<std::string_view, std::set<std::string_view>> before;  // what it follows directly
  for (const std::vector<Word>& words : cases) {
    for (size_t i = 0; i < words.size(); ++i) {
      auto& ahead = before[words[i].key];
      if (i > 0) ahead.insert(words[i - 1].key);
    }
  }
  std::vector<std::string_view> order;
  while (!before.empty()) {
    const auto free = std::ranges::find_if(before, [&](const auto& each) {
      return std::ranges::none_of(each.second, [&](auto key) { return before.contains(key); });
    });
    if (free == before.end()) break;
    order.push_back(free->first);
    before.erase(free);
  }
  return order;
}

// Columns for the words of each line's case, in the order that its words have.
void putCases(const std::vector<std::string>& texts, Columns& columns) {
  std::vector<std::vector<Word>> cases;
  for (const std::string& text : texts) cases.push_back(wordsOf(text));
  std::map<std::string_view, size_t> placeOf;
  for (std::string_view key : inOrder(cases)) {
    placeOf.emplace(key, placeOf.size());
    columns.set(fmt::format("case {}:", key), 0, "");
    columns.set(fmt::format("case {}", key), 0, "");
  }
  for (size_t line = 0; line < texts.size(); ++line) {
    const std::vector<Word>& words = cases[line];
    const auto place = [&](const Word& word) {
      const auto found = placeOf.find(word.key);
      return found == placeOf.end() ? SIZE_MAX : found->second;
    };
    const bool regular = !words.empty() && place(words.back()) != SIZE_MAX &&
                         std::ranges::is_sorted(words, {}, place);
    if (!regular && !texts[line].empty()) columns.set(std::string(kWhole), line, texts[line]);
    for (size_t i = 0; regular && i < words.size(); ++i) {
      const std::string name = fmt::format("case {}", words[i].key);
      if (!words[i].type.empty()) columns.set(name + ":", line, std::string(words[i].type));
      const std::span before = std::span(words).first(i);
      columns.set(name, line,
                  words[i].type.empty() && isTold(before) ? told(words[i].value, before)
                                                          : std::string(words[i].value));
    }
  }
}

// Long texts that come again are numbers then: "=TEXT" where it is new, its number, by appearance,
// where it is not.
bool areLong(const std::vector<std::string>& cells) {
  size_t filled = 0, bytes = 0;
  for (const std::string& cell : cells) {
    filled += cell.empty() ? 0 : 1;
    bytes += cell.size();
  }
  return bytes > 16 * filled;
}

void number(std::vector<std::string>& cells) {
  std::unordered_map<std::string, size_t> numbers;
  for (std::string& cell : cells) {
    if (cell.empty()) continue;
    const auto [found, fresh] = numbers.emplace(cell, numbers.size());
    cell = fresh ? "=" + cell : std::to_string(found->second);
  }
}

// Of a column of words.
class WordColumn {
 public:
  explicit WordColumn(std::string_view column)
      : whole_(column == kWhole || column == "case "), isType_(column.ends_with(':')) {
    if (!whole_) {
      key_ = " " + std::string(column.substr(5, column.size() - 5 - (isType_ ? 1 : 0))) + "=";
    }
  }

  // Appends what a cell says. False where it says nothing.
  bool add(std::string& text, const std::string& cell) const {
    if (whole_) {
      text += cell;
      return true;
    }
    std::optional<std::string> sizes;
    if (cell.starts_with('~')) {
      sizes = untold(cell, wordsOf(text));
      if (!sizes) return false;
    }
    if (!text.ends_with(':')) text += key_;  // else begun by the type, which no value ends like
    text += sizes ? *sizes : cell;
    if (isType_) text += ':';
    return true;
  }

 private:
  bool whole_;
  bool isType_;
  std::string key_;
};

// The column of words that a member repeats, if one does; "".
std::string repeated(const std::vector<std::string>& cells, const Columns& words) {
  const auto same = [](const std::string& member, const std::string& word) {
    return word.empty() ? member.empty()
                        : member.size() == word.size() + 2 && member.front() == '"' &&
                              member.compare(1, word.size(), word) == 0;
  };
  for (size_t i = 0; i < words.names.size(); ++i) {
    if (cells.size() == words.cells[i].size() && std::ranges::equal(cells, words.cells[i], same)) {
      return words.names[i];
    }
  }
  return "";
}

class Numbered {
 public:
  // The text that a cell stands for; nothing where it is none.
  std::optional<std::string> text(const std::string& cell) {
    if (cell.starts_with('=')) return texts_.emplace_back(cell.substr(1));
    size_t number = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc() || end != cell.data() + cell.size() || number >= texts_.size()) {
      return std::nullopt;
    }
    return texts_[number];
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace

std::string packJournal(std::istream& in, const std::string& name) {
  Columns members;
  std::vector<std::string> cases;  // of each line, as JSON has it without quotes; "" of a header
  size_t lines = 0;
  for (std::string text; std::getline(in, text); ++lines) {
    if (in.eof()) fail(name, lines + 1, "an unfinished line: only whole journals are packed");
    const Json json = parse(text, name, lines + 1);
    if (!json.is_object()) fail(name, lines + 1, "no object");
    cases.emplace_back();
    if (json.contains("journal") || json.contains("mishap")) {  // few: kept as they are
      members.set("header", lines, json.dump());
      continue;
    }
    for (const auto& [member, value] : json.items()) {
      // Names that columns have; no journal's entry has such a member.
      if (member == "header" || member.starts_with("case ")) {
        fail(name, lines + 1, "a member \"" + member + "\"");
      }
      if (member == "case" && value.is_string()) {
        cases.back() = value.dump();
        cases.back() = cases.back().substr(1, cases.back().size() - 2);
      } else if (member == "seconds" && value.is_number()) {
        members.set(member, lines, fmt::format("{:.1e}", value.get<double>()));
      } else {
        members.set(member, lines, value.dump());
      }
    }
  }
  Columns columns;
  putCases(cases, columns);
  columns.drop();
  for (auto& column : columns.cells) column.resize(lines);
  const Columns words = columns;
  std::vector<std::string> numbered;
  Json like = Json::object();
  for (size_t i = 0; i < members.names.size(); ++i) {
    members.cells[i].resize(lines);
    columns.names.push_back(members.names[i]);
    if (std::string same = repeated(members.cells[i], words); !same.empty()) {
      like[members.names[i]] = std::move(same);
      columns.cells.emplace_back();
      continue;
    }
    columns.cells.push_back(std::move(members.cells[i]));
    if (!areLong(columns.cells.back()) || members.names[i] == "header") continue;
    number(columns.cells.back());
    numbered.push_back(members.names[i]);
  }
  std::string out = Json{{"packedJournal", 3},
                         {"lines", lines},
                         {"numbered", numbered},
                         {"like", like},
                         {"columns", columns.names}}
                        .dump() +
                    "\n";
  for (const auto& column : columns.cells) {
    for (const std::string& cell : column) out += cell + "\n";
  }
  return out + checksumLine(addedTo(0, out)) + "\n";
}

UnpackedJournal unpackJournal(std::istream& in, const std::string& name) {
  Lines file(in, name);
  const Json head = parse(file.next(), name, 1);
  const Json version = head.is_object() ? head.value("packedJournal", Json()) : Json();
  if (version != 1 && version != 2 && version != 3) {
    fail(name, 1, "no packed journal of version 1 to 3");
  }
  std::vector<std::string> names;
  std::vector<std::string> numbered;
  std::map<std::string, std::string> like;
  size_t lines = 0;
  try {
    names = head.at("columns").get<std::vector<std::string>>();
    if (version == 3) {
      numbered = head.at("numbered").get<std::vector<std::string>>();
      like = head.at("like").get<std::map<std::string, std::string>>();
    }
    const Json& count = head.at("lines");
    if (!count.is_number_unsigned()) fail(name, 1, "\"lines\" is not a number of lines");
    lines = count.get<size_t>();
  } catch (const Json::exception& error) {
    fail(name, 1, error.what());
  }
  struct Row {
    std::string header;
    std::string caseText;
    std::string members;
  };
  std::vector<Row> rows;
  std::map<std::string, std::vector<std::string>> repeatedCells;
  for (const auto& [member, of] : like) repeatedCells[of];
  for (const std::string& column : names) {
    const std::string member = "," + Json(column).dump() + ":";
    if (const auto same = like.find(column); same != like.end()) {
      const std::vector<std::string>& cells = repeatedCells[same->second];
      if (cells.size() != lines)
        fail(name, 1, "\"like\" names no column before \"" + column + "\"");
      for (size_t i = 0; i < lines; ++i) {
        if (!cells[i].empty()) rows[i].members += member + '"' + cells[i] + '"';
      }
      continue;
    }
    const auto kept = repeatedCells.find(column);
    const bool isNumbered = std::ranges::find(numbered, column) != numbered.end();
    const bool isWord = column.starts_with("case ");
    const std::optional<WordColumn> word =
        version == 3 && isWord ? std::optional<WordColumn>(column) : std::nullopt;
    Numbered texts;
    for (size_t i = 0; i < lines; ++i) {
      std::string text = file.next();
      if (i == rows.size()) rows.emplace_back();
      if (kept != repeatedCells.end()) kept->second.push_back(text);
      if (text.empty()) continue;
      if (isNumbered) {
        auto of = texts.text(text);
        if (!of) fail(name, file.number(), "no text, and no number of one before");
        text = *std::move(of);
      }
      if (column == "header") {
        rows[i].header = text;
      } else if (word) {
        if (!word->add(rows[i].caseText, text)) {
          fail(name, file.number(), "sizes that the words before do not tell");
        }
      } else if (isWord) {
        rows[i].caseText += (rows[i].caseText.empty() ? "" : " ") + text;
      } else {
        rows[i].members += member + text;
      }
    }
  }
  UnpackedJournal unpacked{.lines = "", .checked = version != 1};
  if (unpacked.checked) {
    const std::string& sum = file.next();
    if (sum != checksumLine(file.before())) {
      fail(name, file.number(), "damaged: the checksum of the lines before is not what this says");
    }
  }
  file.end();
  for (const Row& row : rows) {
    unpacked.lines +=
        row.header.empty() ? "{\"case\":\"" + row.caseText + "\"" + row.members + "}" : row.header;
    unpacked.lines += '\n';
  }
  return unpacked;
}

}  // namespace dmlcts
