#include "reports/journal/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <streambuf>
#include <system_error>

#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

bool isOneName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && fs::path(name).filename() == name;
}

bool isPartialOf(std::string_view entry, std::string_view name) {
  if (entry.size() != name.size() + kPartialLength || !entry.starts_with(name)) return false;
  entry.remove_prefix(name.size());
  return entry.front() == '.' && entry.ends_with(kPartial) &&
         std::ranges::all_of(entry.substr(1, 8), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string partialOf(const std::string& name) {
  return fmt::format("{}.{:08x}{}", name, std::random_device{}(), kPartial);
}

// Writes to a file, and remembers the first error.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file), buffer_(1 << 16) { empty(); }

  // Writes all to the file and the file to the disk. Returns the error or 0.
  int finish() {
    sync();
    if (error_ == 0 && descriptor::sync(file_) != 0) error_ = errno;
    return error_;
  }

 protected:
  int sync() override {
    const std::string_view text(pbase(), static_cast<size_t>(pptr() - pbase()));
    if (error_ == 0) error_ = descriptor::writeAll(file_, text);
    empty();
    return error_ == 0 ? 0 : -1;
  }
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  void empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  int file_;
  int error_ = 0;
  std::vector<char> buffer_;
};

// Writes the text and brings it to the disk. Returns the error or 0.
int writeAll(int file, const std::function<void(std::ostream&)>& text) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  text(out);
  const int error = buffer.finish();
  return error == 0 && !out ? EIO : error;
}

}  // namespace

// A file or folder under a name of its own, locked; removed unless it gets its final name.
class Temporary {
 public:
  enum class Kind { File, Folder };

