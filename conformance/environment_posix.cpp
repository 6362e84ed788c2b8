#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>

#include "conformance/environment.h"

namespace dmlcts {

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

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

void prepareStandardStreams() {}  // they do already

}  // namespace dmlcts
