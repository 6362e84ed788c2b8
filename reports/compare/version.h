#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Versions of implementations, drivers and runtimes, and in which of them something is.

namespace dmlcts {

// The first dotted version in a text: "580.159.03" of "NVIDIA 580.159.03", "1.2" of "libvkd3d 1.2"
// (a number within a word is one only where there is no other). "" without one.
std::string versionIn(std::string_view text);

// The numbers of that version, to be compared: 580, 159, 3. None without one.
std::vector<uint64_t> versionNumbers(std::string_view text);

// By the numbers in them, then as text.
struct OlderVersion {
  bool operator()(const std::string& a, const std::string& b) const;
};

// Comparisons with versions, all of which hold of those within: ">=1.13 <1.15.2". A version is
// compared by as many numbers as the bound has: 580.159 is within "<=580" and "=580".
class VersionRange {
 public:
  // Whether the text means to be one, and no pattern.
  static bool isOne(std::string_view text);

  // Throws std::invalid_argument, saying what is wrong.
  explicit VersionRange(std::string_view text);

  // Of the first version in the text; a text without one is never within.
  bool contains(std::string_view text) const;

 private:
  struct Bound {
    std::string_view comparison;  // static
    std::vector<uint64_t> numbers;
  };
  bool contains(const std::vector<uint64_t>& version) const;

  std::vector<Bound> bounds_;
};

// Whether something could have been seen in a version, and was.
struct SeenInVersion {
  bool asked = false;
  bool found = false;
};
using SeenByVersion = std::map<std::string, SeenInVersion, OlderVersion>;

// Since when and until when it is there, from the oldest to the newest version.
struct VersionSpan {
  std::vector<std::string> has;      // versions in which it was found
  std::vector<std::string> lacks;    // versions that were asked and lack it
  std::string since, notBefore;      // the first version that has it after one that lacks it, …
  std::string until, notAfterwards;  // the last version that has it before one that lacks it, …
  bool cameBack = false;             // some version between two that have it lacks it
};
VersionSpan spanOf(const SeenByVersion& versions);

// The text of a VersionRange of those that have it and no others that were asked: "=1.15.4",
// ">=1.13.1 <1.15.2" before one that lacks it, ">=1.13.1 <=1.15.4". "" where no range is that.
std::string rangeOf(const VersionSpan& span);

}  // namespace dmlcts
