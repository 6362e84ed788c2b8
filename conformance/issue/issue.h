#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "reports/summary/summary.h"

// What the trackers of other projects take: an issue's text, and beside it something standalone
// that shows the fault, in the form that their own tests have.

namespace dmlcts {

// By the names that `dmlcts report issue --to` takes.
inline constexpr std::array<std::string_view, 4> kTrackers{"wine", "vkd3d", "mesa", "onnxruntime"};

// A failing case, of a report or of the bundle that it was shrunk into.
struct FailingCase {
  Case testCase;
  Verdict verdict = Verdict::Fail;
  std::string message;
  std::vector<std::string> differences;
  std::string shrunkFrom;  // a case string, or ""
  CauseRule rule;
};

struct IssueFile {
  std::string name;  // may begin with a folder: "test_data_set_0/input_0.pb"
  std::string content;
};

// The files of an issue, issue.md first. Throws std::invalid_argument, saying why, where the
// tracker cannot be given that case.
std::vector<IssueFile> issueFiles(std::string_view tracker, const Report& report,
                                  const Cluster& cluster, const FailingCase& failing);

// Every name that a file of an issue can have.
std::vector<std::string> issueFileNames();

}  // namespace dmlcts
