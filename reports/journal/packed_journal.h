#pragma once

#include <istream>
#include <string>

// Journals that are kept, such as the samples in reports/samples/: the same lines by column, which
// compressors make a third of what they make of the journal itself. A first line
//
//   {"packedJournal":3,"lines":N,"numbered":["rules"],"like":{"operator":"case "},
//    "columns":["case ","case level","case input:","case input",…,"header","family",…]}
//
// and then, for each column, N lines with the JSON of that member, empty where a line of the
// journal lacks it. A header is one column, whole. Of the case string "case KEY" has the value of
// KEY=VALUE, of KEY=TYPE:VALUE "case KEY:" the type, "case " the first word, "case :" all of one
// that these do not give back; "~2x3~1~2" stands for sizes 2 and 3, 1 before the last of the word
// before, and the last 2 of the one before that. A member that is "like" a column of words in every
// line has no lines of its own. In numbered columns "=TEXT" is new, and N is the N-th that was,
// from 0. A last line, {"crc32":"0a1b2c3d"}, is the checksum of all bytes before it. All that is
// lost is the precision of "seconds": two digits are kept.
//
// Version 2 numbered nothing, and had the words of the case string in "case 0", "case 1" and so on;
// version 1 had no checksum either.

namespace dmlcts {

// `name` stands for the stream in messages. Throw InputError "NAME:LINE: what is wrong".
std::string packJournal(std::istream& in, const std::string& name);

struct UnpackedJournal {
  std::string lines;
  bool checked = true;  // false: of version 1, so that damage may have gone unnoticed
};
UnpackedJournal unpackJournal(std::istream& in, const std::string& name);

}  // namespace dmlcts
