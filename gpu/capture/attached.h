#pragma once

#include <atomic>
#include <utility>

#include "gpu/directml/abi.h"

namespace dmlcts::gpu {

// A value that lives as long as an object of the application, as its private data.
template <class Value>
class Attached final : public IUnknown {
 public:
  explicit Attached(Value itsValue) : value(std::move(itsValue)) {}

  HRESULT STDMETHODCALLTYPE QueryInterface(const GUID&, void** object) override {
    *object = nullptr;
    return E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++references_; }
  ULONG STDMETHODCALLTYPE Release() override {
    const ULONG left = --references_;
    if (left == 0) delete this;
    return left;
  }

  Value value;

 private:
  ~Attached() = default;
  std::atomic<ULONG> references_ = 1;
};

// Replaces the object's value of that id.
template <class Value>
void attach(dml::Object* object, const GUID& id, Value value) {
  ComPtr<Attached<Value>> attached;
  attached.Attach(new Attached<Value>(std::move(value)));
  object->SetPrivateDataInterface(id, attached.Get());
}

// Returns the object's value of that id, or null.
template <class Value>
ComPtr<Attached<Value>> attached(dml::Object* object, const GUID& id) {
  ComPtr<Attached<Value>> found;
  UINT size = sizeof(void*);
  if (object) object->GetPrivateData(id, &size, found.GetAddressOf());
  return found;
}

}  // namespace dmlcts::gpu
