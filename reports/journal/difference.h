#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dmlcts {

// Differences that a comparison lists; it counts all.
inline constexpr size_t kMostDifferences = 8;

// A place in memory that does not hold what it should after an execution; or a remark in words.
struct Difference {
  std::string tensor = {};             // "output"; "" if `note` says everything
  std::vector<uint32_t> element = {};  // its coordinate; empty for a byte of no element
  uint64_t byte = 0;                   // the element's offset in the tensor
  std::string expected = {};           // bits, as hexadecimal digits
  std::string actual = {};
  std::string note = {};  // source of the element's actual value; place of a byte of no element

  // Returns the sentence of every text report: "output[0,3] at byte 6: expected 0x3c69, …".
  std::string text() const;

  bool operator==(const Difference&) const = default;
};

// JSON other than journals and pages has the sentence.
void to_json(auto& json, const Difference& difference) { json = difference.text(); }

}  // namespace dmlcts
