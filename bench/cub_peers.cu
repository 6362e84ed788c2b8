// Times CUB's DeviceSelect::Flagged, the equivalent of NONZERO_COORDINATES in one dimension. Writes
// Google Benchmark's JSON with the names of `dmlcts bench`, for `dmlcts report bench` and the
// plots. Needs CUDA's compiler:
//
//   nvcc -O3 -arch=native -o cub_peers bench/cub_peers.cu && ./cub_peers OUT.json

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

constexpr int kRepetitions = 20;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cub_peers: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

template <class T>
struct IsNonzero {
  const T* elements;
  __device__ bool operator()(uint32_t i) const { return elements[i] != T(0); }
};

// Sets elements to 1 with a probability of `percent`, else to 0.
template <class T>
__global__ void fill(T* elements, uint32_t count, uint32_t percent) {
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += uint64_t{gridDim.x} * blockDim.x) {
    uint32_t hash = static_cast<uint32_t>(i) * 2654435761u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash = (hash ^ (hash >> 13)) * 3266489917u;
    elements[i] = (hash ^ (hash >> 16)) % 100 < percent ? T(1) : T(0);
  }
}

// Returns the microseconds of each repetition. Warms up for half a second so that clocks can rise.
template <class Work>
std::vector<float> timed(Work work) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500)) {
    for (int i = 0; i < 4; ++i) work();
    check(cudaDeviceSynchronize());
  }
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < kRepetitions; ++i) {
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds * 1000);
  }
  return times;
}

std::string entries;
double copyRate = 0;

void add(const std::string& name, double bytes, const std::vector<float>& times) {
  std::vector<float> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const double rate = bytes / (sorted[sorted.size() / 2] * 1e-6);
  if (copyRate == 0) copyRate = rate;
  std::printf("%-48s %10.2f us %8.1f GB/s %5.1f%%\n", name.c_str(), sorted[sorted.size() / 2],
              rate / 1e9, 100 * rate / copyRate);
  for (size_t i = 0; i < times.size(); ++i) {
    char text[768];
    std::snprintf(text, sizeof text,
                  "%s  {\"name\": \"%s\", \"run_name\": \"%s\", \"run_type\": \"iteration\", "
                  "\"repetitions\": %zu, \"repetition_index\": %zu, \"threads\": 1, "
                  "\"iterations\": 1, \"real_time\": %.3f, \"cpu_time\": %.3f, "
                  "\"time_unit\": \"us\", \"bytes_moved\": %.0f, \"bytes_per_second\": %.0f, "
                  "\"fraction_of_copy\": %.4f}",
                  entries.empty() ? "" : ",\n", name.c_str(), name.c_str(), times.size(), i,
                  times[i], times[i], bytes, bytes / (times[i] * 1e-6), bytes / (times[i] * 1e-6) / copyRate);
    entries += text;
  }
}

void copy() {
  constexpr size_t kBytes = size_t{256} << 20;
  void *from, *to;
  check(cudaMalloc(&from, kBytes));
  check(cudaMalloc(&to, kBytes));
  add("copy/cuda/256MiB", 2.0 * kBytes,
      timed([&] { check(cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDeviceToDevice)); }));
  check(cudaFree(from));
  check(cudaFree(to));
}

template <class T>
void nonzero(const char* type, uint32_t exponent, uint32_t percent) {
  const uint32_t count = uint32_t{1} << exponent;
  T* elements;
  uint32_t *indices, *selected;
  check(cudaMalloc(&elements, count * sizeof(T)));
  check(cudaMalloc(&indices, count * sizeof(uint32_t)));
  check(cudaMalloc(&selected, sizeof(uint32_t)));
  fill<<<1024, 256>>>(elements, count, percent);
  const thrust::counting_iterator<uint32_t> all(0);
  const auto flags = thrust::make_transform_iterator(all, IsNonzero<T>{elements});
  size_t bytes = 0;
  check(cub::DeviceSelect::Flagged(nullptr, bytes, all, flags, indices, selected, count));
  void* temporary;
  check(cudaMalloc(&temporary, bytes));
  const auto times = timed([&] {
    check(cub::DeviceSelect::Flagged(temporary, bytes, all, flags, indices, selected, count));
  });
  uint32_t rows = 0;
  check(cudaMemcpy(&rows, selected, sizeof rows, cudaMemcpyDeviceToHost));
  add("nonzero/" + std::string(type) + "/rank1/2^" + std::to_string(exponent) + "/" +
          std::to_string(percent) + "%/random/packed",
      double(count) * sizeof(T) + 4.0 + 4.0 * rows, times);
  for (void* memory : {static_cast<void*>(elements), static_cast<void*>(indices),
                       static_cast<void*>(selected), temporary}) {
    check(cudaFree(memory));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: cub_peers OUT.json\n");
    return 2;
  }
  copy();
  for (uint32_t exponent : {22, 24}) nonzero<float>("f32", exponent, 50);
  nonzero<float>("f32", 28, 50);
  nonzero<uint16_t>("f16", 28, 50);
  nonzero<uint8_t>("u8", 28, 50);
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  std::FILE* out = std::fopen(argv[1], "w");
  if (!out) {
    std::fprintf(stderr, "cub_peers: cannot write %s\n", argv[1]);
    return 3;
  }
  std::fprintf(out,
               "{\"context\": {\"target\": \"CUB\", \"runtime\": \"CUB %d, CUDA %d\", "
               "\"adapter\": \"%s\", \"copy_bytes_per_second\": %.0f},\n"
               "\"benchmarks\": [\n%s\n]}\n",
               CUB_VERSION, CUDART_VERSION, device.name, copyRate, entries.c_str());
  return std::fclose(out) == 0 ? 0 : 3;
}
