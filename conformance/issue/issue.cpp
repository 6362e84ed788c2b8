#include "conformance/issue/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>

#include "conformance/cases/case_string.h"
#include "conformance/cases/rules_of.h"
#include "conformance/issue/amber.h"
#include "conformance/issue/onnx.h"
#include "conformance/issue/shader_test.h"
#include "conformance/run/judge.h"
#include "conformance/run/reproducer.h"
#include "dmlcts_version.h"
#include "gpu/shaders/mutants.h"
#include "gpu/shaders/variants.h"
#include "reference/rules.h"
#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// Of an issue, what the tracker decides.
struct Parts {
  std::vector<IssueFile> files;
  std::string reproduce;  // paragraphs
  std::string fields;     // what the tracker's form asks for, beside the text
  std::vector<std::string> limits;
};

struct Context {
  const Report& report;
  const FailingCase& failing;
  std::string caseText;
  const SpirvSource& spirvOf;
};

// Our kernels ------------------------------------------------------------------------------------

bool isOfOurKernels(const JournalHeader& run) { return run.implementation == "dmlcts kernels"; }

std::string shaderMutantOf(const JournalHeader& run) {
  for (const gpu::ShaderMutant& mutant : gpu::kShaderMutants) {
    if (run.target == fmt::format("mutant:{}", mutant.name)) return std::string(mutant.name);
  }
  return "";
}

// As the run had them: Identity::limits of gpu/d3d12/target.cpp.
gpu::PlanLimits limitsOf(const JournalHeader& run) {
  gpu::PlanLimits limits;
  const auto take = [&](const char* name, auto& limit) {
    const auto found = run.limits.find(name);
    if (found == run.limits.end()) return;
    const uint64_t value = std::strtoull(found->second.c_str(), nullptr, 10);
    if (value > 0) limit = static_cast<std::remove_reference_t<decltype(limit)>>(value);
  };
  take("max groups per dimension", limits.maxGroupsPerDimension);
  take("max view texels", limits.maxViewTexels);
  take("max view bytes", limits.maxViewBytes);
  take("max unscanned tiles", limits.maxUnscannedTiles);
  const gpu::KernelVariant* variant = gpu::findKernelVariant(run.kernelVariant);
  if (variant) limits.groupThreads = variant->groupThreads;
  return limits;
}

std::string remarks(const Context& context) {
  return fmt::format(
      "{}\nOur kernels for this case, from dmlcts {} {}. What is expected follows "
      "from Microsoft's documents.",
      context.caseText, kSuiteVersion, kSuiteCommit);
}

// A script with what our kernels do, or, of another implementation or where a script cannot hold
// it, nothing and why.
std::optional<KernelScript> scriptOf(const Context& context, std::string& why) {
  if (!isOfOurKernels(context.report.run)) {
    why = "The shaders are not ours to hand over";
    return std::nullopt;
  }
  try {
    return kernelScript(prepare(context.failing.testCase, 0), limitsOf(context.report.run));
  } catch (const std::invalid_argument& error) {
    why = std::string("The case does not fit a script: ") + error.what();
    return std::nullopt;
  }
}

// The trackers -----------------------------------------------------------------------------------

