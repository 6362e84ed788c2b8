// The vectors of ONNX's node tests of GatherND and NonZero, and of WPT's gatherND, whose
// FLOAT32 and FLOAT16 take turns.

#include <array>

#include "conformance/facts/operators.h"
#include "conformance/families/families.h"
#include "conformance/language/case_string.h"

namespace dmlcts {
namespace {

constexpr std::array kVectors{
    // ONNX: gathernd_example_int32, gathernd_example_float32, gathernd_example_int32_batch_dim1.
    "gather_nd input=i32:2x2 indices=i64:2x2 output=1x2 index=values(0,0,1,1)",
    "gather_nd input=f32:2x2x2 indices=i64:2x1x2 output=2x1x2 index=values(0,1,1,0)",
    "gather_nd1 input=i32:2x2x2 indices=i64:1x2x1 output=1x2x2 dims=3,2,1 index=values(1,0)",
    // ONNX: nonzero_example.
    "nonzero_coordinates input=u8:2x2 coords=4x2 fill=values(1,0,1,1)",
    // WPT: 3D input and 2D indices.
    "gather_nd input=f16:2x2x4 indices=i32:1x3x2 output=1x3x4 dims=3,2 index=values(1,0,0,1,1,1)",
    "gather_nd input=f32:2x2x4 indices=i32:1x3x2 output=1x3x4 dims=3,2 index=values(1,0,0,1,1,1)",
    // WPT: 4D input and 1D indices, int32, uint32, int64, minimum, maximum.
    "gather_nd input=f16:2x2x2x2 indices=i32:1x1x1x3 output=1x1x1x2 dims=4,1 index=values(1,0,0)",
    "gather_nd input=f32:2x2x2x2 indices=u32:1x1x1x3 output=1x1x1x2 dims=4,1 index=values(1,0,0)",
    "gather_nd input=f32:2x2x2x2 indices=i64:1x1x1x3 output=1x1x1x2 dims=4,1 index=values(1,0,0)",
    "gather_nd input=f16:2x2x2x2 indices=i32:1x1x1x3 output=1x1x1x2 dims=4,1 index=values(-2)",
    "gather_nd input=f32:2x2x2x2 indices=i32:1x1x1x3 output=1x1x1x2 dims=4,1 index=values(1)",
    // WPT: 2D input and 2D negative indices.
    "gather_nd input=f16:4x4 indices=i32:2x2 output=1x2 index=values(-1,-2,-3,-4)",
    "gather_nd input=f32:4x4 indices=i32:2x2 output=1x2 index=values(-1,-2,-3,-4)",
};

}  // namespace

void addPeers(CaseList& list) {
  for (const char* text : kVectors) {
    const Case testCase = parseCase(std::string(text) + " level=6.4");
    if (factsOf(testCase.descriptor).edition != list.edition()) continue;
    list.execute(testCase.level, testCase.descriptor, testCase.fill, testCase.index);
  }
}

}  // namespace dmlcts
