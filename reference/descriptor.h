#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

// The tensor and operator descriptions that an application hands to DirectML. Data only: rules.h
// says which are valid, each operator's header what it computes.

namespace dmlcts {

// DML_TENSOR_DATA_TYPE, with the same values.
enum class DataType : uint8_t {
  Unknown = 0,
  Float32 = 1,
  Float16 = 2,
  UInt32 = 3,
  UInt16 = 4,
  UInt8 = 5,
  Int32 = 6,
  Int16 = 7,
  Int8 = 8,
  Float64 = 9,
  UInt64 = 10,
  Int64 = 11,
};

struct DataTypeInfo {
  DataType type;
  std::string_view name;     // in case strings: "f32"
  std::string_view dmlName;  // in DirectML's documentation: "FLOAT32"
  uint32_t bytes;            // of one element; 0 for Unknown
  bool isFloat;
  bool isSigned;
};

// The only list of data types: look up names and widths here.
inline constexpr std::array<DataTypeInfo, 12> kDataTypes{{
    {DataType::Unknown, "unknown", "UNKNOWN", 0, false, false},
    {DataType::Float32, "f32", "FLOAT32", 4, true, true},
    {DataType::Float16, "f16", "FLOAT16", 2, true, true},
    {DataType::UInt32, "u32", "UINT32", 4, false, false},
    {DataType::UInt16, "u16", "UINT16", 2, false, false},
    {DataType::UInt8, "u8", "UINT8", 1, false, false},
    {DataType::Int32, "i32", "INT32", 4, false, true},
    {DataType::Int16, "i16", "INT16", 2, false, true},
    {DataType::Int8, "i8", "INT8", 1, false, true},
    {DataType::Float64, "f64", "FLOAT64", 8, true, true},
    {DataType::UInt64, "u64", "UINT64", 8, false, false},
    {DataType::Int64, "i64", "INT64", 8, false, true},
}};

constexpr const DataTypeInfo& info(DataType type) {
  const auto index = static_cast<size_t>(type);
  return kDataTypes[index < kDataTypes.size() ? index : 0];
}

// Returns the type with this case-string name, if any.
std::optional<DataType> parseDataType(std::string_view text);

// DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT: every binding's offset is a multiple of it, in bytes.
inline constexpr uint32_t kMinimumBufferTensorAlignment = 16;

// DML_TENSOR_FLAG_OWNED_BY_DML.
inline constexpr uint32_t kOwnedByDml = 1;

// DML_BUFFER_TENSOR_DESC. DimensionCount is sizes.size(). Can hold invalid content, for tests of
// rejection.
struct TensorDesc {
  DataType type = DataType::Unknown;
  std::vector<uint32_t> sizes;                   // in elements, outermost first
  std::optional<std::vector<uint32_t>> strides;  // in elements; absent means packed, row-major
  uint64_t totalBytes = 0;                       // TotalTensorSizeInBytes
  uint32_t baseOffsetAlignment = 0;              // GuaranteedBaseOffsetAlignment
  uint32_t flags = 0;                            // DML_TENSOR_FLAGS

  bool operator==(const TensorDesc&) const = default;
};

// One tensor of an operator. Slots are in DirectML's binding order: inputs, then outputs.
struct TensorSlot {
  std::string_view name;     // in case strings: "input", "indices", "output", "count", "coords"
  std::string_view dmlName;  // in DirectML's documentation: "IndicesTensor"
  bool isOutput;
  const TensorDesc* desc;  // points into the descriptor passed to tensors()
};

// A UINT attribute of an operator's description.
struct AttributeSlot {
  std::string_view dmlName;  // in DirectML's documentation: "InputDimensionCount"
  uint32_t value;
};

// The members of an operator's description. Each operator lists its own once, in DirectML's order
// (`members`); `Desc` and `Value` are const for a const operator.
template <class Desc>
struct TensorMember {
  std::string_view name;     // in case strings and messages: "input"
  std::string_view dmlName;  // in DirectML's documentation: "InputTensor"
  bool isOutput;
  Desc& desc;
};
template <class Desc>
TensorMember(const char*, const char*, bool, Desc&) -> TensorMember<Desc>;
template <class Value>
struct CountMember {         // a UINT attribute that counts dimensions
  std::string_view name;     // in messages: "inputDimensionCount"
  std::string_view dmlName;  // in DirectML's documentation: "InputDimensionCount"
  Value& value;
  const TensorDesc* of;  // whose DimensionCount it is unless a case says otherwise; null: 0
};
template <class Value>
CountMember(const char*, const char*, Value&, const TensorDesc*) -> CountMember<Value>;

// DML_GATHER_ND_OPERATOR_DESC.
struct GatherNd {
  static constexpr std::string_view name = "gather_nd";
  TensorDesc input;
  TensorDesc indices;
  TensorDesc output;
  uint32_t inputDimensionCount = 0;
  uint32_t indicesDimensionCount = 0;

