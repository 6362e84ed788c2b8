// Unspecified behaviour of GATHER_ND and GATHER_ND1: indices out of range, padding, overlapping
// outputs, values that a float unit could change, unequal numbers of batches.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "conformance/language/build.h"
#include "conformance/survey/question.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr uint32_t kFirst = 0xA1B20000;  // element i of a UINT32 input is this + i

std::vector<uint8_t> counting(uint64_t count) {
  std::vector<uint64_t> elements(count);
  for (uint64_t i = 0; i < count; ++i) elements[i] = kFirst + i;
  return packed(DataType::UInt32, elements);
}

template <class Operator>
Operator make(DataType type, DataType indexType, const Sizes& input, const Sizes& tuples,
              uint32_t tupleSize);
template <>
GatherNd make(DataType type, DataType indexType, const Sizes& input, const Sizes& tuples,
              uint32_t tupleSize) {
  const size_t rank = std::max(input.size(), tuples.size() + input.size() - tupleSize);
  return makeGather(type, indexType, std::max(rank, tuples.size() + 1), input, tuples, tupleSize);
}
template <>
GatherNd1 make(DataType type, DataType indexType, const Sizes& input, const Sizes& tuples,
               uint32_t tupleSize) {
  return withoutBatches(make<GatherNd>(type, indexType, input, tuples, tupleSize));
}

// An out-of-range index and its bits.
struct WildIndex {
  std::string_view asked;
  uint64_t bits;  // as INT64; narrower types use the lower bits
};

// Size of the indexed dimension.
constexpr int64_t kSize = 6;
constexpr std::array kWild32{
    WildIndex{"size", kSize},
    WildIndex{"size + 1", kSize + 1},
    WildIndex{"2^30", uint64_t{1} << 30},
    WildIndex{"2^31 - 1", (uint64_t{1} << 31) - 1},
};
constexpr std::array kWildSigned{
    WildIndex{"-size - 2", ~uint64_t{kSize + 1}},
    WildIndex{"-size - 3", ~uint64_t{kSize + 2}},
};
constexpr std::array kWildUnsigned32{
    WildIndex{"2^32 - 2", 0xFFFF'FFFE},
};
constexpr std::array kWild64{
    WildIndex{"2^32 + 2", (uint64_t{1} << 32) + 2},
    WildIndex{"2^40 + size", (uint64_t{1} << 40) + kSize},
    WildIndex{"2^63 - 1", (uint64_t{1} << 63) - 1},
};
constexpr std::array kWildSigned64{
    WildIndex{"-2^32 - 2", ~((uint64_t{1} << 32) + 1)},
};
constexpr std::array kWildUnsigned64{
    WildIndex{"2^64 - 2", ~uint64_t{1}},
};

// Describes the output element gathered by such an index.
std::string readWild(const gpu::Request& request, const gpu::Answer& answer, DataType indexType,
                     uint64_t bits) {
  const gpu::BufferImage& input = request.inputs[0];
  constexpr auto kType = DataType::UInt32;
  const uint64_t got = elementAt(answer.outputs[0], request.outputs[0].offset, kType, 0);
  const auto is = [&](int64_t element) {
    return element >= 0 && element < kSize && got == kFirst + static_cast<uint64_t>(element);
  };
  const bool isSigned = info(indexType).isSigned;
  const auto index = static_cast<int64_t>(bits);
  const auto lower = static_cast<int64_t>(static_cast<int32_t>(bits));  // the lower of two dwords
  const bool negative = isSigned && index < 0;
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
    if (at < before || at >= elements || (at >= 0 && at < kSize)) continue;
    if (got == elementAt(input.bytes, input.offset, kType, at)) {
      return fmt::format("the {} bytes {} the tensor", 4,
                         at < 0 ? fmt::format("{} before", -4 * at)
                                : fmt::format("{} behind the first of", 4 * at));
    }
  }
  for (int64_t at = before; at < elements; ++at) {
    if (got == elementAt(input.bytes, input.offset, kType, at))
      return "another element of the buffer";
  }
  return fmt::format("0x{:08x}", got);
}

