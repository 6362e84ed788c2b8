#include "conformance/facts/traits.h"

#include <algorithm>

#include "conformance/facts/facts.h"
#include "conformance/facts/operators.h"
#include "conformance/facts/weak.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint32_t bit(Trait trait) { return uint32_t{1} << static_cast<uint32_t>(trait); }

// Calls `visit` with the bits of each element in `bytes`, row-major, until it returns false.
template <class Visit>
void forEachStored(const TensorDesc& tensor, std::span<const uint8_t> bytes, const Visit& visit) {
  const uint32_t width = info(tensor.type).bytes;
  if (!tensor.strides) {
    const uint64_t end = elementCount(tensor.sizes).value() * width;
    for (uint64_t at = 0; at < end; at += width) {
      if (!visit(loadBits(bytes, at, width))) return;
    }
    return;
  }
  const std::vector<uint64_t> strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  do {
    if (!visit(loadBits(bytes, walk.offset() * width, width))) return;
  } while (walk.next());
}

// Returns the largest magnitude that rounds to 0 in the next narrower type: half of that type's
// smallest denormal. 0 if there is no narrower type.
uint64_t mostThatVanishes(DataType type) {
  if (type == DataType::Float16) return 0;
  const FloatFormat format = floatFormat(type);
  const FloatFormat narrower =
      floatFormat(type == DataType::Float64 ? DataType::Float32 : DataType::Float16);
  const auto bias = [](const FloatFormat& of) {
    return (uint64_t{1} << (of.exponentBits - 1)) - 1;
  };
  return (bias(format) - (bias(narrower) + narrower.mantissaBits)) << format.mantissaBits;
}

// `forEach(visit)` calls visit(bits) with each element. Without `count`, only finds traits, which
// may need fewer elements.
template <class ForEach>
InputFacts valueFacts(DataType type, bool count, const ForEach& forEach) {
  InputFacts facts;
  uint32_t& found = facts.traits.bits;
  uint64_t nonzeros = 0;
  if (info(type).isFloat) {
    const FloatFormat format = floatFormat(type);
    const uint64_t vanishes = mostThatVanishes(type);
    const uint32_t all = bit(Trait::Zero) | bit(Trait::Nonzero) | bit(Trait::MinusZero) |
                         bit(Trait::Denormal) | bit(Trait::Infinity) | bit(Trait::Nan) |
                         (vanishes > 0 ? bit(Trait::Small) : 0);
    forEach([&](uint64_t bits) {
      if (format.magnitude(bits) == 0) {
        found |= bit(Trait::Zero) | (bits != 0 ? bit(Trait::MinusZero) : 0);
      } else {
        found |= bit(Trait::Nonzero);
        ++nonzeros;
        if (format.isDenormal(bits)) {
          found |= bit(Trait::Denormal);
          ++facts.denormals;
        }
        if (format.magnitude(bits) > format.mantissaMask() && format.magnitude(bits) <= vanishes) {
          found |= bit(Trait::Small);
        }
        if (format.isInfinity(bits)) found |= bit(Trait::Infinity);
        if (format.isNan(bits)) found |= bit(Trait::Nan);
      }
      return count || found != all || nonzeros < 2;
    });
  } else {
    const uint32_t all = bit(Trait::Zero) | bit(Trait::Nonzero);
    forEach([&](uint64_t bits) {
      found |= bit(bits == 0 ? Trait::Zero : Trait::Nonzero);
      nonzeros += bits != 0 ? 1 : 0;
      return found != all || nonzeros < 2;
    });
  }
  if (nonzeros == 1) found |= bit(Trait::OneNonzero);
  return facts;
}

template <class ForEach>
uint32_t indexTraits(const DataTypeInfo& type, const ForEach& forEach) {
  if (!type.isSigned) return 0;
  const uint32_t sign = 8 * type.bytes - 1;
  bool negative = false;
  forEach([&](uint64_t bits) {
    negative = (bits >> sign & 1) != 0;
    return !negative;
  });
  return negative ? bit(Trait::NegativeIndex) : 0;
}

// `forEach(slot, visit)` calls visit(bits) with each element of an input.
template <class ForEach>
InputFacts factsWith(const Case& testCase, bool count, const ForEach& forEach) {
  const auto slots = tensors(testCase.descriptor);
  const auto of = [&](size_t slot) {
    return [&forEach, slot](const auto& visit) { forEach(slot, visit); };
  };
  InputFacts facts = valueFacts(slots.front().desc->type, count, of(0));
  if (const auto slot = factsOf(testCase.descriptor).indicesSlot) {
    facts.traits.bits |= indexTraits(info(slots[*slot].desc->type), of(*slot));
  }
  return facts;
}

InputFacts generatedFacts(const Case& testCase, bool count) {
  return factsWith(testCase, count, [&](size_t slot, const auto& visit) {
    visitInputElements(testCase, slot, [&](std::span<const uint64_t> some) {
      return std::ranges::all_of(some, visit);
    });
  });
}

// True if examining the inputs takes more than about a second.
bool takesLong(const Case& testCase) {
  constexpr uint64_t kMaxElements = uint64_t{1} << 26;
  constexpr uint64_t kMaxRoom = uint64_t{1} << 28;
  return testCase.expect == Expect::Execute &&
         (numberOf(testCase, "elements") > kMaxElements || numberOf(testCase, "room") > kMaxRoom);
}

}  // namespace

Traits traitsOf(const Case& testCase) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase)) return {};
  Traits traits = generatedFacts(testCase, false).traits;
  if (!weakBecause(testCase).empty()) traits.bits |= bit(Trait::Weak);
  return traits;
}

std::optional<Traits> quickTraitsOf(const Case& testCase) {
  return takesLong(testCase) ? std::nullopt : std::optional(traitsOf(testCase));
}

InputFacts inputFactsOf(const Case& testCase, std::span<const std::vector<uint8_t>> inputs) {
  const auto slots = tensors(testCase.descriptor);
  return factsWith(testCase, true, [&](size_t slot, const auto& visit) {
    forEachStored(*slots[slot].desc, inputs[slot], visit);
  });
}

std::optional<InputFacts> inputFactsOf(const Case& testCase) {
  if (testCase.expect != Expect::Execute) return InputFacts{};
  return takesLong(testCase) ? std::nullopt : std::optional(generatedFacts(testCase, true));
}

std::string wordsOf(Traits traits) {
  std::string words;
  for (size_t i = 0; i < kTraitNames.size(); ++i) {
    if (!traits.has(static_cast<Trait>(i))) continue;
    words += (words.empty() ? "" : " ") + std::string(kTraitNames[i]);
  }
  return words;
}

Traits parseTraits(std::string_view words) {
  Traits traits;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    const auto found = std::ranges::find(kTraitNames, word);
    if (found != kTraitNames.end()) traits.bits |= 1u << (found - kTraitNames.begin());
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return traits;
}

std::string attributesOf(const Case& testCase) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase)) return "";
  const uint8_t own =
      visitEntry(kFactsTable, testCase.descriptor,
                 [](const auto& entry, const auto& op) { return entry.attributesOf(op); });
  return oneWord(factsOf(testCase.descriptor).attributes[own]);
}

}  // namespace dmlcts
