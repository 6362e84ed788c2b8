#include "conformance/run/replay/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "conformance/cases/facts/rules_of.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/replay/reproducer_text.h"
#include "conformance/run/runs.h"
#include "reference/element.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr uint64_t kSampled = 256;  // elements of an output's begin, its end, and between

std::optional<std::vector<Run>> runsOfInput(const TensorDesc& tensor,
                                            const gpu::BufferImage& image) {
  const uint32_t width = info(tensor.type).bytes;
  Runs runs(width);
  for (uint64_t at = 0; (at + 1) * width <= image.size; ++at) {
    runs.add(at, loadBits(image.bytes, image.offset + at * width, width));
  }
  return runs.all();
}

// Returns an output's expected elements; sets `whole` to false if they are only a sample.
std::vector<Run> runsOfOutput(const TensorDesc& tensor, const ReferenceOutput& expected,
                              bool& whole) {
  const uint32_t width = info(tensor.type).bytes;
  std::vector<uint64_t> defined;
  const auto elements = expected.status.elements();
  for (uint64_t at = 0; at < elements.size(); ++at) {
    if (elements[at] == ByteStatus::Defined) defined.push_back(at);
  }
  const auto runsOf = [&](auto chosen) {
    Runs runs(width);
    for (uint64_t i = 0; i < defined.size(); ++i) {
      if (chosen(i)) runs.add(defined[i], loadBits(expected.bytes, defined[i] * width, width));
    }
    return runs.all();
  };
  if (auto all = runsOf([](uint64_t) { return true; })) return *std::move(all);
  whole = false;
  const uint64_t count = defined.size();
  const uint64_t stride = count / kSampled + 1;
  return runsOf(
             [=](uint64_t i) { return i < kSampled || i + kSampled >= count || i % stride == 0; })
      .value();
}

