// The other questions: values that a float unit could change or flush, bytes that belong to no
// element, elements at one address, fields of a tensor, and the HRESULT of a rejection.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/inputs/inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/run/judging/poison.h"
#include "conformance/survey/survey.h"
#include "conformance/tiers/tiers.h"
#include "reference/element.h"
#include "reference/evaluate.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

using Read = decltype(Question::read);

gpu::Request requestWith(const Case& of, const Descriptor& descriptor) {
  constexpr uint64_t kOffset = 256;  // of every tensor in its buffer
  std::vector<std::vector<uint8_t>> inputs = makeInputs(of);
  gpu::Request request;
  request.descriptor = descriptor;
  size_t slot = 0;
  for (const TensorSlot& each : tensors(request.descriptor)) {
    const uint64_t total = each.desc->totalBytes;
    if (!each.isOutput) {
      inputs.at(slot).resize(total);
      request.inputs.push_back(guardedInput(inputs[slot], kOffset, slot + 1));
    } else {
      const ReferenceOutput undefined{std::vector<uint8_t>(total),
                                      ByteStatuses(total, info(each.desc->type).bytes)};
      request.outputs.push_back(poisonedOutput(each.desc->type, undefined, kOffset, slot + 1));
    }
    ++slot;
  }
  return request;
}

// Reads the element that a gather or a count gives.
uint64_t firstOf(const gpu::Request& request, const gpu::Answer& answer, size_t output = 0) {
  const size_t slot = request.inputs.size() + output;
  return elementAt(request.outputs[output], answer.outputs[output],
                   info(tensors(request.descriptor)[slot].desc->type).bytes, 0);
}

// Describes whether bytes [from, to) of an output's total size changed.
Read readBytes(size_t output, uint64_t from, uint64_t to) {
  return [=](const gpu::Request& request, const gpu::Answer& answer) -> std::string {
    const gpu::BufferImage& image = request.outputs[output];
    uint64_t changed = 0;
    bool zeros = true;
    for (uint64_t at = image.offset + from; at < image.offset + to; ++at) {
      changed += image.bytes[at] != answer.outputs[output][at];
      zeros = zeros && answer.outputs[output][at] == 0;
    }
    if (changed == 0) return "untouched";
    if (zeros) return "zeros";
    // A written byte may equal the previous one, once in 256.
    return changed > (to - from) * 3 / 4 ? "written" : "partly written";
  };
}

struct Value {
  const char* type;
  const char* asked;
  uint64_t bits;
};

