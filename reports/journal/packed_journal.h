#pragma once

#include <istream>
#include <string>

// Journals that are kept, such as the samples in reports/samples/: the same lines by column, which
// compressors make a third of what they make of the journal itself. A first line
//
//   {"packedJournal":2,"lines":N,"columns":["header","case 0","case 1",…,"family",…]}
//
// and then, for each column, N lines with the JSON of that member, empty where a line of the
// journal lacks it. A header is one column, whole; the words of the case string are one each. A
// last line, {"crc32":"0a1b2c3d"}, is the checksum of all bytes before it; version 1 had none. All
// that is lost is the precision of "seconds": two digits are kept.

namespace dmlcts {

// `name` stands for the stream in messages. Throw InputError "NAME:LINE: what is wrong".
std::string packJournal(std::istream& in, const std::string& name);

struct UnpackedJournal {
  std::string lines;
  bool checked = true;  // false: of version 1, so that damage may have gone unnoticed
};
UnpackedJournal unpackJournal(std::istream& in, const std::string& name);

}  // namespace dmlcts
