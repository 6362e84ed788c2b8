#pragma once

#include <cstdio>
#include <string_view>

namespace dmlcts {

// Prints a text; where the stream is a terminal that shows colours, with its verdicts ("Pass",
// "3,411 Fail"), "conforms", "broken" and the like in green, yellow or red. NO_COLOR (no-color.org)
// and TERM=dumb keep them out. Nothing else of the command decides about colours.
void printColoured(std::FILE* stream, std::string_view text);

}  // namespace dmlcts
