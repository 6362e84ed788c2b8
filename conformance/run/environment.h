#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

// Facts about machine and time for journals, and other platform differences. One implementation per
// platform.

namespace dmlcts {

// Operating system, release and architecture: "Linux 6.1 x86_64", "Windows 10.0.26100 x86_64".
std::string hostName();

// ISO 8601, UTC, to the second: "2026-01-31T12:34:56Z". The first ten characters are the date.
std::string timestamp();

// The folder of the running executable; its sibling programs are there.
std::filesystem::path executableFolder();

std::filesystem::path executablePath();

// Converts a command-line path from UTF-8. MinGW's library reads a path constructed from
// std::string in another encoding.
inline std::filesystem::path pathOf(const std::string& utf8) {
  return std::u8string(utf8.begin(), utf8.end());
}

// True if a command line that begins with this word would start a program.
bool isProgram(const std::string& word);

// True if the stream is a terminal that supports control sequences.
bool stdoutIsTerminal();
bool stderrIsTerminal();

// Returns the bytes of memory that this process can still use without swapping, as estimated by the
// system and limited by its container. The largest number if unknown.
uint64_t availableMemory();

// Makes the standard streams carry UTF-8 and identical bytes on every system. Also occupies closed
// standard descriptors, so that no journal becomes standard output. Call it first.
void prepareStandardStreams();

}  // namespace dmlcts
