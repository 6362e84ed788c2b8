#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// Kinds of failure, as expectations name them and reports count them: kind -> how much.

namespace dmlcts {

using Kinds = std::map<std::string, uint64_t>;

namespace kind {
inline constexpr std::string_view kWrongElements = "wrong-elements";  // defined ones, other bits
inline constexpr std::string_view kPaddingBytes = "padding-bytes";  // gaps and tails within a total
inline constexpr std::string_view kGuardBytes = "guard-bytes";      // outside a tensor's total
inline constexpr std::string_view kInputBytes = "input-bytes";      // inputs and their guard bands
inline constexpr std::string_view kAccepted = "accepted";           // an invalid descriptor
inline constexpr std::string_view kRejected = "rejected";           // a valid descriptor
inline constexpr std::string_view kHresult = "hresult";         // rejected, not with E_INVALIDARG
inline constexpr std::string_view kCallFailed = "call-failed";  // any other call
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
