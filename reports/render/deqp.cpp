#include "reports/render/writers.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace dmlcts {
namespace {

// deqp-runner fails a run only for Fail, Crash, Timeout, Missing and UnexpectedImprovement.
// NotSupported fails our runs, so it must become Fail there.
std::string_view statusOf(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts.size()> kStatuses{
      "Pass",    "Fail",   "Warn",  "Fail", "Skip",         "Crash",
      "Timeout", "Crash",  "Flake", "Skip", "ExpectedFail", "UnexpectedImprovement(Pass)",
      "Skip",    "Missing"};
  return kStatuses.at(static_cast<size_t>(verdict));
}

bool inBaseline(std::string_view status) {
  return status == "Fail" || status == "Crash" || status == "Timeout" || status == "Missing" ||
         status == "ExpectedFail";
}

std::string escaped(unsigned char byte) { return fmt::format("%{:02X}", byte); }

// Returns a regular expression that matches this name only.
std::string regexOf(std::string_view name) {
  std::string regex = "^";
  for (char c : name) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) regex += '\\';
    regex += c;
  }
  return regex + "$";
}

}  // namespace

std::string deqpName(std::string_view caseString) {
  std::string name;
  for (char c : caseString) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      name += '/';
    } else if (c == ',') {
      name += ';';
    } else if (c == '/' || c == ';' || c == '%' || byte <= 0x20 || byte >= 0x7F ||
               (c == '#' && name.empty())) {
      name += escaped(byte);
    } else {
      name += c;
    }
  }
  return name;
}

DeqpFiles deqpFiles(const Report& report) {
  struct Result {
    std::string_view status;
    double seconds = 0;
  };
  std::map<std::string, Result> results;
  for (const JournalEntry& entry : report.cases) {
    results[deqpName(entry.caseString)] = {statusOf(entry.verdict), entry.seconds};
  }
  size_t number = 0;
  for (const JournalWorkerFailure& workerFailure : report.workerFailures) {
    results[fmt::format("worker-failure/{}", ++number)] = {statusOf(workerFailure.verdict), 0};
  }
  const std::string shortfall = shortfallOf(report);
  const std::string missing = "run/" + deqpName(shortfall);
  if (!shortfall.empty()) results[missing] = {"Missing", 0};
  DeqpFiles files;
  files.fails = "# What did not succeed, as a baseline for deqp-runner\n";
  files.flakes = "# What went wrong once and not again\n";
  files.skips = "# What this target cannot be asked, and cases that prove nothing\n";
  for (const auto& [name, result] : results) {
    files.results += fmt::format("{},{},{:.6f}\n", name, result.status, result.seconds);
    // The next run is not expected to end early, too.
    if (inBaseline(result.status) && name != missing)
      files.fails += fmt::format("{},{}\n", name, result.status);
    if (result.status == "Flake") files.flakes += regexOf(name) + "\n";
    if (result.status == "Skip") files.skips += regexOf(name) + "\n";
  }
  return files;
}

}  // namespace dmlcts
