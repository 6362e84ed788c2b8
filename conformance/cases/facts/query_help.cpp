#include "conformance/cases/facts/query_help.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "conformance/cases/facts/measures.h"
#include "conformance/cases/facts/query.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/operator_syntax.h"

namespace dmlcts {
namespace {

constexpr size_t kColumn = 18;  // where explanations begin

struct KeyWords {
  std::string_view key;  // or its part before "."
  std::string_view words;
};

// Keys of case strings; those with a part behind "." exist for each tensor.
constexpr std::array kCaseKeyWords{
    KeyWords{"operator", "a word without \"=\" is the operator, too"},
    KeyWords{"level", "DirectML feature level"},
    KeyWords{"input", "TYPE:SIZES, like f16:1x2x4"},
    KeyWords{"indices", "TYPE:SIZES"},
    KeyWords{"output", "TYPE:SIZES; the type may be left out where it is the input's"},
    KeyWords{"count", "TYPE:SIZES"},
    KeyWords{"coords", "TYPE:SIZES"},
    KeyWords{"dims", "DimensionCount of input, indices and, if it has any, batches"},
    KeyWords{"fill", "how the input is filled"},
    KeyWords{"index", "how the indices are filled"},
    KeyWords{"seed", "seed of the values"},
    KeyWords{"layout", "the order and gaps of a tensor's elements"},
    KeyWords{"strides", "a tensor's strides, in elements"},
    KeyWords{"total", "TotalTensorSizeInBytes"},
    KeyWords{"align", "GuaranteedBaseOffsetAlignment"},
    KeyWords{"flags", "DML_TENSOR_FLAGS; 1 is OWNED_BY_DML"},
    KeyWords{"offset", "a tensor's offset in its buffer, in bytes"},
    KeyWords{"mode", "execution modes; `dmlcts list --modes` lists them"},
    KeyWords{"expect", "execute, accept or reject(RULE)"}};

struct Example {
  std::string_view query;
  std::string_view words;
};
constexpr std::array kExamples{
    Example{"nonzero_coordinates", "all cases of an operator"},
    Example{"gather_nd 'input=f16:*' 'level>=3.1'", "one data type, from a level on"},
    Example{"family=input-layouts or family=totals", "two families"},
    Example{"'rule=gather_nd.*' 'expect=reject(*)'", "what must be rejected"},
    Example{"has=nan 'rank>4'", "inputs with a NaN, of high rank"},
    Example{"'elements>=4096' fill=zeros", "large tensors of zeros"}};

std::string row(std::string_view key, std::string_view words) {
  std::string line = "  " + std::string(key);
  line.resize(std::max(line.size() + 1, kColumn), ' ');
  return line + std::string(words) + "\n";
}

// "level, input, coords"
std::string neededKeys(std::string_view op) {
  std::string keys = "level";
  const Descriptor descriptor = makeOperator(op).value();
  for (size_t slot = 0; const TensorSlot& each : tensors(descriptor)) {
    if (!defaultSizes(descriptor, slot++)) keys += ", " + std::string(each.name);
  }
  return keys;
}

// One row for a key, or for all keys with the same part before ".".
std::string caseKeyRows() {
  std::string rows;
  std::vector<std::string_view> seen;
  for (const std::string_view key : caseKeys()) {
    const std::string_view part = key.substr(0, key.find('.'));
    if (std::ranges::find(seen, part) != seen.end()) continue;
    seen.push_back(part);
    const auto found = std::ranges::find(kCaseKeyWords, part, &KeyWords::key);
    const bool ofTensor = part.size() < key.size();
    rows += row(std::string(part) + (ofTensor ? ".TENSOR" : ""),
                found == kCaseKeyWords.end() ? "" : found->words);
  }
  return rows;
}

}  // namespace

std::string queryHelp() {
  std::string text =
      "A query chooses cases. It is a list of words, like a case string with wildcards:\n\n"
      "  OPERATOR        the operator\n"
      "  KEY=PATTERN     the value matches; * stands for any characters, ? for one\n"
      "  KEY!=PATTERN    it does not match\n"
      "  KEY>N           also >=, < and <=: for level, rank and the numbers below\n"
      "  *               every case\n\n";
  text += std::string(kHowQueriesJoin) + " Quote words with *, ?, <, > or ( for the shell.\n";
  text += "\nOperators:\n";
  for (const std::string_view op : operatorNames()) {
    text += "  " + std::string(op) + ": a case string needs " + neededKeys(op) + "\n";
  }
  text += "\nKeys of case strings (a value that is left out matches as its default):\n";
  text += caseKeyRows();
  text += "\nOther keys:\n";
  for (const QueryKey& each : ownQueryKeys()) text += row(each.key, each.words);
  text += "\nNumbers:\n";
  for (const Measure& each : measures()) text += row(each.key, each.words);
  text += "\nValues:\n";
  for (const ValueNames& each : valueNames()) {
    if (each.key == "rule") continue;
    std::string line = row(each.key, "");
    line.resize(kColumn - 1);
    size_t column = line.size();
    for (const std::string_view name : each.all) {
      if (column + 1 + name.size() > 79) {
        line += "\n" + std::string(kColumn - 1, ' ');
        column = kColumn - 1;
      }
      line += " " + std::string(name);
      column += 1 + name.size();
    }
    text += line + "\n";
  }
  text += "\nExamples:\n";
  for (const Example& each : kExamples) {
    text += "  # " + std::string(each.words) + "\n  dmlcts list " + std::string(each.query) + "\n";
  }
  return text;
}

}  // namespace dmlcts
