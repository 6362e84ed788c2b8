#include "reports/packed_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace dmlcts {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& name, size_t line, const std::string& problem) {
  throw std::runtime_error(fmt::format("{}:{}: {}", name, line, problem));
}

Json parse(const std::string& text, const std::string& name, size_t line) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    fail(name, line, error.what());
  }
}

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
      Json{{"packedJournal", 1}, {"lines", lines}, {"columns", columns.names}}.dump() + "\n";
  for (auto& column : columns.cells) {
    column.resize(lines);
    for (const std::string& cell : column) out += cell + "\n";
  }
  return out;
}

std::string unpackJournal(std::istream& in, const std::string& name) {
  std::string text;
  std::getline(in, text);
  const Json head = parse(text, name, 1);
  if (!head.is_object() || !head.contains("packedJournal") || head["packedJournal"] != 1) {
    fail(name, 1, "no packed journal of version 1");
  }
  std::vector<std::string> names;
  size_t lines = 0;
  try {
    names = head.at("columns").get<std::vector<std::string>>();
    const Json& count = head.at("lines");
    if (!count.is_number_unsigned()) fail(name, 1, "\"lines\" is no number of lines");
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
  size_t at = 1;
  for (const std::string& column : names) {
    for (size_t i = 0; i < lines; ++i) {
      if (!std::getline(in, text)) fail(name, at, "the file ends early");
      ++at;
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
  std::string out;
  for (const Row& row : rows) {
    out +=
        row.header.empty() ? "{\"case\":\"" + row.caseText + "\"" + row.members + "}" : row.header;
    out += '\n';
  }
  return out;
}

}  // namespace dmlcts
