// Measures the oracle's speed on one core against numpy (bench/numpy_peers, same names) and against
// a copy of the bytes that it returns.
//
//   build/bin/oracle_benchmark --benchmark_repetitions=9 --benchmark_out=oracle.json
//   bench/numpy_peers numpy.json && build/bin/dmlcts report bench numpy.json oracle.json

#include <benchmark/benchmark.h>

#include <malloc.h>

#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "conformance/inputs/inputs.h"
#include "conformance/language/build.h"
#include "reference/evaluate.h"

namespace dmlcts {
namespace {

constexpr uint32_t kElements = 1 << 24;  // of NONZERO_COORDINATES
constexpr uint32_t kGathered = 1 << 26;  // bytes of GATHER_ND

void evaluateInLoop(benchmark::State& state, const Case& testCase) {
  const auto inputs = makeInputs(testCase);
  for ([[maybe_unused]] auto _ : state) {
    auto outputs = evaluate(testCase.descriptor, inputs);
    benchmark::DoNotOptimize(outputs.data());
  }
}

void nonzero(benchmark::State& state, const Sizes& sizes) {
  Case testCase;
  testCase.descriptor = makeNonzero(DataType::Float32, sizes, static_cast<uint32_t>(sizes.size()));
  testCase.fill = density(500'000);
  testCase.seed = 1;
  evaluateInLoop(state, testCase);
  state.SetItemsProcessed(state.iterations() * kElements);
}

void gather(benchmark::State& state, const GatherNd& op) {
  Case testCase;
  testCase.descriptor = op;
  testCase.fill = fill(FillKind::Unique);
  testCase.index = index(IndexKind::Random);
  testCase.seed = 1;
  evaluateInLoop(state, testCase);
  state.SetBytesProcessed(state.iterations() * kGathered);
}

void gatherRows(benchmark::State& state) {
  const auto rowBytes = static_cast<uint32_t>(state.range(0));
  const uint32_t rows = kGathered / rowBytes;
  gather(state,
         makeGather(DataType::Float32, DataType::UInt32, 2, {rows, rowBytes / 4}, {rows}, 1));
}

// Takes tuples of two.
void gatherScalars(benchmark::State& state) {
  gather(state, makeGather(DataType::Float32, DataType::UInt32, 2, {4096, kGathered / 4 / 4096},
                           {kGathered / 4}, 2));
}

// Lower bound for a gather: copies the rows in random order.
void copyRows(benchmark::State& state) {
  const auto rowBytes = static_cast<size_t>(state.range(0));
  const std::vector<uint8_t> from(kGathered, 1);
  std::vector<size_t> order(kGathered / rowBytes);
  std::mt19937 random(1);
  for (size_t& row : order) row = random() % order.size();
  for ([[maybe_unused]] auto _ : state) {
    const auto owner = std::make_unique_for_overwrite<uint8_t[]>(kGathered);
    uint8_t* to = owner.get();
    for (size_t i = 0; i < order.size(); ++i) {
      std::memcpy(to + i * rowBytes, from.data() + order[i] * rowBytes, rowBytes);
    }
    benchmark::DoNotOptimize(to);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * kGathered);
}

BENCHMARK_CAPTURE(nonzero, rank1, Sizes{kElements})
    ->Name("nonzero/f32/rank1/2^24/50%")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nonzero, rank4, Sizes{64, 64, 64, 64})
    ->Name("nonzero/f32/rank4/2^24/50%")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gatherRows)
    ->Name("gather/f32/rows/64MiB")
    ->RangeMultiplier(4)
    ->Range(64, 65536)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gatherScalars)->Name("gather/f32/scalars/64MiB")->Unit(benchmark::kMillisecond);
BENCHMARK(copyRows)
    ->Name("memcpy/rows/64MiB")
    ->RangeMultiplier(4)
    ->Range(256, 65536)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(copyRows)->Name("memcpy/64MiB")->Arg(kGathered)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  // Keeps freed memory for reuse, as a run of many cases does. Otherwise the kernel handing out
  // pages would dominate.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