  Temporary(const Folder& folder, std::string name, Kind kind)
      : folder_(folder), name_(std::move(name)) {
    // A process that clears away leftovers may come between the creation and the lock.
    for (int tries = 0; tries < 100; ++tries) {
      partial_ = partialOf(name_);
      if (kind == Kind::File) {
        file_ = folder_.openFile(partial_, true);
        if (file_ < 0 && errno == EEXIST) continue;
        if (file_ < 0) folder_.fail(name_, errno, "cannot be written");
        descriptor::lock(file_);
        if (folder_.isAt(partial_, file_)) return;
        descriptor::close(file_);
      } else if (folder_.makeFolder(partial_)) {
        lock_ = folder_.lock(partial_);
        if (lock_) return;
      }
    }
    folder_.fail(name_, EBUSY, "cannot be written");
  }
  ~Temporary() {
    close();
    if (isNamed_) return;
    try {
      folder_.removeTree(partial_);
    } catch (const std::exception&) {  // a further process will remove it
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& partial() const { return partial_; }

  void write(const std::function<void(std::ostream&)>& text) {
    if (const int error = writeAll(file_, text)) folder_.fail(name_, error, "cannot be written");
  }

  void rename() {
    close();  // before, since Windows renames no open file
    folder_.rename(partial_, name_);
    isNamed_ = true;
  }

  // Renames the file, and returns it open and locked.
  int renameOpen() {
    folder_.rename(partial_, name_);
    isNamed_ = true;
    return std::exchange(file_, -1);
  }

 private:
  void close() {
    if (file_ >= 0) descriptor::close(file_);
    file_ = -1;
    lock_.reset();
  }

  const Folder folder_;
  std::string name_;
  std::string partial_;
  int file_ = -1;
  std::shared_ptr<const Folder::Handle> lock_;
  bool isNamed_ = false;
};

std::string whyNotName(std::string_view name) {
  const bool plain = !name.empty() && name.size() <= 200 && name.front() != '.' &&
                     name.front() != '-' && name.back() != '.' &&
                     std::ranges::all_of(name, [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
                     });
  if (plain) return "";
  return R"(must be letters, digits, ".", "-" and "_", at most 200, without a "." at an end)";
}

std::string whyNotNames(std::string_view path) {
  for (;;) {
    const size_t slash = path.find('/');
    if (std::string problem = whyNotName(path.substr(0, slash)); !problem.empty()) return problem;
    if (slash == path.npos) return "";
    path.remove_prefix(slash + 1);
  }
}

Folder Folder::within(const fs::path& path) const {
  Folder folder = *this;
  for (const fs::path& part : path) {
    const std::string name = part.string();
    if (!isOneName(name)) throw InputError((path_ / path).string() + ": leads out of its folder");
    if (folder.makeFolder(name)) folder.sync();
    std::optional<Folder> next = folder.openFolder(name);
    if (!next) folder.fail(name, ENOENT, "was removed");
    folder = *std::move(next);
  }
  return folder;
}

std::optional<Folder::Place> Folder::find(const fs::path& path) const {
  Folder folder = *this;
  for (const fs::path& part : path.parent_path()) {
    const std::string name = part.string();
    if (!isOneName(name)) throw InputError((path_ / path).string() + ": leads out of its folder");
    std::optional<Folder> next = folder.openFolder(name);
    if (!next) return std::nullopt;
    folder = *std::move(next);
  }
  if (!isOneName(path.filename().string())) {
    throw InputError((path_ / path).string() + ": leads out of its folder");
  }
  return Place{std::move(folder), path.filename().string()};
}

Folder::Place Folder::make(const fs::path& path) const {
  within(path.parent_path());
  std::optional<Place> place = find(path);
  if (!place) fail(path.string(), ENOENT, "was removed");
  return *std::move(place);
}

bool Folder::has(const fs::path& path) const {
  const auto place = find(path);
  return place && place->folder.exists(place->name);
}

void Folder::replace(const std::vector<NewFile>& files) const {
  std::vector<std::unique_ptr<Temporary>> written;
  std::vector<Folder> folders;
  for (const NewFile& file : files) {
    const Place place = make(file.path);
    place.folder.removeLeftoversOf(place.name);
    written.push_back(std::make_unique<Temporary>(place.folder, place.name, Temporary::Kind::File));
    written.back()->write(file.write);
    if (folders.empty() || folders.back().path() != place.folder.path()) {
      folders.push_back(place.folder);
    }
  }
  for (const auto& each : written) each->rename();
  for (const Folder& each : folders) each.sync();
}

void Folder::replaceFolder(const fs::path& path, const std::vector<NewFile>& files) const {
  const Place place = make(path);
  place.folder.removeLeftoversOf(place.name);
  Temporary made(place.folder, place.name, Temporary::Kind::Folder);
  const Folder inside = *place.folder.openFolder(made.partial());
  for (const NewFile& file : files) {
    const std::string name = file.path.string();
    if (!isOneName(name)) throw InputError(name + ": leads out of its folder");
    const int opened = inside.openFile(name, true);
    if (opened < 0) inside.fail(name, errno, "cannot be written");
    const int error = writeAll(opened, file.write);
    descriptor::close(opened);
    if (error != 0) inside.fail(name, error, "cannot be written");
  }
  inside.sync();
  const bool any = place.folder.exists(place.name);
  const std::string old = partialOf(place.name);
  if (any) place.folder.rename(place.name, old);
  made.rename();
  place.folder.sync();
  if (any) place.folder.removeTree(old);
}

void Folder::remove(const fs::path& path) const {
  const auto place = find(path);
  if (!place) return;
  place->folder.removeLeftoversOf(place->name);
  if (!place->folder.removeFile(place->name) && place->folder.exists(place->name)) {
    place->folder.fail(place->name, EISDIR, "cannot be deleted");
  }
}

void Folder::removeFolder(const fs::path& path) const {
  const auto place = find(path);
  if (!place) return;
  const Folder& folder = place->folder;
  folder.removeLeftoversOf(place->name);
  if (!folder.exists(place->name)) return;
  const std::string partial = partialOf(place->name);
  folder.rename(place->name, partial);
  folder.sync();
  folder.removeTree(partial);
}

void Folder::clear(const std::string& last) const {
  for (const std::string& name : names()) {
    if (name != last) removeTree(name);
  }
  removeTree(last);
}

int Folder::putEmptyFile(const std::string& name) const {
  removeLeftoversOf(name);
  Temporary fresh(*this, name, Temporary::Kind::File);
  const int file = fresh.renameOpen();
  sync();
  return file;
}

void Folder::removeLeftoversOf(const std::string& name) const {
  for (const std::string& each : names()) {
    if (isPartialOf(each, name) && lock(each)) removeTree(each);
  }
}

void Folder::removeLeftovers() const {
  for (const std::string& each : names()) {
    if (each.size() <= kPartialLength) continue;
    if (isPartialOf(each, each.substr(0, each.size() - kPartialLength)) && lock(each)) {
      removeTree(each);
    }
  }
}

void replaceFile(const fs::path& file, std::string text) {
  const fs::path real = fs::weakly_canonical(file);
  Folder(real.parent_path()).replace({textFile(real.filename(), std::move(text))});
}

int descriptor::writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const int64_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

void Folder::fail(const std::string& name, int error, std::string_view doing) const {
  throw std::system_error(error, std::generic_category(),
                          (path_ / name).string() + ": " + std::string(doing));
}

}  // namespace dmlcts
