#pragma once

#include "gpu/d3d12/platform/platform.h"

// The part of DirectML's binary interface that this target uses, written from its public
// documentation. Names lack the DML_ prefix.

namespace dmlcts::gpu::dml {

constexpr uint32_t kTensorTypeBuffer = 1;  // DML_TENSOR_TYPE_BUFFER
constexpr uint32_t kBindingTypeNone = 0;   // DML_BINDING_TYPE_NONE
constexpr uint32_t kBindingTypeBuffer = 1;
constexpr uint32_t kBindingTypeBufferArray = 2;
constexpr uint32_t kNodeTypeOperator = 1;  // DML_GRAPH_NODE_TYPE_OPERATOR
constexpr uint32_t kEdgeTypeInput = 1;     // DML_GRAPH_EDGE_TYPE_INPUT
constexpr uint32_t kEdgeTypeOutput = 2;
constexpr uint32_t kEdgeTypeIntermediate = 3;
constexpr uint32_t kExecutionFlagNone = 0;           // DML_EXECUTION_FLAG_NONE
constexpr uint32_t kExecutionFlagHalfPrecision = 1;  // _ALLOW_HALF_PRECISION_COMPUTATION
constexpr uint32_t kExecutionFlagNoMetacommands = 2;
constexpr uint32_t kExecutionFlagVolatile = 4;
constexpr uint32_t kLevel1_0 = 0x1000;  // DML_FEATURE_LEVEL_1_0

// DML_OPERATOR_TYPE
constexpr uint32_t kOperatorElementWiseIdentity = 1;
constexpr uint32_t kOperatorGatherNd = 108;
constexpr uint32_t kOperatorNonzeroCoordinates = 133;
constexpr uint32_t kOperatorGatherNd1 = 140;

// DML_FEATURE
constexpr uint32_t kFeatureTensorDataTypeSupport = 0;
constexpr uint32_t kFeatureLevels = 1;

struct FeatureLevelsQuery {
  UINT requestedCount;
  const uint32_t* requested;
};

struct BufferTensorDesc {
  uint32_t dataType;
  uint32_t flags;
  UINT dimensionCount;
  const UINT* sizes;
  const UINT* strides;  // null: packed
  UINT64 totalTensorSizeInBytes;
  UINT guaranteedBaseOffsetAlignment;
};

struct TensorDesc {
  uint32_t type;
  const void* desc;
};

struct OperatorDesc {
  uint32_t type;
  const void* desc;
};

struct ElementWiseIdentityDesc {
  const TensorDesc* input;
  const TensorDesc* output;
  const void* scaleBias;
};

struct GatherNdDesc {
  const TensorDesc* input;
  const TensorDesc* indices;
  const TensorDesc* output;
  UINT inputDimensionCount;
  UINT indicesDimensionCount;
};

struct GatherNd1Desc {
  const TensorDesc* input;
  const TensorDesc* indices;
  const TensorDesc* output;
  UINT inputDimensionCount;
  UINT indicesDimensionCount;
  UINT batchDimensionCount;
};

struct NonzeroCoordinatesDesc {
  const TensorDesc* input;
  const TensorDesc* outputCount;
  const TensorDesc* outputCoordinates;
};

struct BindingProperties {
  UINT requiredDescriptorCount;
  UINT64 temporaryResourceSize;
  UINT64 persistentResourceSize;
};

struct BufferBinding {
  ID3D12Resource* buffer;
  UINT64 offset;
  UINT64 sizeInBytes;
};

struct BufferArrayBinding {
  UINT count;
  const BufferBinding* bindings;
};

struct BindingDesc {
  uint32_t type;
  const void* desc;
};

struct NodeDesc {
  uint32_t type;
  const void* desc;
};

struct EdgeDesc {
  uint32_t type;
  const void* desc;
};

class Operator;

struct OperatorNodeDesc {
  Operator* op;
  const char* name;
};

struct InputEdgeDesc {
  UINT graphInput;
  UINT toNode;
  UINT toNodeInput;
  const char* name;
};

struct OutputEdgeDesc {
  UINT fromNode;
  UINT fromNodeOutput;
  UINT graphOutput;
  const char* name;
};

struct IntermediateEdgeDesc {
  UINT fromNode;
  UINT fromNodeOutput;
  UINT toNode;
  UINT toNodeInput;
  const char* name;
};

struct GraphDesc {
  UINT inputCount;
  UINT outputCount;
  UINT nodeCount;
  const NodeDesc* nodes;
  UINT inputEdgeCount;
  const EdgeDesc* inputEdges;
  UINT outputEdgeCount;
  const EdgeDesc* outputEdges;
  UINT intermediateEdgeCount;
  const EdgeDesc* intermediateEdges;
};

class Dispatchable;

struct BindingTableDesc {
  Dispatchable* dispatchable;
  D3D12_CPU_DESCRIPTOR_HANDLE cpu;
  D3D12_GPU_DESCRIPTOR_HANDLE gpu;
  UINT sizeInDescriptors;
};

// The interfaces, in method table order.
using Unknown = ::IUnknown;

class Object : public Unknown {
 public:
  virtual HRESULT STDMETHODCALLTYPE GetPrivateData(const GUID&, UINT*, void*) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetPrivateData(const GUID&, UINT, const void*) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(const GUID&, Unknown*) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetName(const wchar_t*) = 0;
};

class DeviceChild : public Object {
 public:
  virtual HRESULT STDMETHODCALLTYPE GetDevice(const GUID&, void**) = 0;
};

class Pageable : public DeviceChild {};
class Operator : public DeviceChild {};

class Dispatchable : public Pageable {
 public:
  // Documented to return the structure: Microsoft's convention passes the result's address.
  virtual BindingProperties* STDMETHODCALLTYPE GetBindingProperties(BindingProperties*) = 0;
};

class CompiledOperator : public Dispatchable {};

class OperatorInitializer : public Dispatchable {
 public:
  virtual HRESULT STDMETHODCALLTYPE Reset(UINT, CompiledOperator* const*) = 0;
};

class BindingTable : public DeviceChild {
 public:
  virtual void STDMETHODCALLTYPE BindInputs(UINT, const BindingDesc*) = 0;
  virtual void STDMETHODCALLTYPE BindOutputs(UINT, const BindingDesc*) = 0;
  virtual void STDMETHODCALLTYPE BindTemporaryResource(const BindingDesc*) = 0;
  virtual void STDMETHODCALLTYPE BindPersistentResource(const BindingDesc*) = 0;
  virtual HRESULT STDMETHODCALLTYPE Reset(const BindingTableDesc*) = 0;
};

class CommandRecorder : public DeviceChild {
 public:
  virtual void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList*, Dispatchable*,
                                                BindingTable*) = 0;
};

