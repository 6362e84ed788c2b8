#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dmlcts {

// A list of rule ids. Millions of cases have few different lists, so equal ones share their memory.
class RuleIds {
 public:
  using List = std::vector<std::string>;

  RuleIds() = default;
  RuleIds(List ids);
  RuleIds(std::initializer_list<std::string> ids) : RuleIds(List(ids)) {}

  void emplace_back(std::string_view id);

  operator const List&() const { return list(); }
  const List& list() const;
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  size_t size() const { return list().size(); }
  const std::string& front() const { return list().front(); }

  bool operator==(const RuleIds& other) const { return list() == other.list(); }

 private:
  std::shared_ptr<const List> ids_;  // null for none
};

}  // namespace dmlcts
