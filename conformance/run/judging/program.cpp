#include "conformance/run/judging/program.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/hash.h"
#include "conformance/cases/language/npy.h"
#include "conformance/cases/language/syntax.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using gpu::CallKind;
using gpu::Place;
using gpu::SequenceCall;

std::string placeText(const Place& place) {
  return fmt::format("{}@{}", place.buffer, place.offset);
}

std::string placesText(std::string_view key, const std::vector<Place>& places) {
  if (places.empty()) return "";
  std::string text = fmt::format(" {}=", key);
  for (const Place& place : places) text += (text.back() == '=' ? "" : ",") + placeText(place);
  return text;
}

[[noreturn]] void fail(Piece at, const std::string& problem) {
  throw SyntaxError(at.column, at.text, problem);
}

// One statement's words, consumed from the front.
class Words {
 public:
  Words(Piece statement, size_t from) : statement_(statement), words_(splitWords(statement.text)) {
    for (Word& word : words_) {
      word.key.column += statement.column - 1;
      word.value.column += statement.column - 1;
    }
    next_ = from;
  }

  bool empty() const { return next_ == words_.size(); }
  Piece take(std::string_view what) {
    if (empty()) fail(statement_, fmt::format("lacks {}", what));
    const Word& word = words_[next_++];
    if (word.hasValue) fail(word.key, fmt::format("stands where {} must", what));
    return word.key;
  }
  uint64_t number(uint64_t most, std::string_view what) {
    return parseNumber(take(what), most, what);
  }
  uint32_t object(std::string_view what) {
    return static_cast<uint32_t>(number(gpu::kMostOperators - 1, what));
  }
  // Removes KEY=VALUE and returns the value, if present.
  std::optional<Piece> value(std::string_view key) {
    for (size_t i = next_; i < words_.size(); ++i) {
      if (!words_[i].hasValue || words_[i].key.text != key) continue;
      const Piece found = words_[i].value;
      words_.erase(words_.begin() + static_cast<ptrdiff_t>(i));
      return found;
    }
    return std::nullopt;
  }
  std::vector<Word> rest() const {
    return {words_.begin() + static_cast<ptrdiff_t>(next_), words_.end()};
  }
  void end() const {
    if (!empty()) fail(words_[next_].key, "is too much");
  }

 private:
  Piece statement_;
  std::vector<Word> words_;
  size_t next_ = 0;
};

Place parsePlace(Piece piece) {
  const auto parts = splitPiece(piece, '@', 2);
  if (parts.size() != 2) fail(piece, "is not BUFFER@OFFSET");
  return {static_cast<uint32_t>(parseNumber(parts[0], gpu::kMostOperators - 1, "a buffer")),
          parseNumber(parts[1], kMostBufferBytes, "an offset")};
}

std::vector<Place> parsePlaces(const std::optional<Piece>& piece) {
  std::vector<Place> places;
  if (!piece) return places;
  for (const Piece& part : splitPiece(*piece, ',', kMostTensors))
    places.push_back(parsePlace(part));
  return places;
}

// Columns of a case string count from its own start, so adjust them.
Case parseCaseAt(Piece piece) {
  Case testCase;
  try {
    testCase = parseCase(piece.text);
  } catch (const SyntaxError& error) {
    const std::string text = error.what();
    const size_t problem = text.find("\": ");
    throw SyntaxError(piece.column + error.column() - 1, error.token(),
                      problem == std::string::npos ? text : text.substr(problem + 3));
  }
  std::optional<std::string> problem = caseProblem(testCase);
  if (unreadFill(testCase)) problem = "has the values of a file, which sequences do not take";
  if (!problem && testCase.expect != Expect::Execute) problem = "is not a case that executes";
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    if (problem) break;
    if (slot.desc->flags != 0) problem = "has flags, which sequences do not take";
    if (slot.desc->totalBytes > kMostBufferBytes ||
        elementCount(slot.desc->sizes).value_or(UINT64_MAX) > kMostOperatorElements) {
      problem = "is larger than sequences take";
    }
  }
  if (problem) fail(piece, *problem);
  return testCase;
}

