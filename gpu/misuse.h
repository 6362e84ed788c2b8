#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Errors of use: an application binds or executes a valid operator wrongly. Sources are pages of
// DirectML's API reference, by the last part of their names.

namespace dmlcts::gpu {

enum class Misuse : uint8_t {
  TooFewInputs,
  TooManyInputs,
  TooFewOutputs,
  TooManyOutputs,
  InputUnbound,
  OutputUnbound,
  NothingBound,
  InputRangeTooSmall,
  OutputRangeTooSmall,
  RangeBeyondBuffer,
  OffsetOf8,
  OffsetNotGuaranteed,
  OutputsOverlap,
  OutputIsInput,
  UploadHeapInput,
  OwnedBoundAtExecution,
  NotInitialized,
  TemporaryMissing,
  TemporaryTooSmall,
  TemporaryOffsetOf16,
  DescriptorsTooFew,
};

// The documented consequence.
enum class Promise : uint8_t {
  Nothing,  // states the requirement, not the consequence
  Removal,  // of DirectML's device; later calls that return an HRESULT report it
};

struct MisuseInfo {
  std::string_view name;
  std::string_view what;    // the application does
  std::string_view source;  // page that forbids it
  Promise promise;
};

// Indexed by Misuse.
inline constexpr std::array<MisuseInfo, 21> kMisuses{{
    {"too-few-inputs", "one input binding less than inputs", "BindInputs", Promise::Removal},
    {"too-many-inputs", "one input binding more than inputs", "BindInputs", Promise::Removal},
    {"too-few-outputs", "one output binding less than outputs", "BindOutputs", Promise::Removal},
    {"too-many-outputs", "one output binding more than outputs", "BindOutputs", Promise::Removal},
    {"input-unbound", "DML_BINDING_TYPE_NONE for the first input", "BindInputs", Promise::Nothing},
    {"output-unbound", "DML_BINDING_TYPE_NONE for the last output", "BindOutputs",
     Promise::Nothing},
    {"nothing-bound", "executed with an empty binding table", "RecordDispatch", Promise::Nothing},
    {"input-range-too-small", "the first input's range 4 bytes short", "DML_BUFFER_BINDING",
     Promise::Nothing},
    {"output-range-too-small", "the last output's range 4 bytes short", "DML_BUFFER_BINDING",
     Promise::Nothing},
    {"range-beyond-buffer", "the first input's range ends 16 bytes behind its buffer",
     "DML_BUFFER_BINDING", Promise::Nothing},
    {"offset-of-8", "the first input at an offset that is no multiple of 16", "DML_BUFFER_BINDING",
     Promise::Nothing},
    {"offset-not-guaranteed",
     "the first input at an offset that is no multiple of its GuaranteedBaseOffsetAlignment",
     "DML_BUFFER_BINDING", Promise::Nothing},
    {"outputs-overlap", "both outputs in the same bytes", "BindOutputs", Promise::Nothing},
    {"output-is-input", "the last output in the bytes of the first input", "BindInputs",
     Promise::Nothing},
    {"upload-heap-input", "the first input in an upload heap", "BindInputs", Promise::Nothing},
    {"owned-bound-at-execution", "an OWNED_BY_DML input bound at execution, too", "BindInputs",
     Promise::Nothing},
    {"not-initialized", "executed without initialization", "CreateOperatorInitializer",
     Promise::Nothing},
    {"temporary-missing", "no temporary bound", "BindTemporaryResource", Promise::Nothing},
    {"temporary-too-small", "a temporary 4 bytes short", "BindTemporaryResource", Promise::Nothing},
    {"temporary-offset-of-16", "the temporary at an offset that is no multiple of 256",
     "BindTemporaryResource", Promise::Nothing},
    {"descriptors-too-few", "one descriptor less than the operator requires",
     "DML_BINDING_TABLE_DESC", Promise::Nothing},
}};
constexpr const MisuseInfo& info(Misuse misuse) { return kMisuses[static_cast<size_t>(misuse)]; }

}  // namespace dmlcts::gpu
