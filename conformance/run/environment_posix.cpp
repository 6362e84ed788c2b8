#include <fmt/format.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

#include "conformance/run/environment.h"
#include "gpu/process/streams.h"

namespace dmlcts {
namespace {

std::optional<uint64_t> numberIn(const char* file) {
  std::ifstream stream(file);
  uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string hostName() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown";
  return fmt::format("{} {} {}", facts.sysname, facts.release, facts.machine);
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::filesystem::path executablePath() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path executableFolder() { return executablePath().parent_path(); }

bool isProgram(const std::string& word) {
  const auto runs = [](const std::filesystem::path& path) {
    return std::filesystem::is_regular_file(path) && access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) return runs(word);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (runs(std::filesystem::path(folder) / word)) return true;
  }
  return false;
}

bool stdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

uint64_t availableMemory() {
  uint64_t bytes = UINT64_MAX;
  std::ifstream facts("/proc/meminfo");
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("MemAvailable:")) bytes = std::stoull(line.substr(13)) * 1024;
  }
  const auto most = numberIn("/sys/fs/cgroup/memory.max");  // no number: no limit
  const auto used = numberIn("/sys/fs/cgroup/memory.current");
  if (most && used) bytes = std::min(bytes, *most - std::min(*most, *used));
  return bytes;
}

void prepareStandardStreams() {
  gpu::holdStandardStreams();
  ::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is then an error like a full disk
}

}  // namespace dmlcts