std::vector<WildIndex> wildIndices(DataType type) {
  std::vector<WildIndex> all(kWild32.begin(), kWild32.end());
  const auto add = [&](const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  const bool wide = info(type).bytes == 8;
  const bool isSigned = info(type).isSigned;
  if (isSigned) add(kWildSigned);
  if (!isSigned && !wide) add(kWildUnsigned32);
  if (wide) add(kWild64);
  if (wide && isSigned) add(kWildSigned64);
  if (wide && !isSigned) add(kWildUnsigned64);
  return all;
}

constexpr std::array kIndexTypes{DataType::UInt32, DataType::Int32, DataType::UInt64,
                                 DataType::Int64};

// True if each output element is one of the input, zero or unchanged, and all else is unchanged.
bool isSafe(const gpu::Request& request, const gpu::Answer& answer) {
  const DataType type = tensors(request.descriptor).front().desc->type;
  const uint32_t width = info(type).bytes;
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
template <class Operator>
void addSlices(std::vector<Question>& questions) {
  for (DataType type : {DataType::UInt8, DataType::Float16, DataType::UInt32, DataType::UInt64}) {
    std::vector<uint64_t> elements(kSize * 5);
    for (uint64_t i = 0; i < elements.size(); ++i) elements[i] = 0x0101'0101'0101'0101 * (i + 90);
    for (DataType indexType : kIndexTypes) {
      for (const WildIndex& index : wildIndices(indexType)) {
        const gpu::Request request =
            requestOf(make<Operator>(type, indexType, {kSize, 5}, {3}, 1),
                      {packed(type, elements), packed(indexType, {1, index.bits, 2})});
        questions.push_back({kOutOfRange,
                             fmt::format("{} {} by {}: {}", Operator::name, info(type).dmlName,
                                         info(indexType).dmlName, index.asked),
                             request,
                             [](const auto&) { return "executed"; },
                             {},
                             [request](const auto& answer) { return isSafe(request, answer); }});
      }
    }
  }
}

template <class Operator>
void addWild(std::vector<Question>& questions) {
  for (DataType type : kIndexTypes) {
    for (const WildIndex& index : wildIndices(type)) {
      Question question{kOutOfRange,
                        fmt::format("{} {}: {}", Operator::name, info(type).dmlName, index.asked),
                        requestOf(make<Operator>(DataType::UInt32, type, {kSize}, {}, 1),
                                  {counting(kSize), packed(type, {index.bits})}),
                        {}};
      question.read = [request = question.request, type, bits = index.bits](const auto& answer) {
        return readWild(request, answer, type, bits);
      };
      questions.push_back(std::move(question));
    }
  }
}

// Input of 3 x 4; the second of two coordinates is out of range.
template <class Operator>
void addNeighbour(std::vector<Question>& questions) {
  const auto add = [&](const char* asked, const std::vector<uint64_t>& tuple) {
    questions.push_back({kOutOfRange, fmt::format("{} INT32 of 3 x 4: {}", Operator::name, asked),
                         requestOf(make<Operator>(DataType::UInt32, DataType::Int32, {3, 4}, {}, 2),
                                   {counting(12), packed(DataType::Int32, tuple)}),
                         [](const gpu::Answer& answer) -> std::string {
                           const uint64_t got =
                               elementAt(answer.outputs[0], 256, DataType::UInt32, 0);
                           if (got == 0) return "zero";
                           const uint64_t at = got - kFirst;
                           return at < 12 ? fmt::format("the element at ({}, {})", at / 4, at % 4)
                                          : "something beside the tensor";
                         }});
  };
  add("(1, 4)", {1, 4});
  add("(1, -5)", {1, static_cast<uint64_t>(-5)});
  add("(3, 0)", {3, 0});
}

// Bits moved as floats may change.
template <class Operator>
void addBits(std::vector<Question>& questions, DataType type, const char* asked, uint64_t bits) {
  questions.push_back(
      {"Bits of a moved value", fmt::format("{} {}: {}", Operator::name, info(type).dmlName, asked),
       requestOf(make<Operator>(type, DataType::UInt32, {2}, {}, 1),
                 {packed(type, {0, bits}), packed(DataType::UInt32, {1})}),
       [type, bits](const gpu::Answer& answer) {
         const uint64_t got = elementAt(answer.outputs[0], 256, type, 0);
         return got == bits ? std::string("unchanged") : fmt::format("becomes 0x{:x}", got);
       }});
}

template <class Operator>
void addMemory(std::vector<Question>& questions) {
  const auto input = counting(4);
  const auto indices = packed(DataType::UInt32, {1, 3});
  const auto add = [&](const char* subject, const char* asked, const Operator& op,
                       const auto& reading) {
    Question question{
        subject, fmt::format("{}: {}", Operator::name, asked), requestOf(op, {input, indices}), {}};
    question.read = [request = question.request, reading](const gpu::Answer& answer) {
      return reading(request, answer);
    };
    questions.push_back(std::move(question));
  };
  Operator stepped = make<Operator>(DataType::UInt32, DataType::UInt32, {4}, {2}, 1);
  stepped.output.strides = Sizes(stepped.output.sizes.size(), 4);
  stepped.output.totalBytes = 4 * 5;
  add("Padding", "between elements of an output with strides", stepped,
      [](const auto& request, const auto& answer) { return touched(request, answer, 0, 4, 16); });
  Operator longer = make<Operator>(DataType::UInt32, DataType::UInt32, {4}, {2}, 1);
  longer.output.totalBytes += 64;
  add("Padding", "behind the last element, within TotalTensorSizeInBytes", longer,
      [](const auto& request, const auto& answer) { return touched(request, answer, 0, 8, 72); });
  Operator meeting = make<Operator>(DataType::UInt32, DataType::UInt32, {4}, {2}, 1);
  meeting.output.strides = Sizes(meeting.output.sizes.size(), 0);
  meeting.output.totalBytes = 4;
  add("Output elements at one address", "two, by a stride of 0", meeting,
      [](const auto&, const auto& answer) -> std::string {
        const uint64_t got = elementAt(answer.outputs[0], 256, DataType::UInt32, 0);
        return got == kFirst + 1   ? "executed; the first remains"
               : got == kFirst + 3 ? "executed; the last remains"
                                   : "executed; neither remains";
      });
  questions.back().breaks = "tensor.output-no-overlap";
}

// The output follows the indices, so that nothing else is unequal.
void addBatches(std::vector<Question>& questions, uint32_t inputBatches, uint32_t indexBatches) {
  GatherNd1 op =
      makeGather1(DataType::UInt32, DataType::UInt32, 2, {inputBatches, 3}, {inputBatches}, 1, 1);
  resize(op.indices, {indexBatches, 1});
  resize(op.output, {1, indexBatches});
  std::vector<uint64_t> indices(indexBatches, 2);
  questions.push_back(
      {"Unequal numbers of batches",
       fmt::format("gather_nd1: {} of the input, {} of the indices", inputBatches, indexBatches),
       requestOf(op, {counting(uint64_t{inputBatches} * 3), packed(DataType::UInt32, indices)}),
       [indexBatches](const gpu::Answer& answer) {
         std::string text = "executed; from batches";
         for (uint32_t i = 0; i < indexBatches; ++i) {
           const uint64_t got = elementAt(answer.outputs[0], 256, DataType::UInt32, i) - kFirst;
           text += got < 100 && got % 3 == 2 ? fmt::format(" {}", got / 3) : " ?";
         }
         return text;
       },
       "gather_nd1.batch-sizes"});
}

template <class Operator>
void addAll(std::vector<Question>& questions) {
  addWild<Operator>(questions);
  addNeighbour<Operator>(questions);
  addBits<Operator>(questions, DataType::Float32, "smallest denormal", 0x0000'0001);
  addBits<Operator>(questions, DataType::Float32, "largest denormal, negative", 0x807F'FFFF);
  addBits<Operator>(questions, DataType::Float32, "signalling NaN", 0x7F80'0001);
  addBits<Operator>(questions, DataType::Float32, "-0", 0x8000'0000);
  addBits<Operator>(questions, DataType::Float16, "smallest denormal", 0x0001);
  addBits<Operator>(questions, DataType::Float16, "signalling NaN", 0x7C01);
  addBits<Operator>(questions, DataType::Float64, "smallest denormal", 1);
  addBits<Operator>(questions, DataType::Float64, "signalling NaN", 0x7FF0'0000'0000'0001);
  addMemory<Operator>(questions);
}

}  // namespace

void addRobustQuestions(std::vector<Question>& questions) {
  addSlices<GatherNd>(questions);
  addSlices<GatherNd1>(questions);
}

void addGatherQuestions(std::vector<Question>& questions) {
  addAll<GatherNd>(questions);
  addAll<GatherNd1>(questions);
  addBatches(questions, 2, 3);
  addBatches(questions, 3, 2);
  addBatches(questions, 3, 1);
  addBatches(questions, 1, 3);
}

}  // namespace dmlcts
