#include "conformance/issue/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/facts/rules_of.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/issue/onnx.h"
#include "conformance/run/journaling.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/replay/reproducer.h"
#include "conformance/run/required_target.h"
#include "reference/rules.h"
#include "reports/journal/limits.h"
#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// The tracker-specific parts of an issue.
struct Parts {
  std::vector<IssueFile> files;
  std::string reproduce;  // paragraphs
  std::string fields;     // form fields of the tracker, besides the text
  std::vector<std::string> limits;
};

struct Context {
  const Report& report;
  const FailingCase& failing;
  std::string caseText;
};

bool isOfOurKernels(const JournalHeader& run) { return run.implementation == "dmlcts kernels"; }

// Trackers.

void addProgram(const Context& context, Parts& parts) {
  parts.files.push_back({"reproducer.cpp", reproducer(context.failing.testCase)});
  parts.reproduce +=
      "`reproducer.cpp` is a program of one file for Windows and Wine. HEADERS are Microsoft's "
      "DirectX-Headers; it needs DirectML.dll beside it:\n\n"
      "    x86_64-w64-mingw32-g++ -std=c++20 -static -DWINE_SHIM -isystem HEADERS reproducer.cpp "
      "-o reproducer.exe\n"
      "    wine reproducer.exe\n\n"
      "It prints what is expected and what is, and exits with 1 where the fault shows.\n";
  if (isOfOurKernels(context.report.run)) {
    parts.limits.push_back(
        "`reproducer.cpp` asks DirectML, whose kernels are not those that failed: that it shows "
        "the fault is not certain.");
  }
}

void addWine(const Context& context, Parts& parts) {
  addProgram(context, parts);
  parts.reproduce +=
      "\nWine needs an X display, `WINE_D3D_CONFIG=renderer=vulkan`, and for a log "
      "`WINEDEBUG=+d3d12,+vkd3d`, `VKD3D_DEBUG=warn`. `-DWINE_SHIM` makes EnumerateMetaCommands(), "
      "which vkd3d does not implement, say that there are none; DirectML makes no device "
      "otherwise.\n";
  parts.fields =
      "| field | value |\n| --- | --- |\n| Product | Wine |\n| Component | directx-d3d12 |\n"
      "| Version | as `wine --version` says |\n| Keywords | source, testcase |\n"
      "| Attachments | `reproducer.cpp`, and a log |\n";
}

void addVkd3d(const Context& context, Parts& parts) {
  addProgram(context, parts);
  parts.fields =
      "| field | value |\n| --- | --- |\n| Product | vkd3d |\n| Component | vkd3d |\n"
      "| Attachment | `reproducer.cpp` |\n";
}

void addMesa(const Context& context, Parts& parts) {
  addProgram(context, parts);
  parts.fields =
      "| field | value |\n| --- | --- |\n"
      "| System information | of the machine with the fault: `inxi -GSC -xx`, `vulkaninfo "
      "--summary` |\n| Regression | not known: other versions of the driver were not run |\n";
}

