// Mutants of acceptance: one per rule that a target may fail to enforce, some of keys and levels.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

bool isValidAtNewestLevel(const gpu::Request& request) {
  return check(request.descriptor, Level::L6_4).empty();
}

bool isAboutTypes(std::string_view rule) { return rule.find("-types") != rule.npos; }

// A level gate that does not look at the chosen rules.
Mutation letsThrough(bool (*chosen)(std::string_view rule)) {
  return {.accepts = [chosen](const gpu::Request& request, bool valid) {
    if (valid) return true;
    const auto broken = check(request.descriptor, request.level);
    return isValidAtNewestLevel(request) &&
           std::ranges::all_of(broken,
                               [chosen](const BrokenRule& each) { return chosen(each.rule->id); });
  }};
}

bool isUInt8(const gpu::Request& request) {
  return tensors(request.descriptor).front().desc->type == DataType::UInt8;
}

const Signs kAccepts{.kinds = {kind::kAccepted}};

Breaks checkedByCreating() {
  Breaks all;
  for (const Rule& rule : rules()) {
    const bool rejecting = rule.checked == Checked::ByRejecting;
    if (rejecting || rule.checked == Checked::ByAccepting) all.push_back(rule.id);
  }
  return all;
}

// Every member of a request's descriptor, in text, but for the ignored one.
std::string keyWithout(std::string_view ignored, const gpu::Request& request) {
  std::string key = fmt::format("{} {}", operatorName(request.descriptor), name(request.level));
  const auto add = [&](std::string_view member, const auto& value) {
    if (member != ignored) key += fmt::format(" {}", value);
  };
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const TensorDesc& desc = *slot.desc;
    add("DataType", static_cast<uint32_t>(desc.type));
    add("Sizes", fmt::format("{}", fmt::join(desc.sizes, ",")));
    add("Strides", desc.strides ? fmt::format("{}", fmt::join(*desc.strides, ",")) : "none");
    add("TotalTensorSizeInBytes", desc.totalBytes);
    add("GuaranteedBaseOffsetAlignment", desc.baseOffsetAlignment);
    add("Flags", desc.flags);
  }
  for (const AttributeSlot& attribute : attributes(request.descriptor)) {
    add(attribute.dmlName, attribute.value);
  }
  return key;
}

// Remembers its first answer to all descriptors that differ in that member alone.
Mutation cacheWithout(std::string_view ignored) {
  auto answers = std::make_shared<std::unordered_map<std::string, bool>>();
  return {.accepts = [ignored, answers](const gpu::Request& request, bool valid) {
    return answers->emplace(keyWithout(ignored, request), valid).first->second;
  }};
}

}  // namespace

std::vector<Mutant> acceptanceMutants() {
  std::vector<Mutant> all;
  for (const std::string_view member :
       {"DataType", "Sizes", "Strides", "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment",
        "Flags", "InputDimensionCount", "IndicesDimensionCount", "BatchDimensionCount"}) {
    all.push_back({fmt::format("cached-without.{}", member),
                   fmt::format("Caches operators by a key that lacks {}.", member),
                   checkedByCreating(),
                   cacheWithout(member),
                   {.kinds = {kind::kAccepted, kind::kRejected}}});
  }
  for (const Rule& rule : rules()) {
    if (rule.checked != Checked::ByRejecting) continue;
    all.push_back({fmt::format("accepts.{}", rule.id),
                   fmt::format("Does not enforce the rule {}.", rule.id),
                   {rule.id},
                   {.accepts =
                        [id = rule.id](const gpu::Request& request, bool valid) {
                          if (valid) return true;
                          const auto broken = check(request.descriptor, request.level);
                          return std::ranges::all_of(
                              broken, [&](const BrokenRule& each) { return each.rule->id == id; });
                        }},
                   kAccepts});
  }
  const std::vector<Mutant> others = {
      {"accepts.any-level",
       "Is right: accepts at every level what the newest has, as a device without a gate does.",
       {},
       {.accepts = [](const gpu::Request& request, bool) { return isValidAtNewestLevel(request); }},
       {.where = Signs::Where::Nowhere}},
      {"accepts.newer-level-of-uint8",
       "Has a gate for the levels, and lets UINT8 inputs through it.",
       {"call.level-gate"},
       {.accepts =
            [](const gpu::Request& request, bool valid) {
              return valid || (isUInt8(request) && isValidAtNewestLevel(request));
            }},
       kAccepts},
      {"accepts.newer-types",
       "Has a gate for operators and dimensions, and none for data types.",
       {"call.level-gate"},
       letsThrough([](std::string_view rule) { return isAboutTypes(rule); }),
       kAccepts},
      {"accepts.newer-operators",
       "Has a gate for data types, and none for operators and dimensions.",
       {"call.level-gate"},
       letsThrough([](std::string_view rule) { return !isAboutTypes(rule); }),
       kAccepts},
      {"accepts.newer-dimension-counts",
       "Has a gate for the levels, and takes dimension counts that differ at 3.0 and 3.1.",
       {"call.level-gate"},
       letsThrough(
           [](std::string_view rule) { return rule == "nonzero_coordinates.dimension-counts"; }),
       kAccepts},
      {"rejects.sizes-past-31-bits",
       "Keeps sizes as signed numbers of 32 bits.",
       {},
       {.accepts =
            [](const gpu::Request& request, bool valid) {
              return valid &&
                     std::ranges::none_of(tensors(request.descriptor), [](const TensorSlot& slot) {
                       return std::ranges::max(slot.desc->sizes) > INT32_MAX;
                     });
            }},
       {.kinds = {kind::kRejected}},
       "default"},
      {"rejects.elements-past-32-bits",
       "Counts elements of a tensor in 32 bits, whatever its strides.",
       {"tensor.elements-past-32-bits"},
       {.accepts =
            [](const gpu::Request& request, bool valid) {
              return valid &&
                     std::ranges::all_of(tensors(request.descriptor), [](const TensorSlot& slot) {
                       return elementCount(slot.desc->sizes).value_or(UINT64_MAX) <= UINT32_MAX;
                     });
            }},
       {.kinds = {kind::kRejected}}},
      {"hresult.e-fail",
       "Is right by the documents: rejects with E_FAIL, not E_INVALIDARG.",
       {"call.e-invalidarg"},
       {.onAnswers =
            [](std::span<const gpu::Request>, std::vector<gpu::Answer>& answers) {
              constexpr auto kFail = static_cast<int32_t>(0x80004005);
              for (gpu::Answer& answer : answers) {
                if (answer.status == gpu::Status::Rejected) answer.hresult = kFail;
              }
            }},
       {.kinds = {kind::kHresult}}},
      {"hresult.s-false",
       "Creates every valid operator with S_FALSE, not S_OK.",
       {"call.s-ok"},
       {.onAnswers =
            [](std::span<const gpu::Request>, std::vector<gpu::Answer>& answers) {
              for (gpu::Answer& answer : answers) {
                if (answer.status != gpu::Status::Rejected) answer.hresult = 1;
              }
            }},
       {.kinds = {kind::kHresult}}},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace dmlcts
