#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/oracle_target.h"
#include "conformance/run/judge.h"
#include "conformance/run/schedule.h"
#include "reference/element.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"

// onnxruntime_cases: the default tier's cases as ONNX sees them, with the oracle's results; one
// JSON object a line for compare.mjs. The translation is that of the operator documents: dimension
// counts drop leading ones, and there is no layout, only elements in ascending index.

namespace dmlcts {
namespace {

using Json = nlohmann::json;
using Sizes = std::vector<uint32_t>;

constexpr uint64_t kMostBytes = 1u << 20;  // of a case's images: the text must stay small

std::string base64(std::span<const uint8_t> bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (i + j < bytes.size() ? bytes[i + j] : 0);
    for (size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

// The elements in ascending index, packed, little-endian.
std::vector<uint8_t> elements(const TensorDesc& tensor, std::span<const uint8_t> bytes) {
  const auto strides = elementStrides(tensor).value();
  const uint32_t width = info(tensor.type).bytes;
  std::vector<uint8_t> packed;
  ElementWalk walk(tensor.sizes, strides);
  do {
    const auto element = bytes.subspan(walk.offset() * width, width);
    packed.insert(packed.end(), element.begin(), element.end());
  } while (walk.next());
  return packed;
}

std::span<const uint8_t> tensorBytes(const gpu::BufferImage& image,
                                     const std::vector<uint8_t>& buffer) {
  return std::span(buffer).subspan(image.offset, image.size);
}

Sizes lastSizes(const TensorDesc& tensor, size_t count) {
  return {tensor.sizes.end() - static_cast<ptrdiff_t>(count), tensor.sizes.end()};
}

Json tensorOf(const TensorDesc& desc, const Sizes& sizes, std::span<const uint8_t> bytes) {
  return {
      {"type", info(desc.type).name}, {"sizes", sizes}, {"data", base64(elements(desc, bytes))}};
}

template <class Gathering>
void translateGather(const Gathering& op, const gpu::Request& request, const gpu::Answer& answer,
                     Json& line) {
  const gpu::BufferImage& input = request.inputs[0];
  const gpu::BufferImage& indices = request.inputs[1];
  line["input"] = tensorOf(op.input, lastSizes(op.input, op.inputDimensionCount),
                           tensorBytes(input, input.bytes));
  line["indices"] = tensorOf(op.indices, lastSizes(op.indices, op.indicesDimensionCount),
                             tensorBytes(indices, indices.bytes));
  line["expected"] =
      base64(elements(op.output, tensorBytes(request.outputs[0], answer.outputs[0])));
}

void translateGatherNd1(const GatherNd1& op, const gpu::Request& request, const gpu::Answer& answer,
                        Json& line) {
  translateGather(op, request, answer, line);
  line["batchDims"] = op.batchDimensionCount;
}

void translateNonzero(const NonzeroCoordinates& op, const gpu::Request& request,
                      const gpu::Answer& answer, Json& line) {
  const gpu::BufferImage& input = request.inputs[0];
  const uint32_t columns = op.coords.sizes.back();
  line["input"] = tensorOf(op.input, lastSizes(op.input, columns), tensorBytes(input, input.bytes));
  const uint64_t count = loadBits(tensorBytes(request.outputs[0], answer.outputs[0]), 0, 4);
  auto rows = elements(op.coords, tensorBytes(request.outputs[1], answer.outputs[1]));
  rows.resize(std::min<uint64_t>(rows.size(), count * columns * 4));
  line["expected"] = base64(rows);
}

bool hasNonZeroKernel(DataType type) {
  return type == DataType::Float32 || type == DataType::Int32 || type == DataType::UInt8;
}

// Each operator in ONNX's terms.
template <class Operator>
struct OnnxEntry {
  // Null where ONNX has no such operator.
  void (*translate)(const Operator& op, const gpu::Request& request, const gpu::Answer& answer,
                    Json& line);
  // Whether ONNX Runtime's CPU provider has it for inputs of that type; null where it has all.
  bool (*hasKernel)(DataType type);
};

constexpr PerOperator<OnnxEntry> kOnnx{
    OnnxEntry<GatherNd>{translateGather<GatherNd>, nullptr},
    OnnxEntry<NonzeroCoordinates>{translateNonzero, hasNonZeroKernel},
    OnnxEntry<GatherNd1>{translateGatherNd1, nullptr},
};

bool hasKernel(const Descriptor& descriptor) {
  return visitEntry(kOnnx, descriptor, [](const auto& entry, const auto& op) {
    return entry.translate && (!entry.hasKernel || entry.hasKernel(op.input.type));
  });
}

std::string withoutLevel(const std::string& caseText) {
  const size_t begin = caseText.find(" level=");
  return caseText.substr(0, begin) + caseText.substr(caseText.find(' ', begin + 1));
}

int run(int argc, char** argv) {
  CLI::App app("Cases in ONNX's terms, with the oracle's results.", "onnxruntime_cases");
  std::vector<uint64_t> seeds;
  std::string mutantName;
  app.add_option("seeds", seeds, "of the default tier's values")->required();
  app.add_option("--mutant", mutantName, "give that mutant's results instead of the oracle's");
  CLI11_PARSE(app, argc, argv);
  const Mutant* mutant = mutantName.empty() ? nullptr : findMutant(mutantName);
  if (!mutantName.empty() && !mutant) {
    fmt::print(stderr, "onnxruntime_cases: no mutant {}\n", mutantName);
    return 2;
  }
  const auto oracle = makeOracleTarget("reference", mutant ? mutant->mutation : Mutation{});

  std::set<std::string> seen;  // levels differ in what they accept, not in results
  for (uint64_t seed : seeds) {
    ScheduleOptions options;
    options.seed = seed;
    for (const ScheduledCase& each : makeSchedule(options).cases) {
      const Case& testCase = each.testCase;
      if (testCase.expect != Expect::Execute || !hasKernel(testCase.descriptor)) continue;
      if (!seen.insert(withoutLevel(each.text)).second) continue;
      const PreparedCase prepared = prepare(testCase, 1);
      if (prepared.bytes > kMostBytes) continue;
      const gpu::Request& request = prepared.requests.front();
      const gpu::Answer answer = oracle->run({&request, 1}).front();
      if (answer.status != gpu::Status::Executed) continue;  // a mutant that rejects
      Json line{{"case", each.text}, {"operator", operatorName(testCase.descriptor)}};
      visitEntry(kOnnx, testCase.descriptor, [&](const auto& entry, const auto& op) {
        entry.translate(op, request, answer, line);
      });
      fmt::print("{}\n", line.dump());
    }
  }
  return 0;
}

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  try {
    return dmlcts::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "onnxruntime_cases: {}\n", error.what());
    return 3;
  }
}