class Device : public Object {
 public:
  virtual HRESULT STDMETHODCALLTYPE CheckFeatureSupport(uint32_t feature, UINT querySize,
                                                        const void* query, UINT dataSize,
                                                        void* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateOperator(const OperatorDesc*, const GUID&, void**) = 0;
  virtual HRESULT STDMETHODCALLTYPE CompileOperator(Operator*, uint32_t flags, const GUID&,
                                                    void**) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT, CompiledOperator* const*,
                                                              const GUID&, void**) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateCommandRecorder(const GUID&, void**) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateBindingTable(const BindingTableDesc*, const GUID&,
                                                       void**) = 0;
  virtual HRESULT STDMETHODCALLTYPE Evict(UINT, Pageable* const*) = 0;
  virtual HRESULT STDMETHODCALLTYPE MakeResident(UINT, Pageable* const*) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() = 0;
  virtual HRESULT STDMETHODCALLTYPE GetParentDevice(const GUID&, void**) = 0;
};

class Device1 : public Device {
 public:
  virtual HRESULT STDMETHODCALLTYPE CompileGraph(const GraphDesc*, uint32_t flags, const GUID&,
                                                 void**) = 0;
};

constexpr GUID kDevice1Id = {
    0xa0884f9a, 0xd2be, 0x4355, {0xaa, 0x5d, 0x59, 0x01, 0x28, 0x1a, 0xd1, 0xd2}};
constexpr GUID kDeviceId = {
    0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
constexpr GUID kOperatorId = {
    0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
constexpr GUID kCompiledOperatorId = {
    0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
constexpr GUID kOperatorInitializerId = {
    0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
constexpr GUID kBindingTableId = {
    0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
constexpr GUID kCommandRecorderId = {
    0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};

// DMLCreateDevice1: device, flags, minimum feature level.
using CreateDevice1 = HRESULT(STDMETHODCALLTYPE*)(ID3D12Device*, uint32_t, uint32_t, const GUID&,
                                                  void**);

}  // namespace dmlcts::gpu::dml
