// Creates mutants of sources: see sites.h.
//
//   mutate cpp FIRST IN OUT
//       C++ that can become each of its mutants, numbered from FIRST
//   mutate list FIRST FILE…
//       one line per mutant: number, file, line, position, length, name, text and replacement
//   mutate hlsl FILE AT LENGTH OTHER
//       HLSL with one site changed, on stdout

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/generated/sites.h"

namespace dmlcts::mutation {
namespace {

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool isHlsl(const std::string& file) { return file.ends_with(".hlsl") || file.ends_with(".hlsli"); }

uint64_t hashOf(std::string_view text) {  // FNV-1a
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// Prints tab-separated fields for each mutant; returns the number after the last. Names depend on
// the text of their line, so they survive changes to other lines.
size_t list(size_t number, const std::string& file) {
  const std::string source = read(file);
  std::map<std::string, int> seen;  // earlier occurrences of the same change in the same text
  for (const Site& site : sitesOf(source, isHlsl(file))) {
    const size_t begin = source.rfind('\n', site.at) + 1;
    const std::string line = source.substr(begin, source.find('\n', site.at) - begin);
    for (const std::string& textual : site.others) {
      // mutation.h supports no other operator with lazy evaluation.
      const bool lazy = !isHlsl(file) && (textual == "&&" || textual == "||");
      const std::string other = !lazy ? textual : site.text == "&&" ? "false" : "true";
      const std::string change =
          fmt::format("{}\n{}\n{}\n{}\n{}", file, line, site.at - begin, site.length, other);
      fmt::print("{}\t{}\t{}\t{}\t{}\t{:016x}\t{}\t{}\n", number++, file, site.line, site.at,
                 site.length, hashOf(fmt::format("{}\n{}", change, seen[change]++)),
                 onOneLine(site.text), onOneLine(other));
    }
  }
  return number;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 4 && words[0] == "cpp") {
    const std::string source = read(words[2]);
    std::ofstream out(words[3], std::ios::binary);
    out << withAll(source, sitesOf(source, false), std::stoul(words[1]));
    out.close();
    if (!out) throw std::runtime_error(words[3] + ": cannot be written");
    return 0;
  }
  if (words.size() >= 3 && words[0] == "list") {
    size_t number = std::stoul(words[1]);
    for (size_t i = 2; i < words.size(); ++i) number = list(number, words[i]);
    return 0;
  }
  if (words.size() == 5 && words[0] == "hlsl") {
    const std::string source = read(words[1]);
    const Site site{.at = std::stoul(words[2]), .length = std::stoul(words[3]), .text = {}};
    std::cout << withOther(source, site, words[4]);
    return 0;
  }
  fmt::print(stderr, "mutate: cpp FIRST IN OUT, list FIRST FILE… or hlsl FILE AT LENGTH OTHER\n");
  return 2;
}

}  // namespace
}  // namespace dmlcts::mutation

int main(int argc, char** argv) {
  try {
    return dmlcts::mutation::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "mutate: {}\n", error.what());
    return 2;
  }
}
