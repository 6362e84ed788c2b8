#include "conformance/run/case_file.h"

#include <fmt/format.h>

#include <iostream>
#include <string_view>
#include <unordered_map>

#include "conformance/cases/case_string.h"
#include "conformance/run/environment.h"
#include "reports/journal/input_error.h"
#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

constexpr size_t kMostLines = 100'000;  // as many as the default tier has cases
constexpr size_t kMostLength = 65536;   // bytes of a line
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Removes the comment.
std::string_view withoutComment(std::string_view line) {
  for (size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::string nameOfCaseFile(const std::string& file) {
  return file == kStandardInput ? "standard input" : file;
}

std::vector<Case> readCases(const std::string& file, const CaseCheck& check) {
  const std::string name = nameOfCaseFile(file);
  if (file == kStandardInput) return parseCases(std::cin, name, check);
  return parseCases(*openInput(pathOf(file)), name, check);
}

std::vector<Case> parseCases(std::istream& in, const std::string& name, const CaseCheck& check) {
  std::vector<Case> cases;
  std::unordered_map<std::string, size_t> lines;  // line numbers by case string
  std::string buffer(kMostLength + 1, '\0');
  size_t number = 1;
  const auto fail = [&](const std::string& problem) {
    throw InputError(fmt::format("{}:{}: {}", name, number, problem));
  };
  for (; in.getline(buffer.data(), static_cast<std::streamsize>(buffer.size())); ++number) {
    if (number > kMostLines) {
      fail(fmt::format("a file of cases has at most {} lines: split it", kMostLines));
    }
    const auto length = static_cast<size_t>(in.gcount()) - (in.eof() ? 0 : 1);
    std::string_view line(buffer.data(), length);
    if (line.find('\0') != line.npos) fail("has a NUL byte: the file must be UTF-8 text");
    if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = withoutComment(line);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    try {
      cases.push_back(parseCase(line));
    } catch (const SyntaxError& error) {
      fail(error.what());
    }
    if (const auto problem = check(cases.back())) fail(*problem);
    const auto [first, isNew] = lines.emplace(caseString(cases.back()), number);
    if (!isNew) fail(fmt::format("is the case of {}:{} again: remove one", name, first->second));
  }
  if (in.bad()) throw InputError(name + ": cannot be read");
  if (!in.eof()) fail(fmt::format("is longer than {} bytes", kMostLength));
  if (cases.empty()) throw InputError(name + ": has no case string");
  return cases;
}

}  // namespace dmlcts
