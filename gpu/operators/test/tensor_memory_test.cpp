#include "gpu/operators/tensor_memory.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <set>

namespace dmlcts::gpu {
namespace {

// Visits every element.
bool overlapByVisiting(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& strides) {
  std::vector<uint64_t> addresses{0};
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<uint64_t> next;
    for (uint64_t address : addresses) {
      for (uint64_t c = 0; c < sizes[i]; ++c) next.push_back(address + c * strides[i]);
    }
    addresses = next;
  }
  return std::set<uint64_t>(addresses.begin(), addresses.end()).size() != addresses.size();
}

TEST(ElementsOverlap, IsExact) {
  EXPECT_TRUE(rc::check("elementsOverlap() equals visiting every element", [] {
    const auto rank = *rc::gen::inRange<size_t>(1, 6);
    const auto sizes = *rc::gen::container<std::vector<uint32_t>>(rank, rc::gen::inRange(1u, 6u));
    const auto strides =
        *rc::gen::container<std::vector<uint64_t>>(rank, rc::gen::inRange<uint64_t>(0, 40));
    RC_ASSERT(elementsOverlap(sizes, strides) == overlapByVisiting(sizes, strides));
  }));
}

TEST(ElementsOverlap, AnswersForHugeTensors) {
  EXPECT_FALSE(elementsOverlap({0xFFFF, 0x10000}, {0x10000, 1}));
  EXPECT_TRUE(elementsOverlap({0xFFFF, 0x10000}, {0xFFFF, 1}));
  EXPECT_FALSE(elementsOverlap({0x8000, 0x8000}, {0xFFFF, 0xFFFE}));
  EXPECT_TRUE(elementsOverlap({0xFFFF, 2, 2}, {0xFFF1, 0xFFF1, 1}));
}

TensorDesc tensor(std::vector<uint32_t> sizes, uint64_t totalBytes,
                  std::optional<std::vector<uint32_t>> strides = std::nullopt,
                  DataType type = DataType::UInt8) {
  return {type, std::move(sizes), std::move(strides), totalBytes};
}

TEST(ValidBuffer, RefusesWhatDoesNotFit64Bits) {
  const uint64_t most = ~uint64_t{3};
  const std::vector<uint32_t> huge(8, 0xFFFFFFFF);
  EXPECT_FALSE(validBuffer(tensor(huge, most), Access::Read));
  EXPECT_FALSE(validBuffer(tensor(huge, most, huge), Access::Read));
  // 2^64 bytes, which overflow to 0.
  EXPECT_FALSE(validBuffer(tensor({1u << 31, 1u << 31}, 4, {{1u << 31, 1}}, DataType::Float32),
                           Access::Read));
  EXPECT_FALSE(validBuffer(tensor({0xFFFFFFFF, 2}, most, {{0xFFFFFFFF, 1}}, DataType::Float32),
                           Access::Read));
}

}  // namespace
}  // namespace dmlcts::gpu
