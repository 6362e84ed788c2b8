#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/hash.h"

#include <gtest/gtest.h>

#include <set>

#include "conformance/facts/facts.h"
#include "conformance/facts/traits.h"
#include "conformance/inputs/value_fill.h"
#include "conformance/language/case_string.h"
#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "conformance/language/npy.h"
#include "conformance/language/test/any_case.h"
#include "conformance/test/rapidcheck_choices.h"
#include "conformance/tiers/tiers.h"
#include "reference/element.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Inputs = std::vector<std::vector<uint8_t>>;

uint64_t fnv(const Inputs& inputs) {
  Fnv1a hash;
  for (const auto& bytes : inputs) {
    for (uint8_t byte : bytes) hash.add(byte);
  }
  return hash.value();
}

// Returns the elements of a packed tensor.
std::vector<uint64_t> elements(const std::vector<uint8_t>& bytes, DataType type, uint64_t count) {
  std::vector<uint64_t> all(count);
  const uint32_t width = info(type).bytes;
  for (uint64_t i = 0; i < count; ++i) all[i] = loadBits(bytes, i * width, width);
  return all;
}

std::vector<uint64_t> filled(const std::string& fill, DataType type, uint32_t count) {
  const std::string sizes = std::to_string(count);
  const Case testCase =
      parseCase("nonzero_coordinates level=4.0 input=" + std::string(info(type).name) + ":" +
                sizes + " coords=" + sizes + "x1 seed=3 fill=" + fill);
  return elements(makeInputs(testCase)[0], type, count);
}

std::vector<bool> nonzeros(const std::string& fill, DataType type, uint32_t count) {
  std::vector<bool> all;
  for (uint64_t bits : filled(fill, type, count)) all.push_back(isNonzero(type, bits));
  return all;
}

// The meaning of a case string must not change: journals and bundles rely on it.
TEST(Inputs, AreTheSameForEver) {
  const std::vector<std::pair<std::string, uint64_t>> golden{
      {"nonzero_coordinates level=4.0 input=f16:3x70 coords=210x2 fill=mixed seed=7",
       10572710609300535638u},
      {"nonzero_coordinates level=4.0 input=f32:50 coords=50x1 fill=nans seed=1",
       3182486379805303166u},
      {"nonzero_coordinates level=4.0 input=i8:5x9 coords=45x2 fill=density(0.3) "
       "layout.input=pad(3) total.input=80",
       5788131766295051568u},
      {"gather_nd level=3.0 input=u16:30x40 indices=i64:20x2 output=1x20 fill=unique "
       "index=negative seed=5",
       10520914189541442069u},
      {"gather_nd1 level=4.1 input=f64:3x30x40 indices=i64:3x20x2 output=1x3x20 dims=3,3,1 "
       "fill=unique index=negative seed=5",
       8722218244980650583u},
      {"gather_nd1 level=3.0 input=u16:30x40 indices=i64:20x2 output=1x20 fill=unique "
       "index=negative seed=5",
       10520914189541442069u},
  };
  for (const auto& [text, hash] : golden) {
    EXPECT_EQ(fnv(makeInputs(parseCase(text))), hash) << text;
  }
}

