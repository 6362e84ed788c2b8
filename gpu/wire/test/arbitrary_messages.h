#pragma once

#include <rapidcheck.h>

#include "gpu/wire/members.h"
#include "gpu/wire/protocol.h"

// rapidcheck generators of messages, well-formed for the protocol. Operators would reject most of
// the descriptors, on purpose.

namespace dmlcts::gpu {

inline rc::Gen<std::string> arbitraryText() {
  return rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
}

inline rc::Gen<Bytes> arbitraryBytes() { return rc::gen::arbitrary<Bytes>(); }

inline rc::Gen<TensorDesc> arbitraryTensor() {
  return rc::gen::exec([] {
    TensorDesc tensor;
    tensor.type = kDataTypes[*rc::gen::inRange<size_t>(0, kDataTypes.size())].type;
    const auto dimensions = *rc::gen::inRange<size_t>(0, 10);
    tensor.sizes =
        *rc::gen::container<std::vector<uint32_t>>(dimensions, rc::gen::arbitrary<uint32_t>());
    if (*rc::gen::arbitrary<bool>()) tensor.strides = *rc::gen::arbitrary<std::vector<uint32_t>>();
    if (tensor.strides && tensor.strides->size() > kMaxDimensions) {
      tensor.strides->resize(kMaxDimensions);
    }
    tensor.totalBytes = *rc::gen::arbitrary<uint64_t>();
    return tensor;
  });
}

// Fills any member of an operator.
inline void fillArbitrary(TensorDesc& tensor) { tensor = *arbitraryTensor(); }
inline void fillArbitrary(uint32_t& count) { count = *rc::gen::arbitrary<uint32_t>(); }

template <class... Operators>
rc::Gen<std::variant<Operators...>> arbitraryOf(std::type_identity<std::variant<Operators...>>) {
  return rc::gen::exec([] {
    std::variant<Operators...> descriptor;
    const auto chosen = *rc::gen::inRange<size_t>(0, sizeof...(Operators));
    size_t place = 0;
    ((place++ == chosen ? void(descriptor.template emplace<Operators>()) : void()), ...);
    std::visit(
        [](auto& op) {
          visitMembers(op, [](auto... member) { (fillArbitrary(member.value), ...); });
        },
        descriptor);
    return descriptor;
  });
}

inline rc::Gen<Descriptor> arbitraryDescriptor() {
  return arbitraryOf(std::type_identity<Descriptor>());
}

inline rc::Gen<BufferImage> arbitraryImage() {
  return rc::gen::exec([] {
    BufferImage image;
    image.bytes = *arbitraryBytes();
    image.offset =
        *rc::gen::inRange<uint64_t>(0, image.bytes.size() / kImageAlignment + 1) * kImageAlignment;
    image.size = *rc::gen::inRange<uint64_t>(0, image.bytes.size() - image.offset + 1);
    return image;
  });
}

// Generates modes that do not exclude each other.
inline rc::Gen<Modes> arbitraryModes() {
  return rc::gen::exec([] {
    Modes modes;
    for (size_t i = 0; i < kModes.size(); ++i) {
      Modes more = modes;
      more.add(static_cast<Mode>(i));
      if (conflictOf(more).empty() && *rc::gen::arbitrary<bool>()) modes = more;
    }
    return modes;
  });
}

inline rc::Gen<Request> arbitraryRequest() {
  return rc::gen::exec([] {
    Request request;
    request.id = *rc::gen::arbitrary<uint64_t>();
    request.level = kLevels[*rc::gen::inRange<size_t>(0, kLevels.size())];
    request.descriptor = *arbitraryDescriptor();
    request.execute = *rc::gen::arbitrary<bool>();
    if (request.execute) {
      for (const TensorSlot& slot : tensors(request.descriptor)) {
        (slot.isOutput ? request.outputs : request.inputs).push_back(*arbitraryImage());
      }
    }
    if (*rc::gen::arbitrary<bool>()) request.modes = *arbitraryModes();
    return request;
  });
}

inline rc::Gen<Status> arbitraryStatus() {
  return rc::gen::element(Status::Rejected, Status::Created, Status::Executed, Status::NotSupported,
                          Status::DeviceRemoved, Status::Failed);
}

inline rc::Gen<Answer> arbitraryAnswer() {
  return rc::gen::exec([] {
    Answer answer;
    answer.id = *rc::gen::arbitrary<uint64_t>();
    answer.status = *arbitraryStatus();
    answer.hresult = *rc::gen::arbitrary<int32_t>();
    answer.message = *arbitraryText();
    if (answer.status == Status::Executed) {
      answer.outputs = *rc::gen::container<std::vector<Bytes>>(*rc::gen::inRange<size_t>(0, 4),
                                                               arbitraryBytes());
      answer.inputs = *rc::gen::container<std::vector<Bytes>>(*rc::gen::inRange<size_t>(0, 4),
                                                              arbitraryBytes());
      answer.modes = *arbitraryModes();
      if (!answer.modes.empty())
        answer.more.assign(executionsOf(answer.modes), {answer.outputs, {}});
    }
    return answer;
  });
}

inline rc::Gen<Timing> arbitraryTiming() {
  return rc::gen::exec([] {
    Timing timing;
    timing.status = *arbitraryStatus();
    timing.message = *arbitraryText();
    for (uint32_t nanoseconds : *rc::gen::arbitrary<std::vector<uint32_t>>()) {
      timing.nanoseconds.push_back(nanoseconds / 7.0);
    }
    if (timing.status == Status::Executed) {
      timing.outputs = *rc::gen::container<std::vector<Bytes>>(*rc::gen::inRange<size_t>(0, 4),
                                                               arbitraryBytes());
      for (uint32_t pass = *rc::gen::inRange<uint32_t>(0, 4); pass-- > 0;) {
        timing.passes.push_back({*arbitraryText(), *rc::gen::arbitrary<uint32_t>() / 7.0});
      }
    }
    return timing;
  });
}

inline rc::Gen<Identity> arbitraryIdentity() {
  return rc::gen::exec([] {
    Identity identity;
    identity.target = *arbitraryText();
    identity.adapter = *arbitraryText();
    identity.vendorId = *rc::gen::arbitrary<uint32_t>();
    identity.deviceId = *rc::gen::arbitrary<uint32_t>();
    identity.driver = *arbitraryText();
    identity.runtime = *arbitraryText();
    identity.implementation = *arbitraryText();
    identity.shaderModel = *arbitraryText();
    identity.kernelVariant = *arbitraryText();
    identity.maxLevel = kLevels[*rc::gen::inRange<size_t>(0, kLevels.size())];
    identity.limits = *rc::gen::container<std::map<std::string, std::string>>(
        *rc::gen::inRange<size_t>(0, 4), arbitraryText(), arbitraryText());
    return identity;
  });
}

}  // namespace dmlcts::gpu