void addOnnxRuntime(const Context& context, Parts& parts) {
  const Case& testCase = context.failing.testCase;
  const auto refuse = [](const std::string& why) {
    throw std::invalid_argument("ONNX cannot express it: " + why);
  };
  if (testCase.expect != Expect::Execute) refuse("nothing is executed");
  if (const std::string why = whyNotOnnx(testCase.descriptor); !why.empty()) refuse(why);
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    if (slot.desc->strides) refuse("its tensors have no strides, and these have");
  }
  const PreparedCase prepared = prepareSmall(testCase);
  std::vector<std::span<const uint8_t>> inputs, outputs;
  for (const gpu::BufferImage& image : prepared.requests.front().inputs) {
    inputs.push_back(std::span(image.bytes).subspan(image.offset, image.size));
  }
  for (const ReferenceOutput& output : prepared.expected) outputs.emplace_back(output.bytes);
  const OnnxCase onnx = onnxCase(testCase.descriptor, inputs, outputs);
  parts.files.push_back({"model.onnx", onnxModel(onnx)});
  for (size_t i = 0; i < onnx.inputs.size(); ++i) {
    parts.files.push_back(
        {fmt::format("test_data_set_0/input_{}.pb", i), onnxTensor(onnx.inputs[i])});
  }
  parts.files.push_back({"test_data_set_0/output_0.pb", onnxTensor(onnx.output)});
  parts.reproduce = fmt::format(
      "`model.onnx` is one {} node (opset 13), `test_data_set_0` its inputs and what is expected, "
      "as ONNX's own tests have them. From the folder that has this one:\n\n"
      "    onnx_test_runner -e dml FOLDER\n    onnx_test_runner -e cpu FOLDER\n",
      onnx.opType);
  parts.fields = fmt::format(
      "| field | value |\n| --- | --- |\n| Platform | {} |\n| Architecture | X64 |\n"
      "| Execution Provider | DirectML |\n| Execution Provider Library Version | DirectML {} |\n"
      "| ONNX Runtime Installation, Version, API | of what is used to reproduce it |\n",
      markdownCode(context.report.run.host), markdownCode(context.report.run.implementation));
  parts.limits.push_back(
      "It was found below ONNX Runtime, which may ask DirectML in another way: what its provider "
      "makes of this model was not run. Indices are int64 there, and dimension counts drop leading "
      "ones.");
}

using Adds = void (*)(const Context&, Parts&);
constexpr std::array<Adds, kTrackers.size()> kAdds{addWine, addVkd3d, addMesa, addOnnxRuntime};

// Text.

std::string environment(const JournalHeader& run) {
  std::string text = "| what | which |\n| --- | --- |\n";
  const auto row = [&](const std::string& what, const std::string& which) {
    if (!which.empty())
      text += fmt::format("| {} | {} |\n", markdownText(what), markdownCode(which));
  };
  for (const auto& [name, value] : identityFacts(identityOf(run))) row(name, value);
  row("execution mode", run.mode);
  row("host", run.host);
  row("started", run.startedAt);
  row("suite", run.suiteVersion + " " + run.suiteCommit);
  for (const auto& [name, value] : run.limits) row("limit", name + ": " + value);
  return text;
}

std::string expectedText(const Case& testCase) {
  switch (testCase.expect) {
    case Expect::Execute:
      return "The descriptor is accepted, and its outputs hold what the rules below say.";
    case Expect::Accept:
      return "The descriptor is accepted.";
    case Expect::Reject:
      return "CreateOperator() rejects the descriptor, which breaks " +
             markdownCode(testCase.rejectBy) + ".";
  }
  return "";
}

std::string specificationText(const Case& testCase, const CauseRule& broken,
                              const std::string& specification) {
  const auto line = [](const Rule& rule) {
    return fmt::format("- `{}` ({}): {} [{}]\n", rule.id, name(rule.standing), rule.wording,
                       rule.source);
  };
  std::string text = fmt::format("Rules of {}. ", markdownText(specification));
  if (const Rule* rule = broken.broken ? findRule(broken.id) : nullptr) {
    text += "Broken:\n\n" + line(*rule) + "\nThe case exercises:\n\n";
  } else {
    text += "Which rule is broken is not known. The case exercises:\n\n";
  }
  for (std::string_view id : rulesOf(testCase)) text += line(*findRule(id));
  return text;
}

std::string scopeText(const Report& report, const Cluster& cluster) {
  std::string text = markdownText(headlineOf(cluster)) + ".\n";
  if (const std::string extent = extentOf(cluster); !extent.empty()) {
    text += markdownText(extent) + ".\n";
  }
  return text + fmt::format("Of the whole run: {}. {}\n", tally(report.totals, "case"),
                            markdownText(faultsOf(report)));
}

