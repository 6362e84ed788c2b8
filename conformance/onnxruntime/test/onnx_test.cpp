#include "conformance/onnxruntime/onnx.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "conformance/language/case_string.h"
#include "conformance/test/thrown.h"

namespace dmlcts {
namespace {

constexpr const char* kCases[]{
    "gather_nd level=4.0 input=f32:2x3 indices=i32:1x1 output=1x3",
    "nonzero_coordinates level=4.0 input=f32:2x3 coords=6x2",
    "gather_nd1 level=4.0 input=f32:2x3 indices=i32:2x1 output=1x2 dims=2,2,1",
};

TEST(Onnx, HasTheOperatorsAndTheirTypes) {
  for (const char* text : kCases) {
    Descriptor descriptor = parseCase(text).descriptor;
    for (const DataTypeInfo& type : kDataTypes) {
      std::visit([&](auto& op) { op.input.type = type.type; }, descriptor);
      EXPECT_EQ(whyNotOnnx(descriptor), type.type == DataType::Unknown ? "ONNX has no UNKNOWN" : "")
          << text << ": " << type.name;
    }
  }
}

TEST(Onnx, RefusesWhatItCannotExpress) {
  Descriptor descriptor = parseCase(kCases[0]).descriptor;
  std::get<GatherNd>(descriptor).indices.type = DataType::Unknown;
  const std::string why = whyNotOnnx(descriptor);
  EXPECT_NE(why, "");
  EXPECT_EQ(thrown<std::invalid_argument>([&] { onnxCase(descriptor, {}, {}); }), why);
}

}  // namespace
}  // namespace dmlcts
