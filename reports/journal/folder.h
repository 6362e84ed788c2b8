#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dmlcts {

// A folder of ours in which files are written, before they are moved to their names: it is called
// "dmlcts.0123abcd.partial". A kill leaves it there.
inline constexpr char kPartial[] = ".partial";

// Returns what is wrong with a name that a received file gives to one of ours; "" for 1 to 200
// letters, digits, ".", "-" and "_" with no "." or "-" at the front and no "." at the end.
std::string whyNotName(std::string_view name);

// Likewise for names joined by "/".
std::string whyNotNames(std::string_view path);

struct NewFile {
  std::string name;
  std::function<void(std::ostream&)> write;
};

inline NewFile textFile(std::string name, std::string text) {
  return {std::move(name), [text = std::move(text)](std::ostream& out) { out << text; }};
}

// An open folder, through which everything is written: nothing else in the suite creates, replaces
// or deletes a file. Paths are relative to it, never lead out of it, and no link on them is
// followed. Files are written into a subfolder, and get their names once they are on the disk.
// Errors are std::system_error and InputError, and name the file.
class Folder {
 public:
  // Opens a folder that the user names, also through links. Creates it and its parents.
  explicit Folder(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  // Opens a folder in this one; creates it.
  Folder within(const std::filesystem::path& path) const;

  // True if there is something of that name, also a link to nothing.
  bool has(const std::filesystem::path& path) const;

  // Writes all files, then replaces those of the same names. Leaves them as they were if a file
  // cannot be written.
  void replace(const std::vector<NewFile>& files) const;

  // Replaces a folder by one with these files and no others.
  void replaceFolder(const std::filesystem::path& path, const std::vector<NewFile>& files) const;

  // Removes a file or a link, if it is there.
  void remove(const std::filesystem::path& path) const;

  // Removes a folder with all in it, if it is there. A kill leaves it whole or under a name that
  // ends in kPartial.
  void removeFolder(const std::filesystem::path& path) const;

  // Removes everything in this folder, `last` at the end.
  void clear(const std::string& last) const;

  // Removes the subfolders in which killed processes wrote or removed something.
  void removeLeftovers() const;

  // Names in this folder, in order.
  std::vector<std::string> names() const;

  // Makes new names survive a loss of power. A file system that cannot promise it is no error.
  void sync() const;

 private:
  friend class AppendFile;
  friend class Subfolder;
  struct Handle;

  Folder(std::filesystem::path path, std::shared_ptr<const Handle> handle)
      : path_(std::move(path)), handle_(std::move(handle)) {}

  // Opens a folder in this one; nothing if it is missing.
  std::optional<Folder> find(const std::filesystem::path& path) const;
  std::string checked(std::string name) const;  // InputError unless it is a name in a folder
  void removeLocked(const std::string& name, std::shared_ptr<const Handle> lock) const;
  [[noreturn]] void fail(const std::string& name, int error, std::string_view doing) const;

  // The calls that differ between systems, on a single name. None follows a link.
  std::optional<Folder> openFolder(const std::string& name) const;  // nothing if it is missing
  bool makeFolder(const std::string& name) const;                   // false if there is one
  int openFile(const std::string& name, bool isNew) const;          // -1 and errno on failure
  bool isAt(const std::string& name, int file) const;
  bool exists(const std::string& name) const;
  void move(const std::string& from, const Folder& to, const std::string& name) const;
  bool removeFile(const std::string& name) const;  // false if it is missing or a folder
  void removeTree(const std::string& name) const;
  // Locks a folder; null if it is missing or locked. The lock ends with the object.
  std::shared_ptr<const Handle> lock(const std::string& name) const;

  std::filesystem::path path_;
  std::shared_ptr<const Handle> handle_;
};

// Replaces a file that the user names, also through links.
void replaceFile(const std::filesystem::path& file, std::string text);

// An open file's descriptor. All calls return -1 and set errno on failure.
namespace descriptor {
int64_t write(int file, const char* data, size_t size);
int writeAll(int file, std::string_view text);  // returns the error or 0
int64_t read(int file, char* data, size_t size);
int64_t seek(int file, int64_t offset);
int64_t size(int file);
int truncate(int file, int64_t size);
int sync(int file);
int lock(int file);  // fails at once where another process has the lock
int close(int file);
int64_t links(int file);  // its names; -1 unless it is a plain file
}  // namespace descriptor

}  // namespace dmlcts
