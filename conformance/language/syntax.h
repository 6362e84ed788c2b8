#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Pieces of text that know their column, for error messages.

namespace dmlcts {

struct Piece {
  std::string_view text;
  size_t column = 1;  // 1-based, of its first character

  Piece part(size_t begin, size_t end) const {
    return {text.substr(begin, end - begin), column + begin};
  }
};

// KEY=VALUE, or a word without "=".
struct Word {
  Piece key;
  Piece value;
  bool hasValue = false;
};

// Splits at spaces and tabs.
std::vector<Word> splitWords(std::string_view text);

// Splits at separators; an empty text gives one empty piece. Throws SyntaxError if there are more
// than `limit` pieces.
std::vector<Piece> splitPiece(Piece piece, char separator, size_t limit);

// NAME or NAME(ARGUMENTS). Throws SyntaxError unless the parenthesis closes at the end.
struct Call {
  Piece name;
  Piece arguments;
  bool hasArguments = false;
};
Call splitCall(Piece piece);

// Parses an unsigned decimal number. Throws SyntaxError, naming `what`, unless it is at most
// `largest`.
uint64_t parseNumber(Piece piece, uint64_t largest, std::string_view what);

}  // namespace dmlcts
