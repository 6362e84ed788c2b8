#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// What was wrong with a case, in words that expectations name and reports count: kind -> how much.

namespace dmlcts {

using Kinds = std::map<std::string, uint64_t>;

namespace kind {
inline constexpr std::string_view kWrongElements = "wrong-elements";  // defined ones, other bits
inline constexpr std::string_view kPaddingBytes = "padding-bytes";  // of gaps and tails in a total
inline constexpr std::string_view kGuardBytes = "guard-bytes";      // outside a tensor's total
inline constexpr std::string_view kInputBytes = "input-bytes";      // of inputs and their guards
inline constexpr std::string_view kAccepted = "accepted";           // an invalid descriptor
inline constexpr std::string_view kRejected = "rejected";           // a valid one
inline constexpr std::string_view kHresult = "hresult";         // rejected, not with E_INVALIDARG
inline constexpr std::string_view kCallFailed = "call-failed";  // another call
inline constexpr std::string_view kMalformedAnswer = "malformed-answer";  // not what was asked for
inline constexpr std::string_view kUnequalRuns = "unequal-runs";          // with --repeat
inline constexpr std::string_view kCrash = "crash";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kDeviceRemoved = "device-removed";
}  // namespace kind

inline constexpr std::array kKinds{
    kind::kWrongElements,   kind::kPaddingBytes, kind::kGuardBytes, kind::kInputBytes,
    kind::kAccepted,        kind::kRejected,     kind::kHresult,    kind::kCallFailed,
    kind::kMalformedAnswer, kind::kUnequalRuns,  kind::kCrash,      kind::kTimeout,
    kind::kDeviceRemoved,
};

}  // namespace dmlcts
