// Indices out of range: what a gather selects, and whether it reads or writes anything else.

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>

#include "conformance/survey/question.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr int64_t kSize = 6;  // of the indexed dimension

// An index out of range, and the types that have it.
struct WildIndex {
  std::string_view asked;
  uint64_t bits;  // as INT64; narrower types use the lower bits
  std::optional<bool> isSigned;
  std::optional<uint32_t> bytes;
};

constexpr std::array kWild{
    WildIndex{"size", kSize, {}, {}},
    WildIndex{"size + 1", kSize + 1, {}, {}},
    WildIndex{"2^30", uint64_t{1} << 30, {}, {}},
    WildIndex{"2^31 - 1", (uint64_t{1} << 31) - 1, {}, {}},
    WildIndex{"-size - 2", ~uint64_t{kSize + 1}, true, {}},
    WildIndex{"-size - 3", ~uint64_t{kSize + 2}, true, {}},
    WildIndex{"2^32 - 2", 0xFFFF'FFFE, false, 4},
    WildIndex{"2^32 + 2", (uint64_t{1} << 32) + 2, {}, 8},
    WildIndex{"2^40 + size", (uint64_t{1} << 40) + kSize, {}, 8},
    WildIndex{"2^63 - 1", (uint64_t{1} << 63) - 1, {}, 8},
    WildIndex{"-2^32 - 2", ~((uint64_t{1} << 32) + 1), true, 8},
    WildIndex{"2^64 - 2", ~uint64_t{1}, false, 8},
};

// Calls visit(type, its name in a case string, index, index in a case string).
template <class Visit>
void visitWild(const Visit& visit) {
  for (DataType type : {DataType::UInt32, DataType::Int32, DataType::UInt64, DataType::Int64}) {
    const DataTypeInfo& of = info(type);
    for (const WildIndex& index : kWild) {
      if (index.isSigned.value_or(of.isSigned) != of.isSigned) continue;
      if (index.bytes.value_or(of.bytes) != of.bytes) continue;
      const uint64_t bits = of.bytes == 4 ? static_cast<uint32_t>(index.bits) : index.bits;
      visit(type, of.name, index, fmt::format("{:#x}", bits));
    }
  }
}

// Describes the element that such an index selected of an input of kSize UINT32.
std::string readWild(const gpu::Request& request, const gpu::Answer& answer, DataType indexType,
                     uint64_t bits) {
  const gpu::BufferImage& input = request.inputs[0];
  const uint64_t got = elementAt(request.outputs[0], answer.outputs[0], 4, 0);
  const auto isAt = [&](int64_t element) {
    return got == elementAt(input, input.bytes, 4, element);
  };
  const auto is = [&](int64_t element) { return element >= 0 && element < kSize && isAt(element); };
  const auto index = static_cast<int64_t>(bits);
  const auto lower = static_cast<int64_t>(static_cast<int32_t>(bits));  // the lower of two dwords
  const bool negative = info(indexType).isSigned && index < 0;
  if (is(negative ? 0 : kSize - 1)) return negative ? "the first element" : "the last element";
  if (got == 0) return "zero";
  if (info(indexType).bytes == 8) {
    if (is(lower)) return "what the lower dword alone selects";
    if (is(lower + kSize)) return "what the lower dword alone selects, counted from the end";
  }
  if (is(lower + kSize)) return "counted from the end, as if signed";
  if (is(((index % kSize) + kSize) % kSize)) return "the index modulo the size";
  if (is(negative ? kSize - 1 : 0)) return negative ? "the last element" : "the first element";
  // Memory next to the tensor that the index reaches, possibly with the size added.
  const auto elements = static_cast<int64_t>((input.bytes.size() - input.offset) / 4);
  const auto before = -static_cast<int64_t>(input.offset / 4);
  for (int64_t at : {index, index + kSize, lower, lower + kSize}) {
    if (at < before || at >= elements || (at >= 0 && at < kSize) || !isAt(at)) continue;
    return at < 0 ? fmt::format("the 4 bytes {} before the tensor", -4 * at)
                  : fmt::format("the 4 bytes {} behind the first of the tensor", 4 * at);
  }
  for (int64_t at = before; at < elements; ++at) {
    if (isAt(at)) return "another element of the buffer";
  }
  return fmt::format("0x{:08x}", got);
}

std::string readNeighbour(const gpu::Request& request, const gpu::Answer& answer) {
  const uint64_t got = elementAt(request.outputs[0], answer.outputs[0], 4, 0);
  if (got == 0) return "zero";
  const uint64_t at = got - 1;
  return at < 12 ? fmt::format("the element at ({}, {})", at / 4, at % 4)
                 : "something beside the tensor";
}

}  // namespace

