// Whether the includes keep to the layers of docs/architecture.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Layers = std::map<std::string, std::set<std::string>>;        // what each rests on
using Includes = std::vector<std::pair<std::string, std::string>>;  // file, what it includes

std::vector<std::string> quoted(const std::string& cell) {
  static const std::regex name("`([^`]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator it(cell.begin(), cell.end(), name), end; it != end; ++it) {
    names.push_back((*it)[1]);
  }
  return names;
}

// The rows of the table: | `layer` | … | `layer`, `layer` |
Layers layersOf(std::istream& page) {
  static const std::regex row(R"(\| (`[^|]+`) \|[^|]*\|([^|]*)\|)");
  Layers layers;
  std::smatch match;
  for (std::string line; std::getline(page, line);) {
    if (!std::regex_match(line, match, row)) continue;
    const std::vector<std::string> below = quoted(match[2]);
    layers[quoted(match[1]).front()] = {below.begin(), below.end()};
  }
  return layers;
}

// The layer with the longest name that the path begins with; "" for none.
std::string layerOf(const Layers& layers, const std::string& path) {
  std::string best;
  for (const auto& [layer, below] : layers) {
    const bool within = path.starts_with(layer) && path.size() > layer.size() &&
                        (path[layer.size()] == '/' || path[layer.size()] == '.');
    if ((within || path == layer) && layer.size() > best.size()) best = layer;
  }
  return best;
}

// All that a layer rests on, also by way of others; itself only when there is a cycle.
std::set<std::string> below(const Layers& layers, const std::string& layer) {
  std::set<std::string> all;
  std::vector<std::string> open{layer};
  while (!open.empty()) {
    const std::string each = open.back();
    open.pop_back();
    for (const std::string& next : layers.at(each)) {
      if (all.insert(next).second) open.push_back(next);
    }
  }
  return all;
}

bool isTest(const std::string& path) {
  return path.find("/test/") != std::string::npos || path.starts_with("fuzz/libfuzzer/");
}

// What is wrong, a line for each.
std::vector<std::string> problems(const Layers& layers, const Includes& includes) {
  std::vector<std::string> found;
  for (const auto& [layer, direct] : layers) {
    for (const std::string& each : direct) {
      if (!layers.contains(each)) {
        found.push_back(layer + " rests on " + each + ", which is no layer");
        return found;
      }
    }
  }
  for (const auto& [layer, direct] : layers) {
    if (below(layers, layer).contains(layer)) found.push_back(layer + " rests on itself");
  }
  for (const auto& [file, included] : includes) {
    if (isTest(file)) continue;
    if (isTest(included)) {
      found.push_back(file + " includes a test's " + included);
      continue;
    }
    const std::string from = layerOf(layers, file);
    const std::string to = layerOf(layers, included);
    if (from.empty()) found.push_back(file + " lies in no layer");
    if (to.empty()) found.push_back(included + " lies in no layer");
    if (from.empty() || to.empty() || from == to) continue;
    if (!below(layers, from).contains(to)) found.push_back(file + " includes " + included);
  }
  return found;
}

// Every #include of a file of this project.
Includes includesIn(const fs::path& source) {
  static const std::regex include("^#include \"([^\"]+)\"");
  Includes all;
  for (const char* top : {"reference", "gpu", "conformance", "reports", "fuzz", "bench"}) {
    for (auto it = fs::recursive_directory_iterator(source / top), end = fs::end(it); it != end;
         ++it) {
      if (it->path().filename() == "node_modules") it.disable_recursion_pending();
      const std::string extension = it->path().extension().string();
      if (extension != ".cpp" && extension != ".h") continue;
      std::ifstream file(it->path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, include) || !fs::exists(source / match[1].str())) {
          continue;  // made by the build
        }
        all.emplace_back(it->path().lexically_relative(source).generic_string(), match[1]);
      }
    }
  }
  return all;
}

TEST(Layers, AreThoseOfThePicture) {
  const fs::path source = DMLCTS_SOURCE;
  std::ifstream page(source / "docs/architecture.md");
  const Layers layers = layersOf(page);
  ASSERT_GT(layers.size(), 20u);
  const Includes includes = includesIn(source);
  ASSERT_GT(includes.size(), 1000u);
  EXPECT_THAT(problems(layers, includes), IsEmpty());
}

TEST(Layers, AMissingEdgeIsSeen) {
  std::istringstream page(
      "| layer | what | rests on |\n| --- | --- | --- |\n"
      "| `low` | x | |\n| `low/part.h` | x | `low` |\n| `high` | x | `low/part.h` |\n");
  const Layers layers = layersOf(page);
  EXPECT_THAT(problems(layers, {{"high/a.cpp", "low/b.h"},
                                {"high/a.cpp", "low/part.h"},
                                {"low/test/b_test.cpp", "high/a.h"},
                                {"low/part.h", "low/b.h"}}),
              IsEmpty());
  EXPECT_THAT(
      problems(layers, {{"low/b.cpp", "high/a.h"},
                        {"low/b.cpp", "low/part.h"},
                        {"high/a.cpp", "low/test/b.h"},
                        {"other/c.cpp", "low/b.h"}}),
      ElementsAre("low/b.cpp includes high/a.h", "low/b.cpp includes low/part.h",
                  "high/a.cpp includes a test's low/test/b.h", "other/c.cpp lies in no layer"));
}

TEST(Layers, ACycleIsSeen) {
  std::istringstream page("| `a` | x | `b` |\n| `b` | x | `a` |\n");
  EXPECT_THAT(problems(layersOf(page), {}), ElementsAre("a rests on itself", "b rests on itself"));
}

}  // namespace
}  // namespace dmlcts
