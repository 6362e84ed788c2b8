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
#include "conformance/onnxruntime/onnx.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/schedule.h"

// onnxruntime_cases: prints the default tier's cases in ONNX's terms with the oracle's results, as
// one JSON object per line, for compare.mjs.

namespace dmlcts {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = 1u << 20;  // of a case's images; keeps the text small

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

std::span<const uint8_t> tensorBytes(const gpu::BufferImage& image,
                                     const std::vector<uint8_t>& buffer) {
  return std::span(buffer).subspan(image.offset, image.size);
}

Json toJson(const OnnxTensor& tensor) {
  return {{"name", tensor.name},
          {"type", tensor.type},
          {"sizes", tensor.sizes},
          {"data", base64(tensor.bytes)}};
}

Json translated(const gpu::Request& request, const gpu::Answer& answer) {
  std::vector<std::span<const uint8_t>> inputs, outputs;
  for (const gpu::BufferImage& image : request.inputs) {
    inputs.push_back(tensorBytes(image, image.bytes));
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    outputs.push_back(tensorBytes(request.outputs[i], answer.outputs[i]));
  }
  const OnnxCase onnx = onnxCase(request.descriptor, inputs, outputs);
  const std::string model = onnxModel(onnx);
  Json line{{"model", base64({reinterpret_cast<const uint8_t*>(model.data()), model.size()})},
            {"inputs", Json::array()},
            {"output", toJson(onnx.output)}};
  for (const OnnxTensor& input : onnx.inputs) line["inputs"].push_back(toJson(input));
  return line;
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
    for (const ScheduledCase& each : chooseCases(options).cases) {
      const Case& testCase = each.testCase;
      if (testCase.expect != Expect::Execute || !onnxRuntimeHasKernel(testCase.descriptor))
        continue;
      if (!seen.insert(withoutLevel(each.text)).second) continue;
      const PreparedCase prepared = prepare(testCase, 1);
      if (prepared.bytes > kMostBytes) continue;
      const gpu::Request& request = prepared.requests.front();
      const gpu::Answer answer = oracle->run({&request, 1}).front();
      if (answer.status != gpu::Status::Executed) continue;  // a mutant that rejects
      Json line = translated(request, answer);
      line["case"] = each.text;
      line["operator"] = operatorName(testCase.descriptor);
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