TEST(Inputs, PositionsAreWhereTheyAreSaidToBe) {
  using Bits = std::vector<bool>;
  for (DataType type : {DataType::Float32, DataType::Float16, DataType::UInt8, DataType::Int32}) {
    EXPECT_EQ(nonzeros("zeros", type, 4), (Bits{0, 0, 0, 0}));
    EXPECT_EQ(nonzeros("minuszero", type, 4), (Bits{0, 0, 0, 0}));
    EXPECT_EQ(nonzeros("first", type, 4), (Bits{1, 0, 0, 0}));
    EXPECT_EQ(nonzeros("last", type, 4), (Bits{0, 0, 0, 1}));
    EXPECT_EQ(nonzeros("all", type, 4), (Bits{1, 1, 1, 1}));
    EXPECT_EQ(nonzeros("alternate", type, 5), (Bits{0, 1, 0, 1, 0}));
    EXPECT_EQ(nonzeros("single(6)", type, 4), (Bits{0, 0, 1, 0}));
    EXPECT_EQ(nonzeros("runs(2)", type, 6), (Bits{1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(nonzeros("edges(3)", type, 7), (Bits{1, 0, 1, 1, 0, 1, 1}));
    EXPECT_EQ(nonzeros("density(0)", type, 3), (Bits{0, 0, 0}));
    EXPECT_EQ(nonzeros("density(1)", type, 3), (Bits{1, 1, 1}));
    for (const char* fill : {"ones", "ramp", "onebit", "denormals", "extremes", "nans"}) {
      const auto all = nonzeros(fill, type, 200);
      const bool integerNans = std::string_view(fill) == "nans" && !info(type).isFloat;
      // A single bit may be a float's sign; a random integer may be 0.
      if (std::string_view(fill) == "onebit" || integerNans) continue;
      EXPECT_EQ(std::count(all.begin(), all.end(), false), 0) << fill;
    }
  }
  const auto some = nonzeros("density(0.25)", DataType::Float32, 10'000);
  EXPECT_NEAR(static_cast<double>(std::count(some.begin(), some.end(), true)), 2500, 200);
}

TEST(Inputs, MixedHasEveryClassOfValue) {
  for (DataType type : {DataType::Float32, DataType::Float16}) {
    const FloatFormat format = floatFormat(type);
    const uint64_t quiet = uint64_t{1} << (format.mantissaBits - 1);
    std::set<std::pair<std::string, bool>> seen;
    for (uint64_t bits : filled("mixed", type, 2000)) {
      const uint64_t magnitude = bits & ~format.sign();
      const char* kind = magnitude == 0                       ? "zero"
                         : magnitude <= format.mantissaMask() ? "denormal"
                         : magnitude < format.infinity()      ? "normal"
                         : magnitude == format.infinity()     ? "infinity"
                         : (magnitude & quiet) != 0           ? "quiet NaN"
                                                              : "signalling NaN";
      seen.emplace(kind, (bits & format.sign()) != 0);
    }
    EXPECT_EQ(seen.size(), 12u) << info(type).name;
  }
  const auto bytes = filled("mixed", DataType::Int8, 2000);
  const std::set<uint64_t> distinct(bytes.begin(), bytes.end());
  for (uint64_t value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) EXPECT_TRUE(distinct.contains(value));
}

TEST(Inputs, UniqueTellsElementsApart) {
  for (DataType type : {DataType::UInt8, DataType::Float16, DataType::Float32, DataType::Int64}) {
    const uint64_t count = info(type).bytes == 1 ? 256 : 65'536;
    const Fill fill{FillKind::Unique, 0, {}};
    std::vector<uint64_t> values(4 * count);
    ValueFill(fill, type, values.size(), 9).write(0, 1, values);
    for (uint64_t block = 0; block < 4; ++block) {
      std::set<uint64_t> distinct;
      uint64_t sameAsBefore = 0;
      for (uint64_t i = block * count; i < (block + 1) * count; ++i) {
        distinct.insert(values[i]);
        sameAsBefore += block > 0 && values[i] == values[i - count];
      }
      EXPECT_EQ(distinct.size(), count);
      EXPECT_LT(sameAsBefore, 1 + count / 64);  // each block has another order
    }
  }
}

TEST(Inputs, GapsAreTheOppositeOfElements) {
  const auto gapBytes = [](const std::string& fill) {
    const Case testCase = parseCase(
        "nonzero_coordinates level=4.0 input=u8:20 coords=20x1 layout.input=step(3) fill=" + fill);
    const auto bytes = makeInputs(testCase)[0];
    std::vector<uint8_t> gaps;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i % 3 != 0) gaps.push_back(bytes[i]);
    }
    return gaps;
  };
  for (uint8_t byte : gapBytes("zeros")) EXPECT_NE(byte, 0);
  for (uint8_t byte : gapBytes("all")) EXPECT_EQ(byte, 0);
}

TEST(Inputs, TailsHoldNoise) {
  const Case testCase =
      parseCase("nonzero_coordinates level=4.0 input=u8:5 coords=5x1 fill=zeros total.input=24");
  const auto bytes = makeInputs(testCase)[0];
  ASSERT_EQ(bytes.size(), 24u);
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i] != 0, i >= 5) << i;
}

