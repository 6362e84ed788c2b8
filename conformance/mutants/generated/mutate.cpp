// Writes C++ that can become each of its mutants, numbered from FIRST: mutate FIRST IN OUT

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "conformance/mutants/generated/sites.h"

namespace dmlcts::mutation {
namespace {

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void mutate(size_t first, const std::string& in, const std::string& to) {
  const std::string source = read(in);
  std::ofstream out(to, std::ios::binary);
  out << withAll(source, sitesOf(source), first);
  out.close();
  if (!out) throw std::runtime_error(to + ": cannot be written");
}

}  // namespace
}  // namespace dmlcts::mutation

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "mutate: FIRST IN OUT\n");
    return 2;
  }
  try {
    dmlcts::mutation::mutate(std::stoul(argv[1]), argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mutate: {}\n", error.what());
    return 2;
  }
}
