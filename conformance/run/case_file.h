#pragma once

#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/run/runnable.h"

// A user's own cases: a text of case strings, one per line. "#" begins a comment at the start of a
// line or behind a blank; empty lines are skipped.

namespace dmlcts {

// The option's value for standard input, and the name that messages and reports give it.
inline constexpr const char* kStandardInput = "-";
std::string nameOfCaseFile(const std::string& file);

// Returns why a case cannot be used, or nothing.
using CaseCheck = std::function<std::optional<std::string>(const Case&)>;

// Reads the file of that name, in UTF-8, or standard input. Throws InputError "FILE:LINE: …" on a
// line that is no case string, a case that fails the check, a case that is there twice, and on more
// lines or longer ones than are read.
std::vector<Case> readCases(const std::string& file, const CaseCheck& check = whyNotRunnable);

// Reads a stream; messages call it `name`.
std::vector<Case> parseCases(std::istream& in, const std::string& name,
                             const CaseCheck& check = whyNotRunnable);

}  // namespace dmlcts
