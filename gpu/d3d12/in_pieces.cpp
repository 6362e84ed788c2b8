#include "gpu/d3d12/in_pieces.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr auto kOutOfMemory = static_cast<HRESULT>(0x8007000E);  // E_OUTOFMEMORY

}  // namespace

template <class Call>
Step D3D12InPieces::guarded(Status done, const Call& call) {
  try {
    call();
    return {done, 0, ""};
  } catch (const std::exception& error) {
    return explain_(error);
  }
}

Step D3D12InPieces::open(const LargeRequest& request) {
  close();
  if (Step asked = ask_(request); asked.status != Status::Created) return asked;
  std::vector<uint64_t> sizes;
  SequenceCall bind{CallKind::Bind, 0, 0, 0, {0}};
  const auto add = [&](std::vector<Place>& places, const BufferExtent& extent) {
    places.push_back({static_cast<uint32_t>(sizes.size()), extent.offset});
    sizes.push_back(extent.bytes);
  };
  for (const BufferExtent& extent : request.inputs) add(bind.from, extent);
  for (const BufferExtent& extent : request.outputs) add(bind.to, extent);
  try {
    operators_ = makeOperators_();
    operators_->create(0, {request.level, request.descriptor});
    operators_->compile(0);
    operators_->initialize({0});
    stage_ = std::make_unique<SequenceStage>(device_, nullptr, sizes);
    operators_->bind(bind, *stage_);
    return {Status::Created, 0, ""};
  } catch (const std::length_error& error) {
    close();
    return {Status::NotSupported, 0, error.what()};
  } catch (const D3D12Error& error) {
    close();
    if (error.result() != kOutOfMemory) return explain_(error);
    return {Status::NotSupported, error.result(),
            fmt::format("the device has no room for buffers of {} bytes together: {}",
                        std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}), error.what())};
  } catch (const std::exception& error) {
    close();
    return explain_(error);
  }
}

Step D3D12InPieces::put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) {
  return guarded(Status::Created, [&] {
    const SequenceStage::Part<const uint8_t> part{static_cast<uint32_t>(buffer), at, bytes};
    if (!bytes.empty()) stage_->write({&part, 1});
  });
}

Step D3D12InPieces::get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) {
  return guarded(Status::Created, [&] {
    const SequenceStage::Part<uint8_t> part{static_cast<uint32_t>(buffer), at, bytes};
    if (!bytes.empty()) stage_->read({&part, 1});
  });
}

Step D3D12InPieces::execute() {
  return guarded(Status::Executed, [&] {
    operators_->execute(0, 0, *stage_);
    stage_->wait(0);
  });
}

void D3D12InPieces::close() {
  stage_.reset();  // waits for what the operators record
  operators_.reset();
}

}  // namespace dmlcts::gpu
