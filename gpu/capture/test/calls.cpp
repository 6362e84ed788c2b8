#include <fmt/format.h>

#include <array>
#include <iostream>
#include <thread>

#include "gpu/d3d12/platform/platform.h"
#include "gpu/directml/library.h"

// Test only: an application of a DirectML.dll, which prints what it gets.
//
//   calls FILE           creates operators on two threads, and looks at its objects
//   calls FILE --hang    creates some, prints "ready", and does not end

namespace dmlcts::gpu {
namespace {

constexpr UINT kDistinct = 5'100;  // of each thread: together more than a log has lines

HRESULT createNonzero(dml::Device* device, UINT size, UINT columns, dml::Operator** op) {
  const UINT input[] = {1, size}, count[] = {1}, coords[] = {size, columns};
  const dml::BufferTensorDesc buffers[] = {
      {1, 0, 2, input, nullptr, UINT64{4} * size, 0},
      {3, 0, 1, count, nullptr, 4, 0},
      {3, 0, 2, coords, nullptr, UINT64{4} * size * columns, 0}};
  const dml::TensorDesc tensors[] = {{dml::kTensorTypeBuffer, &buffers[0]},
                                     {dml::kTensorTypeBuffer, &buffers[1]},
                                     {dml::kTensorTypeBuffer, &buffers[2]}};
  const dml::NonzeroCoordinatesDesc desc{&tensors[0], &tensors[1], &tensors[2]};
  const dml::OperatorDesc which{dml::kOperatorNonzeroCoordinates, &desc};
  return device->CreateOperator(&which, dml::kOperatorId, reinterpret_cast<void**>(op));
}

template <class Interface>
bool isSame(IUnknown* a, IUnknown* b, const GUID& id) {
  ComPtr<Interface> first, second;
  a->QueryInterface(id, &first);
  b->QueryInterface(id, &second);
  return first && first.Get() == second.Get();
}

// Prints what must not depend on who recorded it.
void look(dml::Device* device) {
  ComPtr<dml::Operator> op;
  fmt::print("valid: {:#x}\n", static_cast<uint32_t>(createNonzero(device, 7, 1, &op)));
  ComPtr<dml::Device> owner;
  op->GetDevice(dml::kDeviceId, &owner);
  fmt::print("its device: {}\n", owner.Get() == device);
  fmt::print("as IDMLDevice1: {}\n", isSame<dml::Device1>(owner.Get(), device, dml::kDevice1Id));
  const GUID own = {1, 2, 3, {4}};
  std::array<char, 4> data{'a', 'b', 'c', 'd'};
  UINT size = data.size();
  fmt::print("no private data: {:#x}\n",
             static_cast<uint32_t>(op->GetPrivateData(own, &size, data.data())));
  op->SetPrivateData(own, data.size(), data.data());
  data = {};
  size = data.size();
  op->GetPrivateData(own, &size, data.data());
  fmt::print("private data: {}\n", std::string_view(data.data(), size));
  ComPtr<dml::CompiledOperator> compiled;
  fmt::print("compiled: {:#x}\n", static_cast<uint32_t>(device->CompileOperator(
                                      op.Get(), dml::kExecutionFlagNoMetacommands,
                                      dml::kCompiledOperatorId, &compiled)));
  op->AddRef();
  fmt::print("references: {}\n", op->Release());
  op.Reset();
  fmt::print("columns of nothing: {:#x}\n",
             static_cast<uint32_t>(createNonzero(device, 7, 0, &op)));
  fmt::print("no descriptor: {:#x}\n",
             static_cast<uint32_t>(device->CreateOperator(nullptr, dml::kOperatorId, &op)));
  const dml::OperatorDesc unknown{9999, nullptr};
  fmt::print("no such operator: {:#x}\n",
             static_cast<uint32_t>(device->CreateOperator(&unknown, dml::kOperatorId, &op)));
}

int run(const std::string& file, bool hang) {
  platform::AdapterFacts facts;
  const ComPtr<ID3D12Device> device = platform::createDevice("", false, facts);
  const NoMetacommands noMetacommands(device.Get());
  const DirectMlLibrary library(file);
  ComPtr<dml::Device> directml;
  const HRESULT result =
      library.createDevice()(device.Get(), 0, dml::kLevel1_0, dml::kDeviceId, &directml);
  fmt::print("device: {:#x}\n", static_cast<uint32_t>(result));
  if (FAILED(result)) return 1;
  look(directml.Get());
  if (hang) {
    fmt::print("ready\n");
    std::fflush(stdout);
    std::cin.get();
  }
  const auto create = [&](UINT first) {
    for (UINT i = 0; i < kDistinct; ++i) {
      ComPtr<dml::Operator> shared, own;
      createNonzero(directml.Get(), 5, 1, &shared);
      createNonzero(directml.Get(), first + i, 1, &own);
    }
  };
  std::thread other(create, 10);
  create(10 + kDistinct);
  other.join();
  fmt::print("end\n");
  return 0;
}

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) {
  try {
    const int status = dmlcts::gpu::run(argv[1], argc > 2);
    std::fflush(stdout);
    return status;  // destroys the devices: the recorder must outlive them
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 3;
  }
}
