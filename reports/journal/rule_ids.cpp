#include "reports/journal/rule_ids.h"

#include <mutex>
#include <set>
#include <utility>

namespace dmlcts {
namespace {

using Shared = std::shared_ptr<const RuleIds::List>;

// Different lists that are remembered; a real journal has some hundreds.
constexpr size_t kMostShared = 10'000;

struct ByContent {
  bool operator()(const Shared& a, const Shared& b) const { return *a < *b; }
};

}  // namespace

RuleIds::RuleIds(List ids) {
  if (ids.empty()) return;
  static std::mutex mutex;
  static std::set<Shared, ByContent> all;
  ids_ = std::make_shared<const List>(std::move(ids));
  const std::lock_guard lock(mutex);
  if (const auto found = all.find(ids_); found != all.end()) {
    ids_ = *found;
  } else if (all.size() < kMostShared) {
    all.insert(ids_);
  }
}

void RuleIds::emplace_back(std::string_view id) {
  List ids = list();
  ids.emplace_back(id);
  *this = RuleIds(std::move(ids));
}

const RuleIds::List& RuleIds::list() const {
  static const List kNone;
  return ids_ ? *ids_ : kNone;
}

}  // namespace dmlcts
