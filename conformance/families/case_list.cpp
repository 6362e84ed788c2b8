#include "conformance/families/case_list.h"

#include <algorithm>

#include "conformance/facts/operators.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/hash.h"

namespace dmlcts {

CaseList::CaseList(const Family& family, uint32_t edition, bool smoke)
    : family_(family), smoke_(smoke) {
  for (const OperatorFacts& facts : operatorFacts()) {
    if (facts.edition == edition) operators_.push_back(&facts);
  }
}

uint64_t CaseList::seed(uint64_t variation) const { return family_.firstSeed + variation; }

bool CaseList::isSampled(size_t position) const {
  return position == 0 || hashBits(family_.firstSeed, 0, position) % family_.smokeEvery == 0;
}

void CaseList::execute(Level level, Descriptor descriptor, Fill fill, IndexFill index,
                       uint64_t variation) {
  cases_.push_back({.level = level,
                    .descriptor = std::move(descriptor),
                    .fill = std::move(fill),
                    .index = std::move(index),
                    .seed = seed(variation),
                    .expect = Expect::Execute,
                    .rejectBy = {},
                    .modes = {},
                    .family = family_.name});
}

void CaseList::setModes(size_t first, const gpu::Modes& modes) {
  const auto added = cases_.begin() + static_cast<ptrdiff_t>(first);
  cases_.erase(std::remove_if(added, cases_.end(),
                              [&](const Case& each) { return modeProblem(each, modes); }),
               cases_.end());
  for (size_t i = first; i < cases_.size(); ++i) cases_[i].modes = modes;
}

void CaseList::accept(Level level, Descriptor descriptor) {
  cases_.push_back({.level = level,
                    .descriptor = std::move(descriptor),
                    .fill = {},
                    .index = {},
                    .seed = 0,
                    .expect = Expect::Accept,
                    .rejectBy = {},
                    .modes = {},
                    .family = family_.name});
}

void CaseList::reject(Level level, Descriptor descriptor, std::string_view rule) {
  cases_.push_back({.level = level,
                    .descriptor = std::move(descriptor),
                    .fill = {},
                    .index = {},
                    .seed = 0,
                    .expect = Expect::Reject,
                    .rejectBy = std::string(rule),
                    .modes = {},
                    .family = family_.name});
}

}  // namespace dmlcts
