#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

// Everything that an option names as a file is read through these: nothing else opens such a file.

namespace dmlcts {

// A file from the user cannot be read or is malformed; the command exits with status 2. The text
// names the file and, if there is one, the line.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bytes of a file that is read as a whole, or of a pipe.
inline constexpr uint64_t kMostText = uint64_t{1} << 28;

// Says why the file cannot be read: it is absent, a folder, a device, a named pipe, a socket, or of
// /proc. "" for a plain file, and for a pipe without a name, like the shell's `<(…)`.
std::string whyNotInput(const std::filesystem::path& file);

// Bytes of a line that nextLine() reads.
inline constexpr size_t kMostLine = size_t{1} << 24;

// Opens the file; reads a pipe to its end first. Reading a plain file ends at the size that it has
// now. Throws InputError, "FILE: …".
std::unique_ptr<std::istream> openInput(const std::filesystem::path& file);

// Reads the next line, without its newline; false at the end. Sets eofbit where the newline is
// missing. Throws InputError where the file, `name`, cannot be read on or the line is too long:
// std::getline() would end as at the end of the file.
bool nextLine(std::istream& in, std::string_view name, std::string& line);

// Returns the file's text. Throws InputError, also where it is longer than kMostText.
std::string readInput(const std::filesystem::path& file);

// Lives while a file is being read or made sense of, before anything could be lost.
class Reading {
 public:
  Reading();
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
};

// True while a Reading lives. A signal then ends the process at once, because nothing is lost,
// and because a pipe may have no end. Safe in a signal handler.
bool readingInput();

// True if the error is about a path that the user gave, not about the machine.
bool isPathError(const std::error_code& error);

}  // namespace dmlcts
