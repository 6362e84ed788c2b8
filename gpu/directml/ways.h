#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu/d3d12/ways/operator.h"
#include "gpu/directml/compiled.h"

namespace dmlcts::gpu {

// An operator of DirectML, compiled, initialised and bound in the ways that a request names.
class DirectMlWayOperator : public WayOperator {
 public:
  // `mutant`: null, or what to do wrong.
  DirectMlWayOperator(const DirectMlDevice& device, uint32_t executionFlags,
                      const WayMutant* mutant);

  // Creates, compiles and initialises the operator that all other calls are about from now on. The
  // result of IDMLDevice::CreateOperator; nothing may follow where it is a failure. Throws
  // D3D12Error or DeviceRemoved.
  HRESULT take(const Request& request);

  uint64_t temporaryBytes() const override { return compiled_->properties.temporaryResourceSize; }
  D3D12_RESOURCE_STATES inputState() const override {
    return D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  }
  void bind(size_t binding, const Request& request, WayMemory& memory) override;
  void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) override;

 private:
  struct Bound {
    std::unique_ptr<DescriptorHeap> heap;
    ComPtr<dml::BindingTable> table;
  };
  // A tensor that is bound at initialization.
  struct Owned {
    size_t input = 0;
    uint64_t bytes = 0;
  };

  bool isWrong(const Request& request, Way way) const {
    return request.via.has(way) && does(mutant_, way);
  }
  std::shared_ptr<CompiledOperator> compileGraph(const Request& request, dml::Operator* op);
  void initialise(const Request& request);
  // An operator that only shares initializers and binding tables with the one at hand.
  CompiledOperator& other(size_t index);
  void stageOwned(const BufferImage& image);
  // Copies what stageOwned() staged; from the byte `from` on.
  void copyToOwned(uint64_t from);
  // Makes the table the operator's, with nothing bound; by Reset where there is one.
  void takeTable(Bound& bound, CompiledOperator& compiled);

  const DirectMlDevice& device_;
  uint32_t executionFlags_;
  const WayMutant* mutant_;
  std::shared_ptr<CompiledOperator> compiled_;
  std::optional<Owned> owned_;
  Buffer ownedBuffer_;
  Buffer upload_;  // the owned tensor, then as many bytes of 0
  std::vector<std::shared_ptr<CompiledOperator>> others_;
  Buffer otherBuffer_;
  Initialization reused_;
  std::vector<Bound> bound_;
  bool lost_ = false;  // every dispatch
};

}  // namespace dmlcts::gpu
