#include "reports/bench_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/escape.h"
#include "reports/significance.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

double unitOf(const std::string& unit) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  throw std::runtime_error("no time_unit is called \"" + unit + "\"");
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// "4096", "2^20", "64x64", "256MiB": what varies along a curve.
bool isSize(std::string_view part) {
  if (const size_t colon = part.find(':'); colon != part.npos) part.remove_prefix(colon + 1);
  return !part.empty() && isNumber(part.substr(0, 1)) &&
         part.find_first_not_of("0123456789^xkKMGiB") == part.npos;
}

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// "gather_nd/f32/elements:4096/manual_time" without "4096" and what Google Benchmark adds.
std::string groupOf(std::string_view name) {
  std::string group;
  for (std::string_view part : partsOf(name)) {
    if (isSize(part) || part == "manual_time" || part == "real_time") continue;
    group += (group.empty() ? "" : "/") + std::string(part);
  }
  return group;
}

// From a counter, or else the last plain number in the name; 0 where nothing says it.
uint64_t elementsOf(const nlohmann::json& each, std::string_view name, double seconds) {
  double elements = each.value("elements", 0.0);
  if (elements < 1) elements = std::round(each.value("elements_per_second", 0.0) * seconds);
  if (elements >= 1 && elements < 1e18) return static_cast<uint64_t>(elements);
  uint64_t last = 0;
  for (std::string_view part : partsOf(name)) {
    if (part.starts_with("repeats:") || part.starts_with("iterations:")) continue;
    if (const size_t colon = part.find(':'); colon != part.npos) part.remove_prefix(colon + 1);
    if (isNumber(part) && part.size() < 19) last = std::stoull(std::string(part));
  }
  return last;
}

void readFile(const std::string& path, size_t index, BenchResults& results) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot be read");
  const auto json = nlohmann::json::parse(stream);
  BenchFile file;
  file.label = std::filesystem::path(path).stem().string();
  for (const auto& [key, value] : json.at("context").items()) {
    if (key == "host_name") {
      file.host = value.get<std::string>();
    } else if (key == "date") {
      file.date = value.get<std::string>();
    } else if (value.is_string()) {
      file.context[key] = value.get<std::string>();
    } else if (value.is_primitive()) {
      file.context[key] = value.dump();
    }
  }
  std::map<std::string, size_t> indexOf;
  std::map<size_t, std::vector<double>> rates, fractions;
  for (const auto& each : json.at("benchmarks")) {
    if (each.value("run_type", "iteration") != "iteration") continue;
    if (each.value("error_occurred", false)) continue;
    const std::string name = each.value("run_name", each.at("name").get<std::string>());
    const auto [found, fresh] = indexOf.emplace(name, results.benchmarks.size());
    const double seconds = each.at("real_time").get<double>() * unitOf(each.at("time_unit"));
    if (fresh) {
      BenchRow benchmark{.file = index, .name = name, .group = groupOf(name)};
      benchmark.elements = elementsOf(each, name, seconds);
      results.benchmarks.push_back(std::move(benchmark));
    }
    results.benchmarks[found->second].seconds.push_back(seconds);
    if (each.contains("bytes_per_second")) {
      rates[found->second].push_back(each["bytes_per_second"].get<double>());
    }
    if (each.contains("fraction_of_copy")) {
      fractions[found->second].push_back(each["fraction_of_copy"].get<double>());
    }
  }
  for (const auto& [at, values] : rates) results.benchmarks[at].bytesPerSecond = median(values);
  for (const auto& [at, values] : fractions) results.benchmarks[at].fraction = median(values);
  results.files.push_back(std::move(file));
}

}  // namespace

BenchResults readBenchResults(const std::vector<std::string>& paths) {
  BenchResults results;
  for (size_t i = 0; i < paths.size(); ++i) {
    try {
      readFile(paths[i], i, results);
    } catch (const nlohmann::json::exception& error) {
      throw std::runtime_error(paths[i] + ": not what --benchmark_out writes: " + error.what());
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(paths[i] + ": " + error.what());
    }
  }
  return results;
}

std::string benchText(const BenchResults& results) {
  std::string out;
  for (const BenchRow& each : results.benchmarks) {
    std::string line = fmt::format("{:<60} {:>12.2f} us", each.name, 1e6 * median(each.seconds));
    if (each.bytesPerSecond > 0) line += fmt::format(" {:>9.2f} GB/s", each.bytesPerSecond / 1e9);
    if (each.fraction > 0) line += fmt::format(" {:>6.1f} % of copy", 100 * each.fraction);
    if (results.files.size() > 1) line += "  " + results.files[each.file].label;
    out += plainLine(line) + '\n';
  }
  return out;
}

ReportDocument toDocument(const BenchResults& results) {
  Json files = Json::array();
  for (const BenchFile& file : results.files) {
    files.push_back({{"label", file.label},
                     {"host", file.host},
                     {"date", file.date},
                     {"context", file.context}});
  }
  Json benchmarks = Json::array();
  for (const BenchRow& each : results.benchmarks) {
    benchmarks.push_back({{"file", each.file},
                          {"name", each.name},
                          {"group", each.group},
                          {"elements", each.elements},
                          {"seconds", median(each.seconds)},
                          {"repetitions", each.seconds.size()},
                          {"bytesPerSecond", each.bytesPerSecond},
                          {"fraction", each.fraction}});
  }
  return {{"bench", 1}, {"files", std::move(files)}, {"benchmarks", std::move(benchmarks)}};
}

}  // namespace dmlcts
