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

constexpr std::string_view kOurs = "dmlcts.";

bool isPartial(std::string_view name) {
  return name.size() == kOurs.size() + 8 + std::string_view(kPartial).size() &&
         name.starts_with(kOurs) && name.ends_with(kPartial) &&
         std::ranges::all_of(name.substr(kOurs.size(), 8), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
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

// A new folder in a folder, locked, and removed at the end. Writes what gets its name in the folder
// later, and takes what is to be removed.
class Subfolder {
 public:
  // Errors name `place`, the first of the names.
  Subfolder(const Folder& parent, const std::string& place) : parent_(parent), here_(parent) {
    parent_.removeLeftovers();
    try {
      // A process that clears away leftovers may come between the creation and the lock.
      for (int tries = 0; tries < 100; ++tries) {
        name_ = fmt::format("{}{:08x}{}", kOurs, std::random_device{}(), kPartial);
        if (!parent_.makeFolder(name_)) continue;
        lock_ = parent_.lock(name_);
        const std::optional<Folder> opened = parent_.openFolder(name_);
        if (!lock_ || !opened) continue;
        here_ = *opened;
        return;
      }
    } catch (const std::system_error& error) {
      parent_.fail(place, error.code().value(), "cannot be written");
    }
    parent_.fail(place, EBUSY, "cannot be written");
  }
  ~Subfolder() {
    try {
      parent_.removeLocked(name_, std::move(lock_));
    } catch (const std::exception&) {  // a further process will remove it
    }
  }
  Subfolder(const Subfolder&) = delete;
  Subfolder& operator=(const Subfolder&) = delete;

  // Writes files, into a folder here if `inside` names one, and brings them to the disk. Errors
  // name them in `destination`.
  void write(const std::vector<NewFile>& files, const std::string& inside,
             const Folder& destination) {
    const Folder folder = inside.empty() ? here_ : here_.within(inside);
    for (const NewFile& file : files) {
      const std::string name = folder.checked(file.name);
      const int opened = folder.openFile(name, true);
      if (opened < 0) destination.fail(name, errno, "cannot be written");
      const int error = writeAll(opened, file.write);
      descriptor::close(opened);
      if (error != 0) destination.fail(name, error, "cannot be written");
    }
    folder.sync();
  }

  void moveOut(const std::string& from, const std::string& name) {
    here_.move(from, parent_, name);
  }

  void take(const std::string& name) { parent_.move(name, here_, name); }

 private:
  const Folder parent_;
  Folder here_;
  std::string name_;
  std::shared_ptr<const Folder::Handle> lock_;
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
    const std::string name = folder.checked(part.string());
    if (folder.makeFolder(name)) folder.sync();
    std::optional<Folder> next = folder.openFolder(name);
    if (!next) folder.fail(name, ENOENT, "was removed");
    folder = *std::move(next);
  }
  return folder;
}

std::optional<Folder> Folder::find(const fs::path& path) const {
  std::optional<Folder> folder = *this;
  for (const fs::path& part : path) {
    if (folder) folder = folder->openFolder(checked(part.string()));
  }
  return folder;
}

bool Folder::has(const fs::path& path) const {
  const std::string name = checked(path.filename().string());
  const auto folder = find(path.parent_path());
  return folder && folder->exists(name);
}

void Folder::replace(const std::vector<NewFile>& files) const {
  Subfolder written(*this, files.front().name);
  written.write(files, "", *this);
  for (const NewFile& file : files) written.moveOut(file.name, file.name);
  sync();
}

void Folder::replaceFolder(const fs::path& path, const std::vector<NewFile>& files) const {
  const std::string name = checked(path.filename().string());
  const Folder folder = within(path.parent_path());
  Subfolder written(folder, name);
  const std::string made = name + ".new";  // beside the old one
  written.write(files, made, Folder(folder.path_ / name, nullptr));
  if (folder.exists(name)) written.take(name);
  written.moveOut(made, name);
  folder.sync();
}

void Folder::remove(const fs::path& path) const {
  const std::string name = checked(path.filename().string());
  const auto folder = find(path.parent_path());
  if (folder && !folder->removeFile(name) && folder->exists(name)) {
    folder->fail(name, EISDIR, "cannot be deleted");
  }
}

void Folder::removeFolder(const fs::path& path) const {
  const std::string name = checked(path.filename().string());
  const auto folder = find(path.parent_path());
  if (!folder || !folder->exists(name)) return;
  Subfolder old(*folder, name);
  old.take(name);
  folder->sync();
}

void Folder::clear(const std::string& last) const {
  for (const std::string& name : names()) {
    if (name != last) removeTree(name);
  }
  removeTree(last);
}

std::string Folder::checked(std::string name) const {
  if (isOneName(name)) return name;
  throw InputError((path_ / name).string() + ": leads out of its folder");
}

void Folder::removeLocked(const std::string& name, std::shared_ptr<const Handle> lock) const {
  if (const auto folder = openFolder(name)) {
    for (const std::string& each : folder->names()) folder->removeTree(each);
  }
  lock.reset();  // before, since Windows removes no folder with an open file
  removeTree(name);
}

void Folder::removeLeftovers() const {
  for (const std::string& each : names()) {
    if (!isPartial(each)) continue;
    if (auto held = lock(each)) removeLocked(each, std::move(held));
  }
}

void replaceFile(const fs::path& file, std::string text) {
  const fs::path real = fs::weakly_canonical(file);
  Folder(real.parent_path()).replace({textFile(real.filename().string(), std::move(text))});
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
