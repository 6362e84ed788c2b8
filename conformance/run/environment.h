#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

// Facts about the machine and the moment that go into journals, and what else differs between
// systems. One implementation per platform.

namespace dmlcts {

// Operating system, release and architecture: "Linux 6.1 x86_64", "Windows 10.0.26100 x86_64".
std::string hostName();

// ISO 8601, UTC, to the second: "2026-01-31T12:34:56Z". The first ten characters are the date.
std::string timestamp();

// The folder of the running executable, where its sibling programs lie.
std::filesystem::path executableFolder();

// The running executable itself.
std::filesystem::path executablePath();

// A path as the command line gives it, in UTF-8. A path made of a std::string alone is read in some
// other encoding by MinGW's library.
inline std::filesystem::path pathOf(const std::string& utf8) {
  return std::u8string(utf8.begin(), utf8.end());
}

// Whether a command line that begins with this word would start a program.
bool isProgram(const std::string& word);

// Whether the stream is a terminal that takes control sequences.
bool stdoutIsTerminal();
bool stderrIsTerminal();

// Bytes of memory that this process can still use without swapping, as the system estimates it and
// a container allows it; the largest number where that is unknown.
uint64_t availableMemory();

// Makes the standard streams carry UTF-8 and the same bytes on every system, and takes the numbers
// of those that are closed, so that no journal becomes standard output. Call it first.
void prepareStandardStreams();

}  // namespace dmlcts
