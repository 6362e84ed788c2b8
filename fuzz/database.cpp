#include "fuzz/database.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "conformance/language/case_string.h"
#include "conformance/language/hash.h"
#include "conformance/run/replay/case_file.h"
#include "reports/journal/folder.h"
#include "reports/journal/input_file.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTarget = "# target: ";
constexpr std::string_view kRelation = "# relation: ";
constexpr std::string_view kSuffix = ".case";

Case readCase(const std::string& line) {
  Case testCase = parseCase(line);
  if (const auto problem = whyNotRunnable(testCase)) throw std::runtime_error(*problem);
  return testCase;
}

// Returns a finding's file name, the same in any database.
std::string nameOf(const Subject& subject, const std::string& target) {
  std::string key = target + "\n" + (subject.relation ? std::string(subject.relation->name) : "");
  for (const Case& each : subject.before) key += "\n" + caseString(each);
  key += "\n" + caseString(subject.testCase) + "\n";
  return fmt::format("{}-{:016x}{}", operatorName(subject.testCase.descriptor), stableHash(key),
                     kSuffix);
}

Example readExample(const fs::path& file) {
  Example example = parseExample(readInput(file), file.string());
  example.file = file;
  return example;
}

}  // namespace

uint64_t stableHash(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.value();
}

const Relation* findRelation(std::string_view name) {
  const auto all = relations();
  const auto found = std::ranges::find(all, name, &Relation::name);
  return found == all.end() ? nullptr : &*found;
}

Example parseExample(const std::string& text, const std::string& name) {
  Example example;
  std::vector<Case> cases;
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    try {
      if (line.starts_with(kTarget)) example.target = line.substr(kTarget.size());
      if (line.starts_with(kRelation)) {
        example.subject.relation = findRelation(std::string_view(line).substr(kRelation.size()));
        if (!example.subject.relation) throw std::runtime_error("no such relation");
      }
      if (line.empty() || line.front() == '#') continue;
      cases.push_back(readCase(line));
    } catch (const std::runtime_error& error) {  // SyntaxError is one
      throw std::runtime_error(fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
  if (cases.empty()) throw std::runtime_error(name + ": no case string in it");
  example.subject.testCase = std::move(cases.back());
  cases.pop_back();
  example.subject.before = std::move(cases);
  return example;
}

Database::Database(fs::path folder) : folder_(std::move(folder)) {
  if (folder_.empty() || !fs::exists(folder_)) return;
  Folder(folder_).removeLeftovers();
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != kSuffix) continue;
    try {
      examples_.push_back(readExample(entry.path()));
    } catch (const std::runtime_error& error) {
      problems_.push_back(error.what());
    }
  }
  std::ranges::sort(examples_, {}, &Example::file);
  std::ranges::sort(problems_);
}

void Database::keepOnly(const std::unordered_set<std::string>& names) {
  std::erase_if(examples_, [&](const Example& each) {
    return !names.contains(each.file.filename().string());
  });
}

bool Database::holds(const Finding& finding, const std::string& target) const {
  const std::string name = nameOf(finding.subject, plainLine(target));
  return std::ranges::any_of(examples_, [&](const Example& example) {
    return nameOf(example.subject, example.target) == name;
  });
}

void Database::store(const Finding& finding, const std::string& target, const std::string& where) {
  if (folder_.empty()) return;
  const Subject& subject = finding.subject;
  std::vector<std::string> lines;
  for (const Case& each : subject.before) lines.push_back(caseString(each));
  lines.push_back(caseString(subject.testCase));
  std::string text = fmt::format(
      "# dmlcts fuzz: an example of a failure\n{}{}\n# on: {}\n# failed: {} {}\n# found as: {}\n",
      kTarget, plainLine(target), plainLine(where), name(finding.judgement.verdict),
      plainLine(finding.judgement.message), finding.foundAs);
  if (subject.relation) text += fmt::format("{}{}\n", kRelation, subject.relation->name);

  // Two hosts may find the same failure at once.
  Folder(folder_).replace({textFile(nameOf(subject, plainLine(target)),
                                    text + fmt::format("{}\n", fmt::join(lines, "\n")))});
}

void Database::remove(const Example& example) { Folder(folder_).remove(example.file.filename()); }

}  // namespace dmlcts
