#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <system_error>

// Everything that an option names as a file is read through these: nothing else opens such a file.

namespace dmlcts {

// Bytes of a file that is read as a whole, or of a pipe.
inline constexpr uint64_t kMostText = uint64_t{1} << 28;

// Says why the file cannot be read: it is absent, a folder, a device, a named pipe or a socket. ""
// for a plain file, and for a pipe without a name, like the shell's `<(…)`.
std::string whyNotInput(const std::filesystem::path& file);

// Opens the file; reads a pipe to its end first. Throws InputError, "FILE: …".
std::unique_ptr<std::istream> openInput(const std::filesystem::path& file);

// Returns the file's text. Throws InputError, also where it is longer than kMostText.
std::string readInput(const std::filesystem::path& file);

// True if the system refuses the path itself, whoever asks: its names are too long, or it is a
// circle of links.
bool isImpossiblePath(const std::error_code& error);

}  // namespace dmlcts
