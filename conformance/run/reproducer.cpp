#include "conformance/run/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "conformance/cases/case_string.h"
#include "conformance/cases/rules_of.h"
#include "conformance/run/comparison.h"
#include "conformance/run/dxdispatch.h"
#include "conformance/run/judge.h"
#include "conformance/run/reproducer_parts.h"
#include "conformance/run/reproducer_text.h"
#include "reference/element.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

// An arithmetic run of elements, starting at element address `at`.
struct Run {
  uint64_t at;
  uint64_t first;
  uint64_t count;
  uint64_t step;
};

constexpr size_t kMostRuns = 4096;
constexpr uint64_t kSampled = 256;  // elements of an output's begin, its end, and between

// Collects elements at ascending addresses as runs; gives nothing if there are too many runs.
class Runs {
 public:
  explicit Runs(uint32_t width) : mask_(~uint64_t{0} >> (64 - 8 * width)) {}

  void add(uint64_t at, uint64_t bits) {
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const uint64_t step = last.count == 1 ? (bits - last.first) & mask_ : last.step;
      if (at == last.at + last.count && bits == ((last.first + last.count * step) & mask_)) {
        last.step = step;
        ++last.count;
        return;
      }
      splitShort();
    }
    if (runs_.size() <= kMostRuns + 4) runs_.push_back({at, bits, 1, 0});
  }

  std::optional<std::vector<Run>> all() {
    splitShort();
    if (runs_.size() > kMostRuns) return std::nullopt;
    return runs_;
  }

 private:
  // Two or three neighbours always form a run, but are shorter as single elements.
  void splitShort() {
    if (runs_.empty() || runs_.back().count >= 4) return;
    const Run last = runs_.back();
    runs_.pop_back();
    for (uint64_t i = 0; i < last.count; ++i) {
      runs_.push_back({last.at + i, (last.first + i * last.step) & mask_, 1, 0});
    }
  }

  uint64_t mask_;
  std::vector<Run> runs_;
};

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

}  // namespace

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

std::string descriptorText(const Descriptor& descriptor) {
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
  return text +
         fmt::format(
             "const {}_OPERATOR_DESC kDesc{{\n    {}}};\nconst DML_OPERATOR_DESC kOperator{{{}, "
             "&kDesc}};\n",
             "DML_" + type.substr(std::string_view("DML_OPERATOR_").size()), members, type);
}

std::string levelConstant(Level level) {
  std::string text(name(level));
  std::ranges::replace(text, '.', '_');
  return "DML_FEATURE_LEVEL_" + text;
}

std::string useText(const std::string& what, std::string_view shows) {
  return wrapped(what + ". Exits with 1 where the " + std::string(shows) +
                     " shows, with 0 where not, with 2 where DirectML "
                     "could not be asked. HEADERS are Microsoft's DirectX-Headers (Debian: "
                     "directx-headers-dev 1.619); for Wine add -DWINE_SHIM.",
                 "// ") +
         "//   cl /std:c++20 /EHsc reproducer.cpp\n"
         "//   x86_64-w64-mingw32-g++ -std=c++20 -static -isystem HEADERS reproducer.cpp -o "
         "reproducer.exe\n";
}

namespace {

std::string runsText(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{{{}, {:#x}", run.at, run.first);
    if (run.count > 1) text += fmt::format(", {}", run.count);
    if (run.step != 0) text += fmt::format(", {:#x}", run.step);
    text += "}";
  }
  return wrapped(text, "     ");
}

struct Tables {
  std::string text;
  bool whole = true;  // every defined element of the outputs is compared
};

// Returns the tensors of an executing case, or nothing if an input is too long.
std::optional<Tables> tablesOf(const PreparedCase& prepared) {
  const gpu::Request& request = prepared.requests.front();
  Tables tables{"Tensor tensors[] = {\n"};
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const gpu::BufferImage& image =
        slot.isOutput ? request.outputs[output] : request.inputs[input++];
    const auto runs = slot.isOutput
                          ? runsOfOutput(*slot.desc, prepared.expected[output++], tables.whole)
                          : runsOfInput(*slot.desc, image);
    if (!runs) return std::nullopt;
    tables.text += fmt::format(
        "    {{\"{0}\", k{0}Buffer, {1}, {2}, {3},\n     {{\n{4}     }}}},\n", slot.dmlName,
        info(slot.desc->type).bytes, image.offset, slot.isOutput, runsText(*runs));
  }
  tables.text += "};\n";
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

}  // namespace

std::string reproducer(const Case& testCase, const Shown& shown) {
  if (const auto problem = caseProblem(testCase)) throw std::invalid_argument(*problem);
  if (!testCase.modes.empty()) {
    throw std::invalid_argument("a reproducer executes in the ordinary mode, the case in mode " +
                                gpu::name(testCase.modes));
  }
  Case written = testCase;
  const bool execute = testCase.expect == Expect::Execute;
  const std::string descriptor = descriptorText(testCase.descriptor);
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
  if (execute) text += std::string(kExecutingIncludes) + std::string(kTensorTypes);
  text += "\n" + descriptor;
  if (execute) text += tables.text;
  text += kDevice;
  if (execute) text += kHelpers;
  const bool reject = testCase.expect == Expect::Reject;
  text += fmt::format(kMakeDevice, levelConstant(testCase.level));
  text += fmt::format(kCreate, reject ? "a failure" : "S_OK");
  text += execute  ? kExecute
          : reject ? "  leave(SUCCEEDED(created) ? 1 : 0);\n}\n"
                   : "  leave(FAILED(created) ? 1 : 0);\n}\n";
  return text;
}

}  // namespace dmlcts
