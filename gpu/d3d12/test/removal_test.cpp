
#include <gmock/gmock.h>

#include <deque>
#include <stdexcept>

#include "gpu/d3d12/device/dred.h"
#include "gpu/d3d12/device/error.h"

// The message for a lost device.

namespace dmlcts::gpu {
namespace {

using testing::HasSubstr;
using testing::Not;

struct List {
  List(const wchar_t* name, uint32_t done, std::vector<D3D12_AUTO_BREADCRUMB_OP> operations,
       const List* next = nullptr)
      : done_(done), operations_(std::move(operations)) {
    node.pCommandListDebugNameW = name;
    node.pLastBreadcrumbValue = &done_;
    node.BreadcrumbCount = static_cast<UINT>(operations_.size());
    node.pCommandHistory = operations_.data();
    node.pNext = next ? &next->node : nullptr;
  }
  List(const List&) = delete;

  D3D12_AUTO_BREADCRUMB_NODE node{};

 private:
  uint32_t done_;
  std::vector<D3D12_AUTO_BREADCRUMB_OP> operations_;
};

TEST(Dred, SaysWhatTheListsWereAt) {
  constexpr auto kCopy = D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION;
  constexpr auto kDispatch = D3D12_AUTO_BREADCRUMB_OP_DISPATCH;
  const List notBegun(L"later", 0, {kCopy});
  const List ended(L"earlier", 2, {kCopy, kDispatch}, &notBegun);
  const List odd(nullptr, 1, {kCopy, static_cast<D3D12_AUTO_BREADCRUMB_OP>(99)}, &ended);
  const List caught(L"batch", 1, {kCopy, kDispatch, kCopy}, &odd);
  EXPECT_EQ(describe(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT{&caught.node}),
            "Direct3D 12's breadcrumbs: list \"batch\": operations done: 1 of 3, then Dispatch; "
            "list without a name: operations done: 1 of 2, then operation 99");
  EXPECT_EQ(describe(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT{}), "");
  EXPECT_EQ(describe(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT{&ended.node}), "");
}

TEST(Dred, IsBounded) {
  const std::wstring name(5000, L'x');
  std::deque<List> lists;
  for (int i = 0; i < 1000; ++i) {
    lists.emplace_back(name.c_str(), 1, std::vector(2, D3D12_AUTO_BREADCRUMB_OP_DISPATCH),
                       i == 0 ? nullptr : &lists.back());
  }
  const std::string text = describe(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT{&lists.back().node});
  EXPECT_LT(text.size(), 2048u);
  EXPECT_THAT(text, HasSubstr("; …"));
}

TEST(Dred, SaysWhereAPageFaultWas) {
  D3D12_DRED_ALLOCATION_NODE second{nullptr, L"inputs", D3D12_DRED_ALLOCATION_TYPE_RESOURCE,
                                    nullptr};
  D3D12_DRED_ALLOCATION_NODE first{"o\nld", nullptr, D3D12_DRED_ALLOCATION_TYPE_RESOURCE, &second};
  EXPECT_EQ(describe(D3D12_DRED_PAGE_FAULT_OUTPUT{0x12345000, nullptr, &first}),
            "page fault at GPU address 0x12345000, where there was \"o?ld\", \"inputs\"");
  EXPECT_EQ(describe(D3D12_DRED_PAGE_FAULT_OUTPUT{1, &second, nullptr}),
            "page fault at GPU address 0x1, within or near \"inputs\"");
  EXPECT_EQ(describe(D3D12_DRED_PAGE_FAULT_OUTPUT{}), "");
}

TEST(Removal, OtherFailuresSayWhatFailed) {
  Device device("", false);
  const Answer answer = failedAnswer(D3D12Error("A call", static_cast<HRESULT>(0x80070057)), device,
                                     [&] { device.checkRemoved("afterwards"); });
  EXPECT_EQ(answer.status, Status::Failed);
  EXPECT_EQ(answer.message, "A call failed: E_INVALIDARG (0x80070057)");
  EXPECT_EQ(failedAnswer(std::runtime_error("words"), device, [] {}).message, "words");
}

// The device is really present, so the driver reports no error.
TEST(Removal, SaysTheReasonAndWhatTheDriverSays) {
  Device device("", false);
  const Answer answer =
      failedAnswer(D3D12Error("A call", static_cast<HRESULT>(0x80004005)), device,
                   [] { throw DeviceRemoved("afterwards", static_cast<HRESULT>(0x887A0006)); });
  EXPECT_EQ(answer.status, Status::DeviceRemoved);
  EXPECT_EQ(static_cast<uint32_t>(answer.hresult), 0x887A0006u);
  EXPECT_THAT(answer.message, HasSubstr("A call failed: E_FAIL (0x80004005); afterwards: device "
                                        "removed: DXGI_ERROR_DEVICE_HUNG (0x887A0006)"));
  EXPECT_THAT(answer.message, Not(HasSubstr("VK_ERROR")));
}

}  // namespace
}  // namespace dmlcts::gpu
