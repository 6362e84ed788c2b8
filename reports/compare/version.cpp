#include "reports/compare/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace dmlcts {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::array<std::string_view, 5> kComparisons{">=", "<=", ">", "<", "="};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view versionAt(std::string_view text, size_t at) {
  std::string_view version = text.substr(at);
  version = version.substr(0, version.find_first_not_of("0123456789."));
  return version.substr(0, version.find_last_of(kDigits) + 1);
}

std::string_view firstVersion(std::string_view text) {
  size_t at = text.find_first_of(kDigits);
  if (at == text.npos) return {};
  const size_t first = at;
  while (at != text.npos && at > 0 && isLetter(text[at - 1])) {
    at = text.find_first_of(kDigits, at + versionAt(text, at).size());
  }
  return versionAt(text, at == text.npos ? first : at);
}

bool holds(std::string_view comparison, const std::vector<uint64_t>& a,
           const std::vector<uint64_t>& b) {
  if (comparison == ">=") return a >= b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">") return a > b;
  return comparison == "<" ? a < b : a == b;
}

}  // namespace

std::string versionIn(std::string_view text) { return std::string(firstVersion(text)); }

std::vector<uint64_t> versionNumbers(std::string_view text) {
  const std::string_view version = firstVersion(text);
  std::vector<uint64_t> numbers;
  const char* at = version.data();
  const char* const end = at + version.size();
  uint64_t number = 0;
  while (at != end) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

bool OlderVersion::operator()(const std::string& a, const std::string& b) const {
  return std::pair(versionNumbers(a), a) < std::pair(versionNumbers(b), b);
}

bool VersionRange::isOne(std::string_view text) {
  return text.starts_with('<') || text.starts_with('>') || text.starts_with('=');
}

VersionRange::VersionRange(std::string_view text) {
  for (size_t at = text.find_first_not_of(' '); at != text.npos;) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto comparison = std::ranges::find_if(
        kComparisons, [&](std::string_view each) { return word.starts_with(each); });
    const std::string_view version =
        comparison == kComparisons.end() ? std::string_view() : word.substr(comparison->size());
    std::vector<uint64_t> numbers = versionNumbers(version);
    if (numbers.empty() || versionAt(version, 0).size() != version.size() ||
        version.find("..") != version.npos) {
      throw std::invalid_argument(
          fmt::format("\"{}\" is no comparison with a version, like >=1.13 or <1.15.2", word));
    }
    bounds_.push_back({*comparison, std::move(numbers)});
    at = text.find_first_not_of(' ', end);
  }
  // If any version is within the bounds, one of these is.
  std::vector<std::vector<uint64_t>> candidates{{0}};
  for (const Bound& bound : bounds_) {
    candidates.push_back(bound.numbers);
    candidates.push_back(bound.numbers);
    ++candidates.back().back();
  }
  if (std::ranges::none_of(candidates, [&](const auto& each) { return contains(each); })) {
    throw std::invalid_argument("no version is within it");
  }
}

bool VersionRange::contains(const std::vector<uint64_t>& version) const {
  return std::ranges::all_of(bounds_, [&](const Bound& bound) {
    auto cut = version;
    cut.resize(std::min(cut.size(), bound.numbers.size()));
    return holds(bound.comparison, cut, bound.numbers);
  });
}

bool VersionRange::contains(std::string_view text) const {
  const std::vector<uint64_t> version = versionNumbers(text);
  return !version.empty() && contains(version);
}

VersionSpan spanOf(const SeenByVersion& versions) {
  VersionSpan span;
  for (const auto& [version, seen] : versions) {
    if (seen.found) {
      span.cameBack = span.cameBack || !span.notAfterwards.empty();
      span.has.push_back(version);
      span.notAfterwards.clear();
    } else if (seen.asked) {
      if (span.notAfterwards.empty() && !span.has.empty()) span.notAfterwards = version;
      span.lacks.push_back(version);
    }
  }
  return span;
}

std::string rangeOf(const VersionSpan& span) {
  if (span.has.empty() || span.cameBack) return "";
  const std::string first = versionIn(span.has.front());
  const std::string last = versionIn(span.has.back());
  if (first.empty() || last.empty()) return "";
  // A bound covers every version that it is a prefix of, so it may cover one that lacks it.
  const std::string upper =
      span.notAfterwards.empty() ? "<=" + last : "<" + versionIn(span.notAfterwards);
  const std::string text = first == last ? "=" + first : ">=" + first + " " + upper;
  const VersionRange range(text);
  const auto within = [&](const std::string& version) { return range.contains(version); };
  const bool right =
      std::ranges::all_of(span.has, within) && std::ranges::none_of(span.lacks, within);
  return right ? text : "";
}

}  // namespace dmlcts
