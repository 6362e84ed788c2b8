#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/language/case.h"

// A user's own cases: a text of case strings, one per line. "#" begins a comment at the start of a
// line or behind a blank; empty lines are skipped.

namespace dmlcts {

// Returns why a case from a user or file cannot be run here, or nothing. It may contradict itself
// (caseProblem()), or harness and worker together may need more memory than is available. Cases of
// tiers need no check.
std::optional<std::string> whyNotRunnable(const Case& testCase);

// The option's value for standard input, and the name that messages and reports give it.
inline constexpr const char* kStandardInput = "-";
std::string nameOfCaseFile(const std::string& file);

// Returns why a case cannot be used, or nothing.
using CaseCheck = std::function<std::optional<std::string>(const Case&)>;

// Reads the .npy files of cases' fills. Throws InputError, "FILE: …", for a file that is no array
// of the tensor's type and sizes, that has another hash than the case string says, or that is no
// plain file. The files of one object have 1 GiB at most.
class NpyFiles {
 public:
  // Files' names are relative to the folder, without one to the current folder.
  explicit NpyFiles(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  // Afterwards, the case has its files' hashes, and names relative to the current folder.
  void read(Case& testCase);

 private:
  struct File {
    std::shared_ptr<const std::vector<uint8_t>> elements;
    std::string hash;
  };
  void read(NpyFill& npy, const TensorDesc& tensor);

  std::filesystem::path folder_;
  std::map<std::string, File> files_;  // by name, type and sizes
  uint64_t bytes_ = 0;
};

// Reads the file of that name, in UTF-8, or standard input. Throws InputError "FILE:LINE: …", with
// a line for each problem, on a line that is no case string, a case that fails the check, a case
// that is there twice, and on more lines or longer ones than are read. Files of fills are relative
// to the file's folder.
std::vector<Case> readCases(const std::string& file, const CaseCheck& check = whyNotRunnable);

// Reads a stream; messages call it `name`.
std::vector<Case> parseCases(std::istream& in, const std::string& name,
                             const CaseCheck& check = whyNotRunnable,
                             const std::filesystem::path& folder = {});

}  // namespace dmlcts
