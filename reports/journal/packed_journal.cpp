#include "reports/journal/packed_journal.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
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
  void put(const std::string& column, size_t line, std::string text) {
    const auto [found, fresh] = indexOf_.emplace(column, names.size());
    if (fresh) {
      names.push_back(column);
      cells.emplace_back();
    }
    cells[found->second].resize(line);
    cells[found->second].push_back(std::move(text));
  }

  std::vector<std::string> names;
  std::vector<std::vector<std::string>> cells;

 private:
  std::map<std::string, size_t> indexOf_;
};

// The words of a case string as JSON has it, without quotes; the whole where joining them with
// single spaces would not give it back.
void putCase(const std::string& quoted, size_t line, Columns& columns) {
  const std::string text = quoted.substr(1, quoted.size() - 2);
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.find("  ") != text.npos) {
    columns.put("case 0", line, text);
    return;
  }
  size_t at = 0;
  for (size_t word = 0; at <= text.size(); ++word) {
    const size_t end = std::min(text.find(' ', at), text.size());
    columns.put(fmt::format("case {}", word), line, text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::string packJournal(std::istream& in, const std::string& name) {
  Columns columns;
  size_t lines = 0;
  for (std::string text; std::getline(in, text); ++lines) {
    if (in.eof()) fail(name, lines + 1, "an unfinished line: only whole journals are packed");
    const Json json = parse(text, name, lines + 1);
    if (!json.is_object()) fail(name, lines + 1, "no object");
    if (json.contains("journal") || json.contains("mishap")) {  // few: kept as they are
      columns.put("header", lines, json.dump());
      continue;
    }
    for (const auto& [member, value] : json.items()) {
      // Names that columns have; no journal's entry has such a member.
      if (member == "header" || member.starts_with("case ")) {
        fail(name, lines + 1, "a member \"" + member + "\"");
      }
      if (member == "case" && value.is_string()) {
        putCase(value.dump(), lines, columns);
      } else if (member == "seconds" && value.is_number()) {
        columns.put(member, lines, fmt::format("{:.1e}", value.get<double>()));
      } else {
        columns.put(member, lines, value.dump());
      }
    }
  }
  std::string out =
      Json{{"packedJournal", 2}, {"lines", lines}, {"columns", columns.names}}.dump() + "\n";
  for (auto& column : columns.cells) {
    column.resize(lines);
    for (const std::string& cell : column) out += cell + "\n";
  }
  return out + checksumLine(addedTo(0, out)) + "\n";
}

UnpackedJournal unpackJournal(std::istream& in, const std::string& name) {
  Lines file(in, name);
  const Json head = parse(file.next(), name, 1);
  const Json version = head.is_object() ? head.value("packedJournal", Json()) : Json();
  if (version != 1 && version != 2) fail(name, 1, "no packed journal of version 1 or 2");
  std::vector<std::string> names;
  size_t lines = 0;
  try {
    names = head.at("columns").get<std::vector<std::string>>();
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
  for (const std::string& column : names) {
    for (size_t i = 0; i < lines; ++i) {
      const std::string& text = file.next();
      if (i == rows.size()) rows.emplace_back();
      if (text.empty()) continue;
      if (column == "header") {
        rows[i].header = text;
      } else if (column.starts_with("case ")) {
        rows[i].caseText += (rows[i].caseText.empty() ? "" : " ") + text;
      } else {
        rows[i].members += "," + Json(column).dump() + ":" + text;
      }
    }
  }
  UnpackedJournal unpacked{.lines = "", .checked = version == 2};
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
