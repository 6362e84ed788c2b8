#pragma once

#include <cstdio>
#include <string_view>

namespace dmlcts {

// Prints a text. On a terminal that shows colours, verdicts ("Pass", "3,411 Fail"), "conforms",
// "broken" and the like are green, yellow or red. NO_COLOR (no-color.org) and TERM=dumb disable
// colours. Nothing else in the command decides about them.
void printColoured(std::FILE* stream, std::string_view text);

}  // namespace dmlcts
