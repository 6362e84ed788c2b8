#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/labels.h"
#include "conformance/facts/traits.h"
#include "conformance/language/case.h"

// The facts of a case: its properties, as columns of one table.
// In: a case, and a key of a query. Out: the values that a pattern may match, or the number that a
// relation compares; in words, classes for coverage, and terms for causes of failures.
// Queries (query.h), causes (explanation.h), coverage, help and pages are computed from the table.
//
//   numberOf(testCase, "elements");        // 24, or nothing
//   findFact("layout.input").fact->words;  // what it is, for help

namespace dmlcts {

// The case that a fact is of.
struct FactOf {
  const Case& testCase;
  std::string_view key;                // in queries: "layout.input"
  const TensorDesc* tensor = nullptr;  // the key's, if the operator has it
  size_t slot = 0;                     // the tensor's, as in tensors()
  std::optional<Traits> traits = {};   // of the inputs, if they were examined
};

// Called with a value of a fact. `holds` is false if the case is known not to have that value.
using TakeValue = std::function<void(std::string_view value, bool holds)>;

// Turns a fact's values into terms of queries, for causes (explanation.h).
enum class Terms : uint8_t {
  None,      // cannot be a cause, as seeds cannot
  Operator,  // the value alone
  Exact,     // key=value, or key!=value
  Ordered,   // the value, and every bound: level>=3.1
  Type,      // the type, its kind and its width: input=f16:*, input=f*, input=?16:*
  Optional,  // presence, and the value's beginning; "" for a missing value
  Expected,  // the value, and reject(*)
  Bounded,   // no terms of its own: the search finds bounds of the number
};

// Words that continue "cases"; "#" stands for the value.
struct FactPhrases {
  std::string_view equal = {};  // "of rank #"
  std::string_view least = {};  // "of rank # or more"
  std::string_view most = {};
  std::string_view without = {};
};

// A value with words of its own.
struct FactValue {
  std::string_view value;
  FactPhrases phrases;
  std::string_view rule = {};  // end of the ids of rules that are about it: ".signed-zero"
};

// The names with which values of a key begin.
struct ValueNames {
  std::string_view key;
  std::string_view one;   // one of them, in words: "data type"
  std::string_view ends;  // the characters that may follow a name
  std::vector<std::string_view> all;
};

using Names = std::vector<std::string_view>;

// A coarser view of a fact, for coverage: the number of one of a few classes.
struct FactClasses {
  Parameter parameter;
  std::string_view name;  // "input type"
  Names (*values)();
  uint8_t (*of)(const Case& testCase);
};

struct Fact {
  std::string_view key;    // in queries; without the tensor's name
  std::string_view words;  // what it is, for help
  bool ofTensor = false;   // each tensor has one: "layout.input"

  // Calls `take` with each value that a pattern may match; null for a plain number.
  void (*values)(const FactOf& of, const TakeValue& take) = nullptr;
  // Returns the number that relations compare, or nothing if the case has none; null for words.
  std::optional<uint64_t> (*number)(const FactOf& of) = nullptr;
  // Names of values: in words, the characters that may follow, and all of them; null if they have
  // none.
  std::string_view one = {};
  std::string_view ends = {};
  Names (*names)() = nullptr;

  Terms terms = Terms::None;
  // Calls `take` with the values for terms; null: as `values`.
  void (*forTerms)(const FactOf& of, const TakeValue& take) = nullptr;
  uint32_t cost = 4;  // how far a value is from being a cause, from 1
  // Nearly every case has another value, so that chance explains a few failures: causes name it
  // only where nothing else explains many.
  bool isLastResort = false;
  uint32_t place = 20;  // in a query
  FactPhrases phrases = {};
  std::vector<FactValue> own = {};
  std::vector<std::string_view> rules = {};  // ends of the ids of rules that are about it
  std::vector<FactClasses> classes = {};
};

std::span<const Fact> facts();

// The fact with a query key, and the key's tensor.
struct KeyedFact {
  const Fact* fact = nullptr;  // null if there is none
  std::string_view tensor;     // "" unless it is of a tensor
};
KeyedFact findFact(std::string_view key);

// Returns the keys of all facts, each tensor's with its name.
const Names& factKeys();

// Returns the tensors' names of all operators.
const Names& tensorNames();

// Returns what a fact's functions take; `slots` are the case's tensors().
FactOf factOf(const Case& testCase, std::span<const TensorSlot> slots, std::string_view key,
              std::string_view tensor);
FactOf factOf(const Case& testCase, std::string_view key, std::string_view tensor);

// Returns the number with this key; nothing if the case has none.
std::optional<uint64_t> numberOf(const Case& testCase, std::string_view key);

// One entry for every key whose values have names.
const std::vector<ValueNames>& valueNames();

// A term of a query.
struct TermText {
  std::string_view key;       // "operator" for a word without "="
  std::string_view relation;  // "=", "!=", ">=" or "<="
  std::string_view value;
};
TermText splitTerm(std::string_view term);

// costOf: how far a term is from being a cause, from 1; a case's value is nearer than its family.
// placeOf: its position in a query.
uint32_t costOf(std::string_view term);
uint32_t placeOf(std::string_view term);

// Returns the term in words that continue "cases": "with a negative index", "at level 4.0". Falls
// back to "with align.input=16".
std::string wordsOf(std::string_view term);

// True if a rule is about the fact that the term tests.
bool isAbout(std::string_view term, std::string_view rule);

}  // namespace dmlcts
