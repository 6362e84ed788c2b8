#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "reference/descriptor.h"

// A layer's table: one entry per operator, in the order of Descriptor. An incomplete table does not
// compile:
//
//   inline constexpr PerOperator<OracleEntry> kOracle{
//       OracleEntry<GatherNd>{…},
//       …
//   };

namespace dmlcts {

namespace detail {
template <template <class> class Entry, class Operators>
struct Table;
template <template <class> class Entry, class... Operator>
struct Table<Entry, std::variant<Operator...>> {
  using type = std::tuple<Entry<Operator>...>;
};

template <class Operator, class Operators>
struct Place;
template <class Operator, class... All>
struct Place<Operator, std::variant<All...>> {
  static constexpr size_t value = [] {
    size_t place = 0;
    (void)((std::is_same_v<Operator, All> || (++place, false)) || ...);
    return place;
  }();
};
}  // namespace detail

template <template <class> class Entry>
using PerOperator = typename detail::Table<Entry, Descriptor>::type;

// Calls `call(entry, operator)` for the descriptor's operator.
template <class Table, class AnyDescriptor, class Call>
decltype(auto) visitEntry(const Table& table, AnyDescriptor&& descriptor, Call&& call) {
  return std::visit(
      [&](auto&& op) -> decltype(auto) {
        using Operator = std::remove_cvref_t<decltype(op)>;
        return call(std::get<detail::Place<Operator, Descriptor>::value>(table), op);
      },
      std::forward<AnyDescriptor>(descriptor));
}

// Calls `call(entry)` for each entry.
template <class Table, class Call>
void forEachEntry(const Table& table, const Call& call) {
  std::apply([&](const auto&... entry) { (call(entry), ...); }, table);
}

}  // namespace dmlcts
