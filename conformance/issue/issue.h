#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/language/case.h"
#include "reports/summary/summary.h"

// Issues for other projects' trackers: a text, and a standalone reproduction in the format of their
// own tests.

namespace dmlcts {

// Names that `dmlcts report issue --to` accepts.
inline constexpr std::array<std::string_view, 4> kTrackers{"wine", "vkd3d", "mesa", "onnxruntime"};

// A failing case, from a report or from the bundle that it was shrunk into.
struct FailingCase {
  Case testCase;
  Verdict verdict = Verdict::Fail;
  std::string message;
  std::vector<Difference> differences;
  std::string shrunkFrom;  // a case string, or ""
  CauseRule rule;
};

struct IssueFile {
  std::string name;  // may begin with a folder: "test_data_set_0/input_0.pb"
  std::string content;
};

// Returns the files of an issue, issue.md first. Throws std::invalid_argument with the reason if
// the case does not suit the tracker.
std::vector<IssueFile> issueFiles(std::string_view tracker, const Report& report,
                                  const Cluster& cluster, const FailingCase& failing);

// Returns the issue of the driver's fault that the target of a run without failures avoids.
std::vector<IssueFile> driverFaultIssue(const Report& report);

// Returns every name that a file of an issue can have.
std::vector<std::string> issueFileNames();

}  // namespace dmlcts