void addProgram(const Context& context, Parts& parts) {
  parts.files.push_back({"reproducer.cpp", reproducer(context.failing.testCase)});
  parts.reproduce +=
      "`reproducer.cpp` is a program of one file for Windows and Wine. HEADERS are Microsoft's "
      "DirectX-Headers; it needs DirectML.dll beside it:\n\n"
      "    x86_64-w64-mingw32-g++ -std=c++20 -static -DWINE_SHIM -isystem HEADERS reproducer.cpp "
      "-o "
      "reproducer.exe\n"
      "    wine reproducer.exe\n\n"
      "It prints what is expected and what is, and exits with 1 where the fault shows.\n";
  if (isOfOurKernels(context.report.run)) {
    parts.limits.push_back(
        "`reproducer.cpp` asks DirectML, whose kernels are not those that failed: that it shows "
        "the "
        "fault is not certain.");
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
  std::string why;
  const auto script = scriptOf(context, why);
  std::optional<std::string> test;
  if (script && !context.report.run.kernelVariant.empty()) {
    why = "A .shader_test has HLSL, and the run had a variant of its bytecode";
  } else if (script) {
    try {
      test = shaderTest(*script, shaderMutantOf(context.report.run), remarks(context));
    } catch (const std::invalid_argument& error) {
      why = std::string("The case does not fit a .shader_test: ") + error.what();
    }
  }
  parts.fields =
      "| field | value |\n| --- | --- |\n| Product | vkd3d |\n| Component | vkd3d |\n"
      "| Attachment | what *Reproduce* names |\n";
  if (!test) {
    parts.limits.push_back(why + "; `reproducer.cpp` takes the place of a `.shader_test`.");
    return addProgram(context, parts);
  }
  parts.files.push_back({"dmlcts.shader_test", *test});
  parts.reproduce =
      "`dmlcts.shader_test` is for vkd3d's own `tests/shader_runner`: put it into `tests/hlsl/`, "
      "add "
      "it to `vkd3d_shader_tests` in `Makefile.am`, or run\n\n"
      "    tests/shader_runner dmlcts.shader_test\n";
  parts.limits.push_back(
      "It was not run by shader_runner. In it constants come through a raw buffer, not a constant "
      "buffer of 64 KiB; every register shows a buffer of its own; and the HLSL is compiled anew, "
      "where the run took Microsoft's bytecode. What differs by that alone may not show.");
  if (!script->note.empty()) parts.limits.push_back(script->note + ".");
}

void addMesa(const Context& context, Parts& parts) {
  std::string why;
  const auto script = scriptOf(context, why);
  std::optional<AmberScript> amber;
  if (script) {
    try {
      amber = amberScript(*script, shaderMutantOf(context.report.run), remarks(context),
                          context.spirvOf);
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
  }
  parts.fields =
      "| field | value |\n| --- | --- |\n"
      "| System information | of the machine with the fault: `inxi -GSC -xx`, `vulkaninfo "
      "--summary` "
      "|\n| Regression | not known: other versions of the driver were not run |\n";
  if (!amber) {
    parts.limits.push_back(why + "; `reproducer.cpp` takes the place of an Amber script.");
    return addProgram(context, parts);
  }
  parts.files.push_back({"dmlcts.amber", amber->text});
  std::string names;
  for (const AmberShader& shader : amber->shaders) {
    parts.files.push_back({shader.name + ".spv", shader.spirv});
    names += " " + shader.name + ".spv";
  }
  parts.reproduce = fmt::format(
      "`dmlcts.amber` is for Amber, which reads{} beside it:\n\n    amber{} dmlcts.amber\n\n"
      "`spirv-dis` (Debian: spirv-tools) prints them as text.\n",
      names, amber->compiler.ends_with("6.0") ? " -t spv1.3" : "");
  parts.limits.push_back(fmt::format(
      "It was not run by Amber. The SPIR-V was made of the kernels' bytecode on the machine that "
      "wrote this ({}), which need not be what the run had ({}); every register shows a buffer of "
      "its own.",
      amber->compiler,
      context.report.run.runtime.empty() ? "unknown" : context.report.run.runtime));
  if (context.report.run.shaderModel == "6.0" && !amber->compiler.ends_with("6.0")) {
    parts.limits.push_back(
        "It is made of the kernels of shader model 5.1, where the run took those of 6.0: a worker "
        "with a libvkd3d-shader that takes those makes theirs (`--worker`).");
  }
  if (!script->note.empty()) parts.limits.push_back(script->note + ".");
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
  const PreparedCase prepared = prepare(testCase, 0);
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
      "as "
      "ONNX's own tests have them. From the folder that holds this one:\n\n"
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

// The text ---------------------------------------------------------------------------------------

std::string environment(const JournalHeader& run) {
  std::string text = "| what | which |\n| --- | --- |\n";
  const auto row = [&](const char* what, const std::string& which) {
    if (!which.empty()) text += fmt::format("| {} | {} |\n", what, markdownCode(which));
  };
  row("target", run.target);
  row("implementation", run.implementation);
  row("shader model", run.shaderModel);
  row("kernel variant", run.kernelVariant);
  row("runtime", run.runtime);
  row("adapter", run.adapter);
  row("driver", run.driver);
  if (run.vendorId != 0 || run.deviceId != 0) {
    row("PCI", fmt::format("{:04x}:{:04x}", run.vendorId, run.deviceId));
  }
  row("highest level", run.maxLevel);
  row("way", run.via);
  row("host", run.host);
  row("started", run.startedAt);
  row("suite", run.suiteVersion + " " + run.suiteCommit);
  for (const auto& [name, value] : run.limits) row("limit", name + ": " + value);
  for (const auto& [name, hash] : run.files) row("SHA-256", name + ": " + hash);
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

std::string lawText(const Case& testCase, const std::string& law) {
  std::string text = fmt::format("Law {}. The case is about:\n\n", law);
  for (std::string_view id : rulesOf(testCase)) {
    const Rule& rule = *findRule(id);
    text +=
        fmt::format("- `{}` ({}): {} [{}]\n", id, name(rule.standing), rule.wording, rule.source);
  }
  return text;
}

std::string scopeText(const Report& report, const Cluster& cluster) {
  std::string text = headlineOf(cluster) + ".\n";
  if (const std::string extent = extentOf(cluster); !extent.empty()) text += extent + ".\n";
  text += fmt::format("Of the whole run: {}. {}\n", tally(report.totals, "case"), faultsOf(report));
  return plainText(text);
}

std::string titleOf(const Context& context) {
  const JournalHeader& run = context.report.run;
  std::string on;
  for (const std::string* part : {&run.implementation, &run.runtime, &run.adapter, &run.driver}) {
    if (!part->empty()) on += (on.empty() ? "" : ", ") + *part;
  }
  const FailingCase& failing = context.failing;
  return plainLine(
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
  std::string actual = fmt::format("{}: {}\n", name(failing.verdict), failing.message);
  for (const std::string& line : failing.differences) actual += "  " + line + "\n";
  text += "## Actual\n\n" + markdownBlock(actual) + "\n";
  text += "## What fails, and what passes\n\n" + scopeText(context.report, cluster) + "\n";
  text += "## Reproduce\n\n" + parts.reproduce + "\nWith this suite:\n\n" +
          markdownBlock(replayLine(replayArguments(context.report.run), context.caseText)) + "\n";
  text += "## Environment\n\n" + environment(context.report.run) + "\n";
  text += "## Why that is expected\n\n" + lawText(failing.testCase, context.report.run.law) + "\n";
  text += "## What this does not show\n\n";
  for (const std::string& limit : parts.limits) text += "- " + limit + "\n";
  if (parts.limits.empty()) text += "- Whether another version has the fault.\n";
  if (!context.report.run.via.empty()) {
    text += "- The run asked by the way " + markdownCode(context.report.run.via) +
            "; what is beside this asks directly.\n";
  }
  return text + "\n## Fields of the form\n\n" + parts.fields;
}

}  // namespace

std::vector<IssueFile> issueFiles(std::string_view tracker, const Report& report,
                                  const Cluster& cluster, const FailingCase& failing,
                                  const SpirvSource& spirvOf) {
  const auto at = std::ranges::find(kTrackers, tracker);
  if (at == kTrackers.end()) throw std::invalid_argument("no such tracker");
  const Context context{report, failing, caseString(failing.testCase), spirvOf};
  Parts parts;
  kAdds[static_cast<size_t>(at - kTrackers.begin())](context, parts);
  std::vector<IssueFile> files{{"issue.md", issueText(context, cluster, parts)}};
  std::ranges::move(parts.files, std::back_inserter(files));
  return files;
}

std::vector<std::string> issueFileNames() {
  std::vector<std::string> names{"issue.md",
                                 "reproducer.cpp",
                                 "dmlcts.shader_test",
                                 "dmlcts.amber",
                                 "model.onnx",
                                 "test_data_set_0/input_0.pb",
                                 "test_data_set_0/input_1.pb",
                                 "test_data_set_0/output_0.pb"};
  for (std::string_view shader : gpu::kShaderNames) names.push_back(std::string(shader) + ".spv");
  return names;
}

}  // namespace dmlcts