  static auto members(auto& op, auto visit) {
    return visit(TensorMember{"input", "InputTensor", false, op.input},
                 TensorMember{"indices", "IndicesTensor", false, op.indices},
                 TensorMember{"output", "OutputTensor", true, op.output},
                 CountMember{"inputDimensionCount", "InputDimensionCount", op.inputDimensionCount,
                             &op.input},
                 CountMember{"indicesDimensionCount", "IndicesDimensionCount",
                             op.indicesDimensionCount, &op.indices});
  }
  bool operator==(const GatherNd&) const = default;
};

// DML_GATHER_ND1_OPERATOR_DESC.
struct GatherNd1 {
  static constexpr std::string_view name = "gather_nd1";
  TensorDesc input;
  TensorDesc indices;
  TensorDesc output;
  uint32_t inputDimensionCount = 0;
  uint32_t indicesDimensionCount = 0;
  uint32_t batchDimensionCount = 0;

  static auto members(auto& op, auto visit) {
    return visit(
        TensorMember{"input", "InputTensor", false, op.input},
        TensorMember{"indices", "IndicesTensor", false, op.indices},
        TensorMember{"output", "OutputTensor", true, op.output},
        CountMember{"inputDimensionCount", "InputDimensionCount", op.inputDimensionCount,
                    &op.input},
        CountMember{"indicesDimensionCount", "IndicesDimensionCount", op.indicesDimensionCount,
                    &op.indices},
        CountMember{"batchDimensionCount", "BatchDimensionCount", op.batchDimensionCount, nullptr});
  }
  bool operator==(const GatherNd1&) const = default;
};

// DML_NONZERO_COORDINATES_OPERATOR_DESC.
struct NonzeroCoordinates {
  static constexpr std::string_view name = "nonzero_coordinates";
  TensorDesc input;
  TensorDesc count;   // OutputCountTensor
  TensorDesc coords;  // OutputCoordinatesTensor

  static auto members(auto& op, auto visit) {
    return visit(TensorMember{"input", "InputTensor", false, op.input},
                 TensorMember{"count", "OutputCountTensor", true, op.count},
                 TensorMember{"coords", "OutputCoordinatesTensor", true, op.coords});
  }
  bool operator==(const NonzeroCoordinates&) const = default;
};

// Calls `tensor` with each TensorMember, then `count` with each CountMember.
template <class Operator, class OnTensor, class OnCount>
void forEachMember(Operator& op, const OnTensor& tensor, const OnCount& count) {
  const auto visit = [&](const auto& member) {
    if constexpr (requires { member.desc; }) {
      tensor(member);
    } else {
      count(member);
    }
  };
  Operator::members(op, [&](const auto&... member) { (visit(member), ...); });
}

// The operator's tensors.
template <class Operator>
std::vector<TensorSlot> tensorsOf(const Operator& op) {
  std::vector<TensorSlot> slots;
  slots.reserve(Operator::members(op, [](const auto&... member) { return sizeof...(member); }));
  const auto add = [&](const auto& tensor) {
    slots.push_back({tensor.name, tensor.dmlName, tensor.isOutput, &tensor.desc});
  };
  forEachMember(op, add, [](const auto&) {});
  return slots;
}

// The only list of operators. A new one needs an entry in each layer's table (per_operator.h); the
// compiler names the tables that lack it.
using Descriptor = std::variant<GatherNd, NonzeroCoordinates, GatherNd1>;

std::string_view operatorName(const Descriptor& descriptor);

std::vector<TensorSlot> tensors(const Descriptor& descriptor);
std::vector<TensorSlot> tensors(Descriptor&& descriptor) = delete;  // slots would dangle

std::vector<AttributeSlot> attributes(const Descriptor& descriptor);

}  // namespace dmlcts