Program::Content parseContent(const Word& word, const Program& program) {
  Program::Content content;
  content.at = parseNumber(word.key, kMostBufferBytes, "an offset");
  const auto parts = splitPiece(word.value, '/', 2);
  const auto names = splitPiece(parts[0], '.', 2);
  if (parts.size() != 2 || names.size() != 2) fail(word.value, "is not OPERATOR.TENSOR/SEED");
  content.op =
      static_cast<uint32_t>(parseNumber(names[0], program.operators.size() - 1, "an operator"));
  content.seed = parseNumber(parts[1], UINT64_MAX, "a seed");
  const auto slots = tensors(program.operators[content.op].descriptor);
  const auto slot = std::ranges::find(slots, names[1].text, &TensorSlot::name);
  if (slot == slots.end() || slot->isOutput) fail(names[1], "is no input of that operator");
  content.slot = static_cast<uint32_t>(slot - slots.begin());
  return content;
}

Program::Buffer parseBuffer(Words& words, const Program& program) {
  Program::Buffer buffer;
  const Piece size = words.take("a size");
  buffer.bytes = parseNumber(size, kMostBufferBytes, "a size");
  if (buffer.bytes == 0 || buffer.bytes % 16 != 0) fail(size, "is no positive multiple of 16");
  if (const auto seed = words.value("seed")) buffer.seed = parseNumber(*seed, UINT64_MAX, "a seed");
  for (const Word& word : words.rest()) {
    if (!word.hasValue || program.operators.empty())
      fail(word.key, "is not OFFSET=OPERATOR.TENSOR/SEED");
    buffer.contents.push_back(parseContent(word, program));
    const Program::Content& content = buffer.contents.back();
    const auto slots = tensors(program.operators[content.op].descriptor);
    if (content.at + slots[content.slot].desc->totalBytes > buffer.bytes) {
      fail(word.value, "reaches beyond the buffer");
    }
  }
  return buffer;
}

SequenceCall parseCall(CallKind kind, Words& words) {
  SequenceCall call;
  call.kind = kind;
  const std::string_view arguments = argumentsOf(kind);
  const auto queue = words.value("queue");
  if (queue) call.queue = static_cast<uint32_t>(parseNumber(*queue, gpu::kQueues - 1, "a queue"));
  for (const char each : arguments) {
    if (each == 'o') call.object = words.object("an operator");
    if (each == 't') call.object = words.object("a table");
    if (each == '1') call.operators = {words.object("an operator")};
    if (each == '*') {
      for (const Piece& part : splitPiece(words.take("operators"), ',', gpu::kMostOperators)) {
        call.operators.push_back(
            static_cast<uint32_t>(parseNumber(part, gpu::kMostOperators - 1, "an operator")));
      }
    }
    if (each == 'b') {
      call.from = parsePlaces(words.value("inputs"));
      call.to = parsePlaces(words.value("outputs"));
    }
    if (each == 'p') {
      call.from = {parsePlace(words.take("a place"))};
      call.to = {parsePlace(words.take("a place"))};
    }
    if (each == 'n') {
      const uint64_t most = kind == CallKind::Copy ? kMostBufferBytes : gpu::kMostMemory;
      call.bytes = words.number(most, "a number of bytes");
    }
  }
  if (queue && arguments.find('q') == arguments.npos) fail(*queue, "this call has no queue");
  words.end();
  return call;
}

void parseStatement(Piece statement, Program& program) {
  const auto words = splitWords(statement.text);
  if (words.empty() || words[0].key.text.starts_with('#')) return;
  Piece verb = words[0].key;
  verb.column += statement.column - 1;
  Words rest(statement, 1);
  const bool isOperator = verb.text == "operator";
  if (isOperator || verb.text == "buffer") {
    const size_t next = isOperator ? program.operators.size() : program.buffers.size();
    if (!program.calls.empty()) fail(verb, "must come before the first call");
    if (next == gpu::kMostOperators) fail(verb, fmt::format("there are {} at most", next));
    if (rest.object("a number") != next) fail(verb, fmt::format("the next has number {}", next));
    if (!isOperator) {
      program.buffers.push_back(parseBuffer(rest, program));
      return;
    }
    const auto begin = static_cast<size_t>(words[1].key.text.data() + words[1].key.text.size() -
                                           statement.text.data());
    program.operators.push_back(parseCaseAt(statement.part(begin, statement.text.size())));
    return;
  }
  const auto kind = std::ranges::find(gpu::kCallNames, verb.text);
  if (kind == gpu::kCallNames.end()) fail(verb, "is no call, operator or buffer");
  if (program.calls.size() == gpu::kMostCalls) fail(verb, "comes after too many calls");
  program.calls.push_back(parseCall(static_cast<CallKind>(kind - gpu::kCallNames.begin()), rest));
}

}  // namespace

