#include "reports/journal/input_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <sstream>

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// The shell's `<(…)` and /dev/stdin lead to pipes that no path names.
bool hasName(const fs::path& pipe) {
  std::error_code none;
  return !fs::canonical(pipe, none).empty();
}

// True for a file of /proc and the like, which states 0 bytes whatever it holds. Reading one can
// block, or never end.
bool statesNoSize(const fs::path& file) {
  std::error_code error;
  return fs::file_size(file, error) == 0 && fs::space(file, error).capacity == 0;
}

std::atomic<int> open = 0;  // files that are being read
static_assert(std::atomic<int>::is_always_lock_free);

InputError wrong(const fs::path& file, const std::string& what) {
  return InputError(file.string() + ": " + what);
}

std::string readAll(std::istream& stream, const fs::path& file) {
  std::string text;
  std::array<char, 65536> piece;
  while (stream) {
    stream.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<size_t>(stream.gcount()));
    if (text.size() > kMostText) throw wrong(file, "is longer than 256 MiB");
  }
  if (stream.bad()) throw wrong(file, "cannot be read");
  return text;
}

// Reads a file up to the size that it stated when it was opened: some grow without end.
class SizedFile : public std::istream {
 public:
  SizedFile(const fs::path& file, uint64_t size) : std::istream(nullptr), buffer_(file, size) {
    rdbuf(&buffer_);
    if (!buffer_.isOpen()) setstate(std::ios::failbit);
  }

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(const fs::path& file, uint64_t size) : left_(size) {
      file_.open(file, std::ios::in | std::ios::binary);
    }
    bool isOpen() const { return file_.is_open(); }

   private:
    int_type underflow() override {
      const auto most = static_cast<std::streamsize>(std::min<uint64_t>(left_, piece_.size()));
      const std::streamsize got = most == 0 ? 0 : file_.sgetn(piece_.data(), most);
      if (got == 0) return traits_type::eof();
      left_ -= static_cast<uint64_t>(got);
      setg(piece_.data(), piece_.data(), piece_.data() + got);
      return traits_type::to_int_type(piece_[0]);
    }

    std::filebuf file_;
    std::array<char, 65536> piece_;
    uint64_t left_;
  };
  Buffer buffer_;
  Reading reading_;
};

}  // namespace

std::string whyNotInput(const fs::path& file) {
  std::error_code error;
  switch (fs::status(file, error).type()) {
    case fs::file_type::regular:
      return statesNoSize(file) ? "is of a file system without sizes, like /proc" : "";
    case fs::file_type::not_found:
      return "there is no such file";
    case fs::file_type::directory:
      return "is a folder, not a file";
    case fs::file_type::fifo:
      return hasName(file) ? "is a named pipe, not a file" : "";
    case fs::file_type::block:
    case fs::file_type::character:
      return "is a device, not a file";
    default:
      return error ? error.message() : "is not a file";
  }
}

std::unique_ptr<std::istream> openInput(const fs::path& file) {
  if (const std::string problem = whyNotInput(file); !problem.empty()) throw wrong(file, problem);
  std::error_code none;
  if (fs::is_regular_file(file, none)) {
    auto sized = std::make_unique<SizedFile>(file, fs::file_size(file));
    if (!*sized) throw wrong(file, "cannot be read");
    return sized;
  }
  const Reading reading;
  std::ifstream pipe(file, std::ios::binary);
  if (!pipe) throw wrong(file, "cannot be read");
  return std::make_unique<std::istringstream>(readAll(pipe, file));
}

bool nextLine(std::istream& in, std::string_view name, std::string& line) {
  const auto wrongLine = [&](const char* what) {
    return InputError(std::string(name) + ": " + what);
  };
  line.clear();
  if (in.eof()) return false;
  std::array<char, 4096> piece;
  do {
    in.clear();
    in.getline(piece.data(), piece.size());
    if (in.bad()) throw wrongLine("cannot be read");
    const auto got = static_cast<size_t>(in.gcount());  // with the newline, if there was one
    line.append(piece.data(), in.good() ? got - 1 : got);
    if (line.size() > kMostLine) throw wrongLine("has a line longer than 16 MiB");
  } while (in.fail() && !in.eof());  // the line is longer than the piece
  if (!in.eof()) return true;
  in.clear(std::ios::eofbit);
  return !line.empty();
}

std::string readInput(const fs::path& file) {
  std::error_code none;
  if (fs::is_regular_file(file, none) && fs::file_size(file, none) > kMostText) {
    throw wrong(file, "is longer than 256 MiB");
  }
  return readAll(*openInput(file), file);
}

Reading::Reading() { ++open; }
Reading::~Reading() { --open; }

bool readingInput() { return open > 0; }

bool isPathError(const std::error_code& error) {
  constexpr std::array kOfThePath{std::errc::permission_denied,
                                  std::errc::operation_not_permitted,
                                  std::errc::read_only_file_system,
                                  std::errc::not_a_directory,
                                  std::errc::is_a_directory,
                                  std::errc::file_exists,
                                  std::errc::no_such_file_or_directory,
                                  std::errc::no_such_device_or_address,
                                  std::errc::directory_not_empty,
                                  std::errc::too_many_symbolic_link_levels,
                                  std::errc::filename_too_long,
                                  std::errc::invalid_argument};
  return std::ranges::any_of(kOfThePath, [&](std::errc each) { return error == each; });
}

}  // namespace dmlcts
