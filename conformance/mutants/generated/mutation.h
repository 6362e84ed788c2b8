#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

// Building blocks of sources rewritten by withAll() in sites.h. One program has all mutants.
// Constant evaluation uses the original code.

namespace dmlcts::mutation {

inline int& chosen() {  // none if negative
  static int number = -1;
  return number;
}

inline constexpr size_t kMostMutants = 1 << 18;

// Bytes by a mutant's number, which become 1 when its site is reached; null if nobody asks.
inline char*& reached() {
  static char* all = nullptr;
  return all;
}

// True if mutant `number` is selected. Marks its site as reached.
inline bool is(int number) {
  if (char* all = reached()) all[number] = 1;
  return chosen() == number;
}

// a + At<7>() + b: mutant 7, 8 if the operator has two replacements, 9 if it has three.
template <int number>
struct At {};
template <class A, int number>
struct Left {
  A a;  // a reference if a is an lvalue
};

// The replacements of sites.cpp, in its order: expressions of x and y.
#define DMLCTS_MUTANT(other, which)                            \
  if constexpr (requires { static_cast<Result>(other); }) {    \
    if (is(number + which)) return static_cast<Result>(other); \
  }
#define DMLCTS_MUTATED(op, mutants)                                            \
  template <class A, int number>                                               \
  constexpr Left<A, number> operator op(A && a, At<number>) {                  \
    return {std::forward<A>(a)};                                               \
  }                                                                            \
  template <class A, int number, class B>                                      \
  constexpr decltype(auto) operator op(Left<A, number>&& left, B&& y) {        \
    using Result = decltype(std::forward<A>(left.a) op std::forward<B>(y));    \
    if (!std::is_constant_evaluated()) {                                       \
      auto& x = left.a;                                                        \
      mutants                                                                  \
    }                                                                          \
    return static_cast<Result>(std::forward<A>(left.a) op std::forward<B>(y)); \
  }
#define DMLCTS_TWO(a, b) DMLCTS_MUTANT(a, 0) DMLCTS_MUTANT(b, 1)
#define DMLCTS_THREE(a, b, c) DMLCTS_TWO(a, b) DMLCTS_MUTANT(c, 2)
DMLCTS_MUTATED(+, DMLCTS_TWO(x - y, x))
DMLCTS_MUTATED(-, DMLCTS_TWO(x + y, x))
DMLCTS_MUTATED(*, DMLCTS_TWO(x + y, x))
DMLCTS_MUTATED(/, DMLCTS_MUTANT(x* y, 0))
DMLCTS_MUTATED(%, DMLCTS_MUTANT(x / y, 0))
DMLCTS_MUTATED(&, DMLCTS_TWO(x | y, x ^ y))
DMLCTS_MUTATED(|, DMLCTS_TWO(x& y, x ^ y))
DMLCTS_MUTATED(^, DMLCTS_MUTANT(x& y, 0))
DMLCTS_MUTATED(<<, DMLCTS_MUTANT(x >> y, 0))
DMLCTS_MUTATED(>>, DMLCTS_MUTANT(x << y, 0))
DMLCTS_MUTATED(<, DMLCTS_THREE(x <= y, x >= y, x < y && x + 1 != y))
DMLCTS_MUTATED(<=, DMLCTS_THREE(x<y, x> y, x <= y || y + 1 == x))
DMLCTS_MUTATED(>, DMLCTS_THREE(x >= y, x <= y, x > y && y + 1 != x))
DMLCTS_MUTATED(>=, DMLCTS_THREE(x > y, x < y, x >= y || x + 1 == y))
DMLCTS_MUTATED(==, DMLCTS_THREE(x != y, x <= y, x >= y))
DMLCTS_MUTATED(!=, DMLCTS_THREE(x == y, x<y, x> y))

// x += Right<7, '+'>() = y
template <int number, char op>
struct Right {
  template <class B>
  constexpr decltype(auto) operator=(B&& b) const {
    using Value = std::remove_cvref_t<B>;
    if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      if (!std::is_constant_evaluated() && is(number)) {
        switch (op) {
          case '+':
          case '-':
            return static_cast<Value>(Value{0} - b);
          case '*':
          case '/':
          case '%':
            return static_cast<Value>(b + Value{1});
          default:
            return static_cast<Value>(~b);
        }
      }
      return static_cast<Value>(b);
    } else {
      return std::forward<B>(b);
    }
  }
};

template <int number, class Value>
constexpr Value literal(Value value) {
  if (!std::is_constant_evaluated()) {
    if (is(number)) return static_cast<Value>(value + 1);
    if (value > 0 && is(number + 1)) return static_cast<Value>(value - 1);
  }
  return value;
}

template <int number>
constexpr bool flip(bool condition) {
  if (std::is_constant_evaluated()) return condition;
  if (is(number)) return !condition;
  return !is(number + 1) && condition;
}

// a && unless<7>() && b; a || when<7>() || b
template <int number>
constexpr bool unless() {
  return std::is_constant_evaluated() || !is(number);
}
template <int number>
constexpr bool when() {
  return !std::is_constant_evaluated() && is(number);
}

}  // namespace dmlcts::mutation
