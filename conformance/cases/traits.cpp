#include "conformance/cases/traits.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "conformance/cases/case_string.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/operators.h"
#include "conformance/cases/weak.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr uint32_t bit(Trait trait) { return uint32_t{1} << static_cast<uint32_t>(trait); }

uint32_t valueTraits(const Case& testCase) {
  const DataType type = tensors(testCase.descriptor).front().desc->type;
  const bool isFloat = info(type).isFloat;
  const FloatFormat format = isFloat ? floatFormat(type) : FloatFormat{};
  // With all of these there is nothing more to find.
  uint32_t all = bit(Trait::Zero) | bit(Trait::Nonzero);
  if (isFloat) {
    all |= bit(Trait::MinusZero) | bit(Trait::Denormal) | bit(Trait::Infinity) | bit(Trait::Nan);
  }
  uint32_t found = 0;
  uint64_t nonzeros = 0;
  visitInputElements(testCase, 0, [&](std::span<const uint64_t> some) {
    for (uint64_t bits : some) {
      const uint64_t magnitude = isFloat ? format.magnitude(bits) : bits;
      if (magnitude == 0) {
        found |= bit(Trait::Zero) | (bits != 0 ? bit(Trait::MinusZero) : 0);
      } else {
        found |= bit(Trait::Nonzero);
        ++nonzeros;
        if (isFloat && format.isDenormal(bits)) found |= bit(Trait::Denormal);
        if (isFloat && format.isInfinity(bits)) found |= bit(Trait::Infinity);
        if (isFloat && format.isNan(bits)) found |= bit(Trait::Nan);
      }
    }
    return found != all || nonzeros < 2;
  });
  return found | (nonzeros == 1 ? bit(Trait::OneNonzero) : 0);
}

uint32_t indexTraits(const Case& testCase, size_t slot) {
  const DataTypeInfo& type = info(tensors(testCase.descriptor)[slot].desc->type);
  if (!type.isSigned) return 0;
  const uint32_t sign = 8 * type.bytes - 1;
  bool negative = false;
  visitInputElements(testCase, slot, [&](std::span<const uint64_t> some) {
    negative = std::ranges::any_of(some, [&](uint64_t bits) { return (bits >> sign & 1) != 0; });
    return !negative;
  });
  return negative ? bit(Trait::NegativeIndex) : 0;
}

}  // namespace

Traits traitsOf(const Case& testCase, std::optional<bool> weak) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase)) return {};
  uint32_t bits = valueTraits(testCase);
  if (const auto slot = factsOf(testCase.descriptor).indicesSlot) {
    bits |= indexTraits(testCase, *slot);
  }
  if (weak ? *weak : !weakBecause(testCase).empty()) bits |= bit(Trait::Weak);
  return {bits};
}

std::optional<Traits> quickTraitsOf(const Case& testCase, std::optional<bool> weak) {
  constexpr uint64_t kMaxElements = uint64_t{1} << 26;
  constexpr uint64_t kMaxRoom = uint64_t{1} << 28;
  if (testCase.expect == Expect::Execute && (findMeasure("elements")->of(testCase) > kMaxElements ||
                                             findMeasure("room")->of(testCase) > kMaxRoom)) {
    return std::nullopt;
  }
  // Reports ask of the same cases many times, of several journals most of all.
  static std::mutex mutex;
  static std::unordered_map<std::string, Traits> known;
  std::string text = caseString(testCase);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(text); found != known.end()) return found->second;
  }
  const Traits traits = traitsOf(testCase, weak);
  const std::lock_guard lock(mutex);
  known.emplace(std::move(text), traits);
  return traits;
}

std::string attributesOf(const Case& testCase) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase)) return "";
  const uint8_t own =
      visitEntry(kCaseTable, testCase.descriptor,
                 [](const auto& entry, const auto& op) { return entry.attributesOf(op); });
  std::string text;
  for (char c : factsOf(testCase.descriptor).attributes()[own]) {
    if (c != ',') text += c == ' ' ? '-' : c;
  }
  return text;
}

}  // namespace dmlcts
