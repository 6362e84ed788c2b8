#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Versions of implementations, drivers and runtimes, and the versions that have something.

namespace dmlcts {

// Returns the first dotted version in a text: "580.159.03" in "NVIDIA 580.159.03", "1.2" in
// "libvkd3d 1.2". A number inside a word counts only if there is no other. "" without one.
std::string versionIn(std::string_view text);

// Returns that version's numbers for comparisons: 580, 159, 3. Empty without one.
std::vector<uint64_t> versionNumbers(std::string_view text);

// Orders by the numbers in the texts, then by the texts.
struct OlderVersion {
  bool operator()(const std::string& a, const std::string& b) const;
};

// Comparisons with versions, all of which must be true: ">=1.13 <1.15.2". Only as many numbers
// count as the bound has: 580.159 is within "<=580" and "=580".
class VersionRange {
 public:
  // True if the text is meant as a range, not as a pattern.
  static bool isOne(std::string_view text);

  // Throws std::invalid_argument with the error.
  explicit VersionRange(std::string_view text);

  // Checks the first version in the text; false without one.
  bool contains(std::string_view text) const;

 private:
  struct Bound {
    std::string_view comparison;  // static storage
    std::vector<uint64_t> numbers;
  };
  bool contains(const std::vector<uint64_t>& version) const;

  std::vector<Bound> bounds_;
};

// Records whether a version could have shown something, and whether it did.
struct SeenInVersion {
  bool asked = false;
  bool found = false;
};
using SeenByVersion = std::map<std::string, SeenInVersion, OlderVersion>;

// The versions that have something, from oldest to newest.
struct VersionSpan {
  std::vector<std::string> has;    // versions that have it
  std::vector<std::string> lacks;  // versions that could have it and do not
  std::string notAfterwards;       // first one that lacks it, after the last one that has it
  bool cameBack = false;           // a version between two that have it lacks it
};
VersionSpan spanOf(const SeenByVersion& versions);

// Returns the text of a VersionRange with exactly the versions that have it, among those asked:
// "=1.15.4", ">=1.13.1 <1.15.2" (1.15.2 lacks it), ">=1.13.1 <=1.15.4". "" if there is none.
std::string rangeOf(const VersionSpan& span);

}  // namespace dmlcts