std::string list(const std::vector<uint32_t>& numbers) {
  return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

// Wraps `text` at 100 characters, starting each line with `prefix`.
std::string wrapped(const std::string& text, const std::string& prefix) {
  std::string lines;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.size();
    if (end - at > 100 - prefix.size()) {
      end = text.rfind(' ', at + 100 - prefix.size());
      if (end == std::string::npos || end <= at) end = text.find(' ', at);
      end = std::min(end, text.size());
    }
    lines += prefix + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

// Defines op<NUMBER>::kOperator and everything it points to, including k<TENSOR>Buffer. Throws
// std::invalid_argument if DirectML's structures cannot express it.
std::string descriptorText(size_t number, const Descriptor& descriptor) {
  std::string text;
  std::string members;
  for (const TensorSlot& slot : tensors(descriptor)) {
    const TensorDesc& tensor = *slot.desc;
    if (tensor.strides && tensor.strides->size() != tensor.sizes.size()) {
      throw std::invalid_argument("DML_BUFFER_TENSOR_DESC has one count for sizes and strides");
    }
    const std::string name(slot.dmlName);
    const bool any = !tensor.sizes.empty();
    if (any) text += fmt::format("const UINT k{}Sizes[] = {};\n", name, list(tensor.sizes));
    if (any && tensor.strides) {
      text += fmt::format("const UINT k{}Strides[] = {};\n", name, list(*tensor.strides));
    }
    const std::string flags = tensor.flags == 0 ? "DML_TENSOR_FLAG_NONE"
                              : tensor.flags == kOwnedByDml
                                  ? "DML_TENSOR_FLAG_OWNED_BY_DML"
                                  : fmt::format("DML_TENSOR_FLAGS({})", tensor.flags);
    text += fmt::format(
        "const DML_BUFFER_TENSOR_DESC k{0}Buffer{{\n"
        "    DML_TENSOR_DATA_TYPE_{1}, {2}, {3}, {4}, {5},\n"
        "    {6}u /* TotalTensorSizeInBytes */, {7} /* GuaranteedBaseOffsetAlignment */}};\n"
        "const DML_TENSOR_DESC k{0}{{DML_TENSOR_TYPE_BUFFER, &k{0}Buffer}};\n",
        name, info(tensor.type).dmlName, flags, tensor.sizes.size(),
        any ? "k" + name + "Sizes" : "nullptr",
        any && tensor.strides ? "k" + name + "Strides" : "nullptr", tensor.totalBytes,
        tensor.baseOffsetAlignment);
    members += fmt::format("{}&k{}", members.empty() ? "" : ", ", name);
  }
  for (const AttributeSlot& each : attributes(descriptor)) {
    members += fmt::format(", {} /* {} */", each.value, each.dmlName);
  }
  const std::string type = operatorConstant(descriptor);
  return fmt::format(
      "\nnamespace op{} {{\n{}const {}_OPERATOR_DESC kDesc{{\n    {}}};\n"
      "const DML_OPERATOR_DESC kOperator{{{}, &kDesc}};\n}}\n",
      number, text, "DML_" + type.substr(std::string_view("DML_OPERATOR_").size()), members, type);
}

std::string levelConstant(Level level) {
  std::string text(name(level));
  std::ranges::replace(text, '.', '_');
  return "DML_FEATURE_LEVEL_" + text;
}

// A comment: what the program does, what its exit status means and how it is compiled.
std::string useText(const std::string& what, std::string_view shows = "fault") {
  return wrapped(what + ". Exits with 1 where the " + std::string(shows) +
                     " shows, with 0 where not, with 2 where DirectML "
                     "could not be asked. HEADERS are Microsoft's DirectX-Headers (Debian: "
                     "directx-headers-dev 1.619); for Wine add -DWINE_SHIM.",
                 "// ") +
         "//   cl /std:c++20 /EHsc reproducer.cpp\n"
         "//   x86_64-w64-mingw32-g++ -std=c++20 -static -isystem HEADERS reproducer.cpp -o "
         "reproducer.exe\n";
}

// The tables of kTypes.
struct Tables {
  std::string buffers, first, left, open, inputs, outputs;
  bool whole = true;  // every defined element of the outputs is compared

  std::string text() const {
    return fmt::format(
        "const std::vector<Buffer> kBuffers{{\n{}}};\nconst std::vector<Run> kFirst{{\n{}}};\n"
        "const std::vector<Run> kLeft{{\n{}}};\nconst std::vector<Range> kUndefined{{\n{}}};\n",
        buffers, first, left, open);
  }
};

// Returns runs that begin at byte `base` of a buffer; with `other`, of other values.
std::string runsText(size_t buffer, uint64_t base, uint32_t width, const std::vector<Run>& runs,
                     bool other = false) {
  const uint64_t mask = ~uint64_t{0} >> (64 - 8 * width);
  std::string text;
  for (const Run& run : runs) {
    const uint64_t first = (other ? ~run.first : run.first) & mask;
    const uint64_t step = (other ? ~run.step + 1 : run.step) & mask;
    text += fmt::format("{}{{{}, {}, {}, {:#x}", text.empty() ? "" : " ", buffer,
                        base + run.at * width, width, first);
    if (run.count > 1) text += fmt::format(", {}", run.count);
    if (step != 0) text += fmt::format(", {:#x}", step);
    text += "},";
  }
  return wrapped(text, "    ");
}

std::string bufferText(std::string_view name, uint64_t bytes, uint64_t at) {
  return fmt::format("    {{\"{}\", {}, {}}},\n", name, bytes, at);
}

std::string rangeText(size_t buffer, uint64_t at, uint64_t count) {
  return fmt::format("    {{{}, {}, {}}},\n", buffer, at, count);
}

// Returns the tensors of an executing case, or nothing if an input is too long.
std::optional<Tables> tablesOf(const PreparedCase& prepared) {
  constexpr uint64_t kBehind = 256;  // bytes, to see what is written there
  const gpu::Request& request = prepared.requests.front();
  Tables tables;
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const size_t buffer = input + output;
    const gpu::BufferImage& image = slot.isOutput ? request.outputs[output] : request.inputs[input];
    const auto runs = slot.isOutput
                          ? runsOfOutput(*slot.desc, prepared.expected[output], tables.whole)
                          : runsOfInput(*slot.desc, image);
    if (!runs) return std::nullopt;
    const uint32_t width = info(slot.desc->type).bytes;
    const uint64_t total = slot.desc->totalBytes;
    tables.buffers +=
        bufferText(slot.dmlName, image.offset + (total + 3) / 4 * 4 + kBehind, image.offset);
    // Outputs hold anything but what is expected, so that it shows where nothing is written.
    tables.first += runsText(buffer, image.offset, width, *runs, slot.isOutput);
    if (slot.isOutput) {
      tables.left += runsText(buffer, image.offset, width, *runs);
      tables.open += rangeText(buffer, image.offset, total);
    }
    auto& places = slot.isOutput ? tables.outputs : tables.inputs;
    places += fmt::format("{}{{{}, {}}}", places.empty() ? "" : ", ", buffer, image.offset);
    ++(slot.isOutput ? output : input);
  }
  return tables;
}

// Returns the case's tables. If its inputs need too many runs, changes `testCase` to a similar case
// whose inputs do not and that is not vacuous.
Tables literalTables(Case& testCase) {
  std::vector<Case> kin{testCase};
  for (const FillKind fill : {FillKind::Ones, FillKind::Ramp}) {
    kin.push_back(testCase);
    kin.back().fill = {fill, 0, {}};
    kin.push_back(kin.back());
    kin.back().index = {IndexKind::Last, {}};
  }
  for (const Case& each : kin) {
    if (caseProblem(each)) continue;
    const PreparedCase prepared = prepareSmall(each);
    if (!vacuousBecause(prepared.requests.front(), prepared.expected).empty() &&
        !(each == testCase)) {
      continue;
    }
    if (auto tables = tablesOf(prepared)) {
      testCase = each;
      return *std::move(tables);
    }
  }
  throw std::invalid_argument("the inputs are too large and too varied for a program of literals");
}

std::string ruleText(std::string_view id) {
  const Rule* rule = findRule(id);
  if (!rule) return "";
  return wrapped(
      fmt::format("{} ({}): {} [{}]", id, name(rule->standing), rule->wording, rule->source),
      "//   ");
}

// The rules that are broken, then the others that the case is about, each with its source.
std::string rulesText(const Case& testCase, const Shown& shown) {
  std::string broken;
  for (const std::string& id : shown.rules) broken += ruleText(id);
  std::string others;
  for (std::string_view id : rulesOf(testCase)) {
    if (std::ranges::find(shown.rules, id) == shown.rules.end()) others += ruleText(id);
  }
  std::string text;
  if (!broken.empty()) {
    text += shown.isLimit ? "// The rule that is not enforced:\n" : "// What is broken:\n";
    text += broken;
  }
  if (!others.empty()) text += "// Rules that it exercises:\n" + others;
  return text;
}

// Returns an operator's tensors, named as in descriptorText().
std::string tensorsText(size_t number, const Descriptor& descriptor, bool outputs) {
  std::string text;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.isOutput != outputs) continue;
    text += fmt::format("{}&op{}::k{}Buffer", text.empty() ? "" : ", ", number, slot.dmlName);
  }
  return "{" + text + "}";
}