// After the batches of GATHER_ND1 a tuple indexes other dimensions, here shorter ones.
TEST(Inputs, IndicesAreInRangeHoweverTheyAreSpelled) {
  const std::string gather = "gather_nd level=3.0 input=f32:3x70 indices=i32:40x2 output=1x40";
  const std::string batches =
      "gather_nd1 level=3.0 input=f32:40x3x7 indices=i32:40x5x2 output=1x40x5 dims=3,3,1";
  for (const std::string& text :
       {gather, gather + " layout.indices=broadcast(1)", gather + " strides.indices=1,1",
        gather + " layout.indices=step(2)", batches, batches + " layout.indices=broadcast(2)",
        batches + " strides.indices=1,1,1", batches + " layout.indices=broadcast(0)"}) {
    for (const auto& kind : kIndexKinds) {
      if (kind.kind == IndexKind::Wild || kind.argument != FillArgument::None) continue;
      const Case testCase = parseCase(text + " index=" + std::string(kind.name));
      EXPECT_TRUE(indicesInRange(testCase, makeInputs(testCase))) << caseString(testCase);
    }
  }
}

TEST(Inputs, IndicesBehindBatchesAreComparedWithTheOtherDimensions) {
  const auto inRange = [](const std::string& index) {
    const Case testCase = parseCase(
        "gather_nd1 level=3.0 input=f32:9x3 indices=i32:9x1 output=1x9 dims=2,2,1 index=values(" +
        index + ")");
    return indicesInRange(testCase, makeInputs(testCase));
  };
  EXPECT_TRUE(inRange("2"));
  EXPECT_FALSE(inRange("3"));
  EXPECT_TRUE(inRange("-3"));
  EXPECT_FALSE(inRange("-4"));
}

TEST(Inputs, OutOfRangeIndicesAreNoticed) {
  for (const char* index : {"values(3)", "values(-4)", "wild"}) {
    const Case testCase = parseCase(
        std::string("gather_nd level=3.0 input=f32:3 indices=i32:1 output=1 index=") + index);
    EXPECT_FALSE(indicesInRange(testCase, makeInputs(testCase))) << index;
  }
}

std::vector<uint64_t> indicesOf(const std::string& kind, const std::string& type) {
  const Case testCase = parseCase("gather_nd level=3.0 input=f32:2x3 indices=" + type +
                                  ":6x2 output=1x6 index=" + kind);
  return elements(makeInputs(testCase)[1], parseDataType(type).value(), 12);
}