std::string titleOf(const Context& context) {
  const JournalHeader& run = context.report.run;
  std::string on;
  for (const std::string* part : {&run.implementation, &run.runtime, &run.adapter, &run.driver}) {
    if (!part->empty()) on += (on.empty() ? "" : ", ") + *part;
  }
  const FailingCase& failing = context.failing;
  return markdownText(
      fmt::format("{}: {} ({})", operatorName(failing.testCase.descriptor),
                  failing.message.empty() ? std::string(name(failing.verdict)) : failing.message,
                  on.empty() ? run.target : on));
}

std::string issueText(const Context& context, const Cluster& cluster, const Parts& parts) {
  const FailingCase& failing = context.failing;
  std::string text = "# " + titleOf(context) + "\n\n";
  text += "## The case\n\n" + markdownBlock(context.caseText) + "\n";
  if (!failing.shrunkFrom.empty()) {
    text += "Shrunk from\n\n" + markdownBlock(failing.shrunkFrom) + "\n";
  }
  text += "## Expected\n\n" + expectedText(failing.testCase) + "\n\n";
  std::string actual = fmt::format("{}: {}\n", name(failing.verdict), plainLine(failing.message));
  for (const Difference& each : failing.differences) actual += "  " + plainLine(each.text()) + "\n";
  text += "## Actual\n\n" + markdownBlock(actual) + "\n";
  text += "## What fails, and what passes\n\n" + scopeText(context.report, cluster) + "\n";
  text += "## Reproduce\n\n" + parts.reproduce + "\nWith this suite:\n\n" +
          markdownBlock(replayLine(replayArguments(context.report.run), context.caseText)) + "\n";
  text += "## Environment\n\n" + environment(context.report.run) + "\n";
  text += "## Why that is expected\n\n" +
          specificationText(failing.testCase, failing.rule, context.report.run.specification) +
          "\n";
  text += "## What this does not show\n\n";
  for (const std::string& limit : parts.limits) text += "- " + limit + "\n";
  if (parts.limits.empty()) text += "- Whether another version has the fault.\n";
  if (!context.report.run.mode.empty()) {
    text += "- The run asked in the mode " + markdownCode(context.report.run.mode) +
            "; what is beside this asks directly.\n";
  }
  if (const std::string fault = avoidedFaultOf(context.report.run); !fault.empty()) {
    text += "- The target " + markdownText(fault) + "\n";
  }
  return text + "\n## Fields of the form\n\n" + parts.fields;
}

}  // namespace

std::vector<IssueFile> issueFiles(std::string_view tracker, const Report& report,
                                  const Cluster& cluster, const FailingCase& failing) {
  const auto at = std::ranges::find(kTrackers, tracker);
  if (at == kTrackers.end()) throw std::invalid_argument("no such tracker");
  const Context context{report, failing, caseString(failing.testCase)};
  Parts parts;
  kAdds[static_cast<size_t>(at - kTrackers.begin())](context, parts);
  std::vector<IssueFile> files{{"issue.md", issueText(context, cluster, parts)}};
  std::ranges::move(parts.files, std::back_inserter(files));
  return files;
}

std::vector<IssueFile> driverFaultIssue(const Report& report) {
  const JournalHeader& run = report.run;
  std::string text =
      "# " + markdownText(fmt::format("{}: the target {}", run.driver, avoidedFaultOf(run)));
  text += "\n\n## What is wrong\n\n" + markdownBlock(run.limits.at(limit::kDriverFault)) +
          "\nThe target noticed this before the first case and works around it, so no case shows "
          "it.\n\n## Reproduce\n\nThe target looks for it whenever it starts:\n\n" +
          markdownBlock("dmlcts doctor --target " + shellWord(run.target)) +
          "\n## Environment\n\n" + environment(run);
  return {{"issue.md", text}};
}

std::vector<std::string> issueFileNames() {
  return {"issue.md",
          "reproducer.cpp",
          "model.onnx",
          "test_data_set_0/input_0.pb",
          "test_data_set_0/input_1.pb",
          "test_data_set_0/output_0.pb"};
}

}  // namespace dmlcts