// The part from the descriptors on of a program that executes.
std::string executing(const std::string& descriptors, const Tables& tables, Level level,
                      const std::string& calls) {
  std::string text = descriptors + std::string(kTypes) + tables.text();
  text += std::string(kDevice) + std::string(kHelpers) + std::string(kApplication);
  text += fmt::format(kMakeDevice, levelConstant(level));
  return text + "  Application application(device, dml);\n" + calls + std::string(kCompare);
}

}  // namespace

std::string reproducer(const Case& testCase, const Shown& shown) {
  if (const auto problem = caseProblem(testCase)) throw std::invalid_argument(*problem);
  if (!testCase.modes.empty()) {
    throw std::invalid_argument("a reproducer executes in the ordinary mode, the case in mode " +
                                gpu::name(testCase.modes));
  }
  Case written = testCase;
  const bool execute = testCase.expect == Expect::Execute;
  const std::string descriptor = descriptorText(0, testCase.descriptor);
  const Tables tables = execute ? literalTables(written) : Tables{};
  std::string text = "// " + caseString(testCase) + "\n";
  if (!(written == testCase)) {
    text += "// with inputs that literals can describe:\n// " + caseString(written) + "\n";
  }
  text += "//\n" + rulesText(testCase, shown) + "//\n";
  text += useText(std::string(execute ? "Executes the operator and compares what it writes"
                                      : "Asks CreateOperator alone") +
                      (tables.whole ? "" : ", 256 elements of begin and end and as many between"),
                  shown.isLimit ? "limit" : "fault");
  text += kIncludes;
  if (!execute) {
    text += descriptor + std::string(kDevice);
    text += fmt::format(kMakeDevice, levelConstant(testCase.level));
    const bool reject = testCase.expect == Expect::Reject;
    return text +
           fmt::format(kCreate, reject ? "a failure" : "S_OK", reject ? "SUCCEEDED" : "FAILED");
  }
  const auto slots = tensors(testCase.descriptor);
  const bool owned = std::ranges::any_of(
      slots, [](const TensorSlot& slot) { return slot.desc->flags == kOwnedByDml; });
  const std::string calls = fmt::format(
      "  application.create(0, op0::kOperator, {}, {});\n"
      "  application.compile(0);\n  application.initialize({{0}}{});\n"
      "  application.bind(0, 0, {{{}}}, {{{}}});\n  application.execute(0, 0);\n",
      tensorsText(0, testCase.descriptor, false), tensorsText(0, testCase.descriptor, true),
      owned ? ", {" + tables.inputs + "}" : "", tables.inputs, tables.outputs);
  return text + std::string(kExecutingIncludes) +
         executing(descriptor, tables, testCase.level, calls);
}

}  // namespace dmlcts
