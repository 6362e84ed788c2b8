#include "gpu/d3d12/kernel_variant.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>

#include "gpu/identity/file_hash.h"
#include "gpu/identity/loaded_files.h"
#include "gpu/shaders/embedded.h"

namespace dmlcts::gpu {

namespace {

using Lines = std::set<std::string>;

// Returns lines in the format of `sha256sum`.
Lines ownSources() {
  Lines lines;
  for (const EmbeddedFile& file : std::span(kShaderFiles, kShaderFileCount)) {
    Sha256 sum;
    sum.add({reinterpret_cast<const uint8_t*>(file.text.data()), file.text.size()});
    lines.insert(sum.digits() + "  " + std::string(file.name));
  }
  return lines;
}

Lines linesOf(const std::filesystem::path& file) {
  Lines lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

}  // namespace

std::filesystem::path folderOf(const KernelVariant& variant) {
  const std::filesystem::path program = ownFile();
  std::string problem = "is not made: no folder above this program has it";
  for (std::filesystem::path above = program.parent_path();; above = above.parent_path()) {
    std::filesystem::path folder = above / "build/kernel-variants" / variant.name;
    if (std::filesystem::exists(folder / "sources")) {
      if (linesOf(folder / "sources") == ownSources()) return folder;
      problem = "was made of other sources than this program's kernels";
      break;
    }
    if (above == above.parent_path()) break;
  }
  throw std::invalid_argument(
      fmt::format("--kernel-variant {0}: it {1}; in the source tree, run gpu/shaders/variants {0}",
                  variant.name, problem));
}

}  // namespace dmlcts::gpu