// Bits moved as floats may change.
constexpr Value kMoved[] = {
    {"f32", "smallest denormal", 0x0000'0001}, {"f32", "largest denormal, negative", 0x807F'FFFF},
    {"f32", "signalling NaN", 0x7F80'0001},    {"f32", "-0", 0x8000'0000},
    {"f16", "smallest denormal", 0x0001},      {"f16", "signalling NaN", 0x7C01},
    {"f64", "smallest denormal", 1},           {"f64", "signalling NaN", 0x7FF0'0000'0000'0001},
};
constexpr Value kCounted[] = {
    {"f32", "-0", 0x8000'0000},
    {"f32", "smallest denormal", 1},
    {"f32", "largest denormal", 0x007F'FFFF},
    {"f32", "largest denormal, negative", 0x807F'FFFF},
    {"f32", "quiet NaN", 0x7FC0'0000},
    {"f32", "signalling NaN", 0x7F80'0001},
    {"f16", "-0", 0x8000},
    {"f16", "smallest denormal", 1},
    {"f16", "largest denormal", 0x03FF},
    {"f16", "quiet NaN", 0x7E00},
};

std::string_view dmlName(const char* type) { return info(*parseDataType(type)).dmlName; }

void addMoved(std::vector<Question>& questions, std::string_view op) {
  for (const Value& value : kMoved) {
    questions.push_back(
        {"Bits of a moved value", fmt::format("{} {}: {}", op, dmlName(value.type), value.asked),
         requestOf(fmt::format("{} level=6.4 input={}:2 indices=u32:1 output=1 "
                               "fill=values(0,{:#x}) index=values(1)",
                               op, value.type, value.bits)),
         [&value](const auto& request, const auto& answer) {
           const uint64_t got = firstOf(request, answer);
           return got == value.bits ? "unchanged" : fmt::format("becomes 0x{:x}", got);
         }});
  }
}

void addCounted(std::vector<Question>& questions) {
  for (const Value& value : kCounted) {
    questions.push_back(
        {"Counts as zero",
         fmt::format("nonzero_coordinates {}: {}", dmlName(value.type), value.asked),
         requestOf(fmt::format("nonzero_coordinates level=6.4 input={}:4 coords=4x1 "
                               "fill=values(0,0,{:#x},0)",
                               value.type, value.bits)),
         [](const auto& request, const auto& answer) -> std::string {
           const uint64_t count = firstOf(request, answer);
           return count == 0 ? "yes" : count == 1 ? "no" : fmt::format("count is {}", count);
         }});
  }
}

// The second and the last of four elements, as a row.
std::string plainGather(std::string_view op) {
  return fmt::format(
      "{} level=6.4 input=u32:1x4 indices=u32:2x1 output=1x2 dims=1,2{} "
      "fill=values(11,12,13,14) index=values(1,3)",
      op, noBatches(op));
}
const std::string kNonzero =
    "nonzero_coordinates level=6.4 input=u32:8 coords=8x1 fill=values(0,5,0,0,0,0,9,0)";
constexpr const char* kOneAddress = "Output elements at one address";
constexpr const char* kOverlap = "tensor.output-no-overlap";

void addGatherMemory(std::vector<Question>& questions, const std::string& op) {
  const std::string gather = plainGather(op);
  questions.push_back({"Padding", op + ": between elements of an output with strides",
                       requestOf(gather + " strides.output=4,4"), readBytes(0, 4, 16)});
  questions.push_back({"Padding", op + ": behind the last element, within TotalTensorSizeInBytes",
                       requestOf(gather + " total.output=72"), readBytes(0, 8, 72)});
  questions.push_back({kOneAddress, op + ": two, by a stride of 0",
                       requestOf(gather, gather + " strides.output=0,0"),
                       [](const auto& request, const auto& answer) -> std::string {
                         const uint64_t got = firstOf(request, answer);
                         return got == 12   ? "executed; the first remains"
                                : got == 14 ? "executed; the last remains"
                                            : "executed; neither remains";
                       },
                       kOverlap});
}

void addNonzeroMemory(std::vector<Question>& questions) {
  const std::string op = "nonzero_coordinates: ";
  questions.push_back(
      {"Rows past the count", op + "rows 2 to 7", requestOf(kNonzero), readBytes(1, 8, 32)});
  questions.push_back({"Padding", op + "behind the last row, within TotalTensorSizeInBytes",
                       requestOf(kNonzero + " total.coords=96"), readBytes(1, 32, 96)});
  questions.push_back({"Padding", op + "behind the count, within TotalTensorSizeInBytes",
                       requestOf(kNonzero + " total.count=64"), readBytes(0, 4, 64)});
  questions.push_back({"Padding", op + "between rows with strides",
                       requestOf(kNonzero + " strides.coords=4,1"), readBytes(1, 4, 16)});
  questions.push_back({kOneAddress, op + "all rows, by a stride of 0",
                       requestOf(kNonzero, kNonzero + " strides.coords=0,1"),
                       [](const auto& request, const auto& answer) {
                         return fmt::format("executed; {} remains", firstOf(request, answer, 1));
                       },
                       kOverlap});
}

// The output follows the indices, so that nothing else is unequal.
void addBatches(std::vector<Question>& questions, uint32_t input, uint32_t indices) {
  const auto gather = [](uint32_t of, uint32_t by) {
    return fmt::format(
        "gather_nd1 level=6.4 input=u32:{}x3 indices=u32:{}x1 output=1x{} "
        "dims=2,2,1 fill=ramp index=values(2)",
        of, by, by);
  };
  const uint32_t most = std::max(input, indices);
  questions.push_back(
      {"Unequal numbers of batches",
       fmt::format("gather_nd1: {} of the input, {} of the indices", input, indices),
       requestOf(gather(most, most), gather(input, indices)),
       [indices](const gpu::Request& request, const gpu::Answer& answer) {
         std::string text = "executed; from batches";
         for (uint32_t i = 0; i < indices; ++i) {
           const uint64_t got = elementAt(request.outputs[0], answer.outputs[0], 4, i) - 1;
           text += got < 100 && got % 3 == 2 ? fmt::format(" {}", got / 3) : " ?";
         }
         return text;
       },
       "gather_nd1.batch-sizes"});
}

// Compares the elements with those of the case before its tensor was changed.
Read readAsPlain(const Case& plain) {
  return [plain](const gpu::Request& request, const gpu::Answer& answer) {
    const auto expected = evaluate(plain.descriptor, makeInputs(plain));
    for (size_t i = 0; i < expected.size(); ++i) {
      for (size_t at = 0; at < expected[i].bytes.size(); ++at) {
        if (expected[i].status[at] == ByteStatus::Defined &&
            answer.outputs[i][request.outputs[i].offset + at] != expected[i].bytes[at]) {
          return "executed; other results";
        }
      }
    }
    return "executed; the results are those without it";
  };
}

// Changes a field of each tensor to a value of which no page says what comes of it.
template <class Change>
void addToEachTensor(std::vector<Question>& questions, const char* subject, const char* asked,
                     const Change& change) {
  for (const std::string& text : {plainGather("gather_nd"), plainGather("gather_nd1"), kNonzero}) {
    const Case plain = parseCase(text);
    const auto slots = tensors(plain.descriptor);
    for (size_t i = 0; i < slots.size(); ++i) {
      Descriptor changed = plain.descriptor;
      change(*mutableTensors(changed)[i]);
      questions.push_back(
          {subject,
           fmt::format("{} {}: {}", operatorName(plain.descriptor), slots[i].dmlName, asked),
           requestWith(plain, changed), readAsPlain(plain)});
    }
  }
}

// The HRESULT with which each broken rule is rejected.
void addRejections(std::vector<Question>& questions) {
  std::set<std::string> seen;
  for (const Case& testCase : cases(Tier::Smoke)) {
    if (testCase.expect != Expect::Reject) continue;
    // A newer level is not asked about a lack of an older one.
    std::set<std::string_view> broken;
    for (const BrokenRule& each : check(testCase.descriptor, kLevels.back())) {
      broken.insert(each.rule->id);
    }
    if (broken.size() != 1) continue;
    const std::string rule(*broken.begin());
    const auto op = std::string(operatorName(testCase.descriptor));
    const std::string asked = rule.starts_with(op + ".") ? rule : op + ": " + rule;
    if (!seen.insert(asked).second) continue;
    gpu::Request request;
    request.descriptor = testCase.descriptor;
    request.level = kLevels.back();
    request.execute = false;
    questions.push_back({"Rejected with", asked, std::move(request), {}, rule});
  }
}

}  // namespace

gpu::Request requestOf(const std::string& caseString) { return requestOf(caseString, caseString); }

gpu::Request requestOf(const std::string& caseString, const std::string& asked) {
  return requestWith(parseCase(caseString), parseCase(asked).descriptor);
}

uint64_t elementAt(const gpu::BufferImage& image, const std::vector<uint8_t>& bytes, uint32_t width,
                   int64_t index) {
  return loadBits(bytes, image.offset + static_cast<uint64_t>(index) * width, width);
}

std::vector<Question> surveyQuestions(bool robust) {
  std::vector<Question> questions;
  if (robust) {
    addRobustQuestions(questions);
  } else {
    for (const char* op : {"gather_nd", "gather_nd1"}) {
      addOutOfRangeQuestions(questions, op);
      addMoved(questions, op);
      addGatherMemory(questions, op);
    }
    addBatches(questions, 2, 3);
    addBatches(questions, 3, 2);
    addBatches(questions, 3, 1);
    addBatches(questions, 1, 3);
    addCounted(questions);
    addNonzeroMemory(questions);
    addToEachTensor(questions, "Undefined flag bits", "Flags 0x2",
                    [](TensorDesc& tensor) { tensor.flags = 2; });
    addToEachTensor(questions, "Undefined flag bits", "Flags 0x80000000",
                    [](TensorDesc& tensor) { tensor.flags = 0x8000'0000; });
    addToEachTensor(questions, "Totals that are no multiple of 4",
                    "TotalTensorSizeInBytes a byte larger",
                    [](TensorDesc& tensor) { ++tensor.totalBytes; });
    addRejections(questions);
  }
  for (size_t i = 0; i < questions.size(); ++i) questions[i].request.id = i + 1;
  return questions;
}

}  // namespace dmlcts