bool isSafe(const gpu::Request& request, const gpu::Answer& answer) {
  const uint32_t width = info(tensors(request.descriptor).front().desc->type).bytes;
  const gpu::BufferImage& input = request.inputs[0];
  const gpu::BufferImage& output = request.outputs[0];
  std::set<uint64_t> allowed{0};
  for (uint64_t at = 0; at < input.size; at += width) {
    allowed.insert(loadBits(input.bytes, input.offset + at, width));
  }
  for (uint64_t at = 0; at < output.bytes.size(); at += width) {
    const uint64_t got = loadBits(answer.outputs[0], at, width);
    if (got == loadBits(output.bytes, at, width)) continue;
    const bool inside = at >= output.offset && at < output.offset + output.size;
    if (!inside || !allowed.contains(got)) return false;
  }
  return answer.inputs[0] == input.bytes && answer.inputs[1] == request.inputs[1].bytes;
}

// The middle one of three slices of five elements is out of range.
void addRobustQuestions(std::vector<Question>& questions) {
  for (const char* op : {"gather_nd", "gather_nd1"}) {
    for (DataType type : {DataType::UInt8, DataType::Float16, DataType::UInt32, DataType::UInt64}) {
      visitWild([&](DataType indexType, std::string_view indices, const WildIndex& index,
                    const std::string& bits) {
        questions.push_back(
            {kOutOfRange,
             fmt::format("{} {} by {}: {}", op, info(type).dmlName, info(indexType).dmlName,
                         index.asked),
             requestOf(fmt::format("{} level=6.4 input={}:{}x5 indices={}:3x1 output=3x5 "
                                   "fill=unique index=values(1,{},2)",
                                   op, info(type).name, kSize, indices, bits)),
             [](const auto&, const auto&) { return "executed"; }, "", true});
      });
    }
  }
}

void addOutOfRangeQuestions(std::vector<Question>& questions, std::string_view op) {
  visitWild([&](DataType type, std::string_view indices, const WildIndex& index,
                const std::string& bits) {
    questions.push_back(
        {kOutOfRange, fmt::format("{} {}: {}", op, info(type).dmlName, index.asked),
         requestOf(fmt::format("{} level=6.4 input=u32:{} indices={}:1 output=1 fill=ramp "
                               "index=values({})",
                               op, kSize, indices, bits)),
         [type, &index](const auto& request, const auto& answer) {
           return readWild(request, answer, type, index.bits);
         }});
  });
  // The second of two coordinates.
  for (const char* tuple : {"1, 4", "1, -5", "3, 0"}) {
    std::string values = tuple;
    std::erase(values, ' ');
    questions.push_back(
        {kOutOfRange, fmt::format("{} INT32 of 3 x 4: ({})", op, tuple),
         requestOf(fmt::format("{} level=6.4 input=u32:3x4 indices=i32:1x2 output=1x1 dims=2,1{} "
                               "fill=ramp index=values({})",
                               op, noBatches(op), values)),
         readNeighbour});
  }
}

}  // namespace dmlcts