std::string_view argumentsOf(CallKind kind) {
  static constexpr std::array<std::string_view, gpu::kCallNames.size()> kArguments{
      "o", "o", "*", "o", "t1b", "tb", "t1b", "tq", "pnq", "q", "q", "q", "n"};
  return kArguments.at(static_cast<size_t>(kind));
}

std::string callText(const SequenceCall& call) {
  std::string text(name(call.kind));
  for (const char each : argumentsOf(call.kind)) {
    if (each == 'o' || each == 't') text += fmt::format(" {}", call.object);
    if (each == '1' || each == '*') text += fmt::format(" {}", fmt::join(call.operators, ","));
    if (each == 'b') text += placesText("inputs", call.from) + placesText("outputs", call.to);
    if (each == 'p') text += ' ' + placeText(call.from.front()) + ' ' + placeText(call.to.front());
    if (each == 'n') text += fmt::format(" {}", call.bytes);
    if (each == 'q' && call.queue) text += fmt::format(" queue={}", call.queue);
  }
  return text;
}

std::vector<std::string> programLines(const Program& program) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < program.operators.size(); ++i) {
    lines.push_back(fmt::format("operator {} {}", i, caseString(program.operators[i])));
  }
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Program::Buffer& buffer = program.buffers[i];
    std::string line = fmt::format("buffer {} {}", i, buffer.bytes);
    if (buffer.seed) line += fmt::format(" seed={}", buffer.seed);
    for (const Program::Content& content : buffer.contents) {
      const auto slots = tensors(program.operators[content.op].descriptor);
      line += fmt::format(" {}={}.{}/{}", content.at, content.op, slots[content.slot].name,
                          content.seed);
    }
    lines.push_back(line);
  }
  for (const SequenceCall& call : program.calls) lines.push_back(callText(call));
  return lines;
}

std::string programText(const Program& program) {
  std::string text;
  for (const std::string& line : programLines(program)) text += (text.empty() ? "" : "; ") + line;
  return text;
}

bool isProgramText(std::string_view text) {
  const auto words = splitWords(text.substr(0, text.find_first_of(";\n")));
  return !words.empty() &&
         (words[0].key.text == "operator" || words[0].key.text == "buffer" ||
          words[0].key.text.starts_with('#') ||
          std::ranges::find(gpu::kCallNames, words[0].key.text) != gpu::kCallNames.end());
}

Program parseProgram(std::string_view text) {
  Program program;
  for (size_t begin = 0; begin <= text.size();) {
    const bool comment = text.substr(begin).starts_with('#');
    const size_t end = std::min(text.find_first_of(comment ? "\n" : ";\n", begin), text.size());
    parseStatement(Piece{text, 1}.part(begin, end), program);
    begin = end + 1;
  }
  return program;
}

std::vector<uint8_t> bufferBytes(const Program& program, const Program::Buffer& buffer) {
  const Stream noise(buffer.seed, 0x5e9);
  std::vector<uint8_t> bytes(buffer.bytes);
  for (size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<uint8_t>(noise[at / 8] >> (at % 8 * 8));
  }
  for (const Program::Content& content : buffer.contents) {
    Case testCase = program.operators[content.op];
    testCase.seed = content.seed;
    const std::vector<uint8_t> tensor = makeInputs(testCase)[content.slot];
    std::ranges::copy(tensor, bytes.begin() + static_cast<ptrdiff_t>(content.at));
  }
  return bytes;
}

gpu::Sequence sequenceOf(const Program& program) {
  gpu::Sequence sequence;
  const auto count = static_cast<uint32_t>(program.buffers.size());
  for (uint32_t i = 0; i < count; ++i) {
    sequence.calls.push_back(
        {.kind = CallKind::Buffer, .object = i, .bytes = program.buffers[i].bytes});
  }
  for (uint32_t i = 0; i < count; ++i) {
    sequence.calls.push_back(
        {.kind = CallKind::Put, .to = {{i, 0}}, .data = bufferBytes(program, program.buffers[i])});
  }
  for (SequenceCall call : program.calls) {
    if (call.kind == CallKind::Create) {
      const Case& testCase = program.operators.at(call.object);
      call.asked = {testCase.level, testCase.descriptor};
    }
    sequence.calls.push_back(std::move(call));
  }
  for (uint32_t i = 0; i < count; ++i) {
    sequence.calls.push_back(
        {.kind = CallKind::Get, .bytes = program.buffers[i].bytes, .from = {{i, 0}}});
  }
  return sequence;
}

}  // namespace dmlcts