TEST(Inputs, IndexKindsDoWhatTheySay) {
  using All = std::vector<uint64_t>;
  EXPECT_EQ(indicesOf("identity", "u32"), (All{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}));
  EXPECT_EQ(indicesOf("reversed", "u64"), (All{1, 2, 1, 1, 1, 0, 0, 2, 0, 1, 0, 0}));
  EXPECT_EQ(indicesOf("first", "i32"), All(12, 0));
  EXPECT_EQ(indicesOf("last", "i64"), (All{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  for (uint64_t bits : indicesOf("allnegative", "i32")) EXPECT_GE(bits, 0xFFFFFFFDu);
  const All repeated = indicesOf("repeated", "u32");
  for (size_t i = 2; i < 12; ++i) EXPECT_EQ(repeated[i], repeated[i - 2]);
}

// Three sources must agree: from the bytes, without them, and from queries.
TEST(Inputs, FactsAreThoseOfTheBytes) {
  for (const Case& testCase : cases(Tier::Smoke)) {
    if (testCase.expect != Expect::Execute) continue;
    const InputFacts facts = inputFactsOf(testCase, makeInputs(testCase));
    const auto generated = inputFactsOf(testCase);
    ASSERT_TRUE(generated.has_value());
    EXPECT_EQ(facts.traits.bits, generated->traits.bits) << caseString(testCase);
    EXPECT_EQ(facts.denormals, generated->denormals) << caseString(testCase);
    EXPECT_EQ(facts.denormals, numberOf(testCase, "denormals")) << caseString(testCase);
    const std::string words = wordsOf(facts.traits);
    EXPECT_FALSE(words.empty()) << caseString(testCase);
    EXPECT_EQ(parseTraits(words).bits, facts.traits.bits) << words;
    const uint32_t weak = 1u << static_cast<uint32_t>(Trait::Weak);
    EXPECT_EQ(facts.traits.bits, traitsOf(testCase).bits & ~weak) << caseString(testCase);
  }
}

TEST(Inputs, ProblemsAreSaid) {
  const auto problem = [](const std::string& text) {
    return inputProblem(parseCase(text)).value_or("none");
  };
  EXPECT_EQ(problem("gather_nd level=3.0 input=f32:3 indices=u32:1 output=1 index=negative"),
            "index=negative needs a signed index type");
  EXPECT_EQ(problem("gather_nd level=3.0 input=f32:3 indices=u32:2 output=1"),
            "index tuples have more coordinates than the input has dimensions");
  EXPECT_EQ(problem("gather_nd1 level=3.0 input=f32:3x4 indices=u32:3x2 output=1x3 dims=2,2,1"),
            "index tuples have more coordinates than the input has dimensions behind the batches");
  EXPECT_EQ(problem("gather_nd1 level=3.0 input=f32:3 indices=u32:1 output=1 dims=1,1,2"),
            "dims exceed the input's dimensions");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=f32:9 coords=9x1 offset.coords=24"),
            "offset.coords is not a multiple of 16");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=f32:9 coords=9x1 align.input=64 "
                    "offset.input=32"),
            "offset.input is not a multiple of 64");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=f32:9 coords=9x1 align.input=134217728"),
            "input is aligned to more than 64 MiB, too much to execute");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=f32:0 coords=1x1"),
            "input has a dimension of size 0");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=f32:9 coords=1x1 total.input=32"),
            "input has elements behind its total size");
  EXPECT_EQ(problem("nonzero_coordinates level=4.0 input=unknown:9 coords=1x1"),
            "input has no data type");
  EXPECT_EQ(problem("gather_nd level=6.4 input=u8:4294967295x1 indices=u32:1x1 output=1x1 "
                    "strides.input=0,0 total.input=4"),
            "input has 4,294,967,295 elements, too many for tensors that have 12 bytes together");
  EXPECT_TRUE(problem("nonzero_coordinates level=4.0 input=u64:4294967295x65536 coords=1x1")
                  .starts_with("input is too large"));
}

// Every case, however wrong, has inputs or an inputProblem().
TEST(Inputs, OfAnyCaseExistOrHaveAProblem) {
  EXPECT_TRUE(rc::check("inputs", [] {
    RapidcheckChoices choices;
    const Case testCase = anyCase(choices);
    if (inputProblem(testCase) || unreadFill(testCase)) {
      RC_ASSERT_THROWS_AS(makeInputs(testCase), std::invalid_argument);
      return;
    }
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      const auto count = elementCount(slot.desc->sizes).value_or(0);
      if (!slot.isOutput && (count > 1'000'000 || slot.desc->totalBytes > 1'000'000)) return;
    }
    const Inputs inputs = makeInputs(testCase);
    RC_ASSERT(inputs == makeInputs(testCase));
    for (size_t i = 0; i < inputs.size(); ++i) {
      RC_ASSERT(inputs[i].size() == tensors(testCase.descriptor)[i].desc->totalBytes);
    }
  }));
}

}  // namespace
}  // namespace dmlcts
