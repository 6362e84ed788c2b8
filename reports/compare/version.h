#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dmlcts {

// The numbers of the first dotted version in a text, to be compared: 580, 159, 3 of
// "NVIDIA 580.159.03". None without one.
std::vector<uint64_t> versionNumbers(std::string_view text);

}  // namespace dmlcts
