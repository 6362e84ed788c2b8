#include "conformance/language/syntax.h"

#include <charconv>
#include <string>

#include "conformance/language/case_string.h"

namespace dmlcts {
namespace {

// Cuts long tokens, so that a message stays one readable line.
std::string quoted(std::string_view token) {
  constexpr size_t kMostQuoted = 60;
  std::string text = "\"";
  for (char c : token.substr(0, kMostQuoted)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (token.size() > kMostQuoted ? "…\"" : "\"");
}

}  // namespace

SyntaxError::SyntaxError(size_t column, std::string_view token, std::string_view problem)
    : std::runtime_error("column " + std::to_string(column) + ", " + quoted(token) + ": " +
                         std::string(problem)),
      column_(column),
      token_(token) {}

std::vector<Word> splitWords(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<Word> words;
  size_t begin = text.find_first_not_of(kBlank);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
    const Piece piece = Piece{text, 1}.part(begin, end);
    const size_t equals = piece.text.find('=');
    if (equals == std::string_view::npos) {
      words.push_back({piece, piece.part(piece.text.size(), piece.text.size()), false});
    } else {
      words.push_back({piece.part(0, equals), piece.part(equals + 1, piece.text.size()), true});
    }
    begin = text.find_first_not_of(kBlank, end);
  }
  return words;
}

std::vector<Piece> splitPiece(Piece piece, char separator, size_t limit) {
  std::vector<Piece> pieces;
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(piece.text.find(separator, begin), piece.text.size());
    if (pieces.size() == limit) {
      throw SyntaxError(piece.column, piece.text,
                        "more than " + std::to_string(limit) + " entries");
    }
    pieces.push_back(piece.part(begin, end));
    if (end == piece.text.size()) return pieces;
    begin = end + 1;
  }
}

Call splitCall(Piece piece) {
  const size_t open = piece.text.find('(');
  if (open == std::string_view::npos) return {piece, {}, false};
  if (!piece.text.ends_with(')')) {
    throw SyntaxError(piece.column, piece.text, "\"(\" without \")\" at the end");
  }
  return {piece.part(0, open), piece.part(open + 1, piece.text.size() - 1), true};
}

uint64_t parseNumber(Piece piece, uint64_t largest, std::string_view what) {
  uint64_t number = 0;
  const char* end = piece.text.data() + piece.text.size();
  const auto result = std::from_chars(piece.text.data(), end, number);
  if (result.ec == std::errc::invalid_argument || (result.ec == std::errc{} && result.ptr != end)) {
    throw SyntaxError(piece.column, piece.text, std::string(what) + " must be a decimal number");
  }
  if (result.ec != std::errc{} || number > largest) {
    throw SyntaxError(piece.column, piece.text,
                      std::string(what) + " must be at most " + std::to_string(largest));
  }
  return number;
}

}  // namespace dmlcts
