#include "gpu/d3d12/device/dred.h"

#include <fmt/format.h>

namespace dmlcts::gpu {

namespace {

constexpr size_t kMostLists = 8;
constexpr size_t kMostAllocations = 8;
constexpr size_t kMostNameBytes = 64;

template <class Char>
std::string ascii(const Char* text) {
  std::string result;
  for (; text && *text && result.size() < kMostNameBytes; ++text) {
    const bool plain = *text >= 32 && *text < 127;
    result += plain ? static_cast<char>(*text) : '?';
  }
  return result;
}

std::string nameOf(const char* narrow, const wchar_t* wide) {
  std::string name = ascii(wide);
  if (name.empty()) name = ascii(narrow);
  return name.empty() ? "without a name" : '"' + name + '"';
}

// Names the operations that our targets and DirectML record.
std::string operationName(D3D12_AUTO_BREADCRUMB_OP operation) {
  switch (operation) {
    case D3D12_AUTO_BREADCRUMB_OP_DISPATCH:
      return "Dispatch";
    case D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION:
      return "CopyBufferRegion";
    case D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER:
      return "ResourceBarrier";
    case D3D12_AUTO_BREADCRUMB_OP_CLEARUNORDEREDACCESSVIEW:
      return "ClearUnorderedAccessView";
    case D3D12_AUTO_BREADCRUMB_OP_RESOLVEQUERYDATA:
      return "ResolveQueryData";
    case D3D12_AUTO_BREADCRUMB_OP_INITIALIZEMETACOMMAND:
      return "InitializeMetaCommand";
    case D3D12_AUTO_BREADCRUMB_OP_EXECUTEMETACOMMAND:
      return "ExecuteMetaCommand";
    default:
      return fmt::format("operation {}", static_cast<int>(operation));
  }
}

std::string allocations(const D3D12_DRED_ALLOCATION_NODE* node) {
  std::string text;
  size_t count = 0;
  for (; node && count < kMostAllocations; node = node->pNext, ++count) {
    text += (text.empty() ? "" : ", ") + nameOf(node->ObjectNameA, node->ObjectNameW);
  }
  if (node) text += ", …";
  return text;
}

}  // namespace

void enableDred(ID3D12DeviceRemovedExtendedDataSettings* settings) {
  settings->SetAutoBreadcrumbsEnablement(D3D12_DRED_ENABLEMENT_FORCED_ON);
  settings->SetPageFaultEnablement(D3D12_DRED_ENABLEMENT_FORCED_ON);
}

std::string describe(const D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT& breadcrumbs) {
  std::string text;
  size_t lists = 0;
  for (const auto* node = breadcrumbs.pHeadAutoBreadcrumbNode; node; node = node->pNext) {
    if (!node->pLastBreadcrumbValue) continue;
    const uint32_t done = *node->pLastBreadcrumbValue;
    if (done == 0 || done >= node->BreadcrumbCount) continue;  // not begun, or finished
    if (++lists > kMostLists) return text + "; …";
    text += fmt::format("{}list {}: operations done: {} of {}",
                        text.empty() ? "Direct3D 12's breadcrumbs: " : "; ",
                        nameOf(node->pCommandListDebugNameA, node->pCommandListDebugNameW), done,
                        node->BreadcrumbCount);
    if (node->pCommandHistory) text += ", then " + operationName(node->pCommandHistory[done]);
  }
  return text;
}

std::string describe(const D3D12_DRED_PAGE_FAULT_OUTPUT& pageFault) {
  if (pageFault.PageFaultVA == 0) return {};
  std::string text = fmt::format("page fault at GPU address {:#x}", pageFault.PageFaultVA);
  const std::string existing = allocations(pageFault.pHeadExistingAllocationNode);
  const std::string freed = allocations(pageFault.pHeadRecentFreedAllocationNode);
  if (!existing.empty()) text += ", within or near " + existing;
  if (!freed.empty()) text += ", where there was " + freed;
  return text;
}

std::string dredOf(ID3D12Device* device) {
  ComPtr<ID3D12DeviceRemovedExtendedData> data;
  if (FAILED(device->QueryInterface(uuidof<ID3D12DeviceRemovedExtendedData>(), &data))) {
    return {};
  }
  std::string text;
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT breadcrumbs{};
  if (SUCCEEDED(data->GetAutoBreadcrumbsOutput(&breadcrumbs))) text = describe(breadcrumbs);
  D3D12_DRED_PAGE_FAULT_OUTPUT pageFault{};
  if (SUCCEEDED(data->GetPageFaultAllocationOutput(&pageFault))) {
    const std::string fault = describe(pageFault);
    if (!text.empty() && !fault.empty()) text += "; ";
    text += fault;
  }
  return text;
}

}  // namespace dmlcts::gpu
