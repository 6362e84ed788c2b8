#include "reports/compare/bench_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <regex>
#include <stdexcept>

#include "reports/compare/comparison.h"
#include "reports/compare/significance.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

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

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// The parts of names that vary along a curve. A shape such as "64x17" is none.
struct AxisParts {
  std::string_view name;
  std::regex part;
  std::string_view shown;
};

// Indexed by BenchAxis.
const std::array<AxisParts, 3>& axes() {
  static const std::string size = "(?:[^:]*:)?[0-9][0-9^kKMGiB]*";
  static const std::array<AxisParts, 3> all{
      {{"size", std::regex(size + "(?:-of-" + size + ")*"), "*"},
       {"density", std::regex("([0-9][0-9.]{0,8})%"), "*%"},
       {"rowBytes", std::regex("rows-of-([0-9]{1,15})(Ki|Mi|Gi)?B"), "rows-of-*"}}};
  return all;
}

// Returns a benchmark's curve along the axis and its place there. Nothing if its name has no part
// of that kind.
std::optional<std::pair<std::string, double>> placeOn(BenchAxis axis, const BenchRow& row) {
  const AxisParts& along = axes().at(static_cast<size_t>(axis));
  std::string name;
  std::optional<double> x;
  for (const std::string_view each : partsOf(row.name)) {
    std::string part(each);
    if (part == "manual_time" || part == "real_time") continue;
    const bool isShort = part.size() <= 64;  // std::regex recurses
    if (std::smatch match; isShort && std::regex_match(part, match, along.part)) {
      if (axis != BenchAxis::Size) {
        constexpr std::string_view kPrefixes = "KMG";
        const size_t prefix = match[2].matched ? kPrefixes.find(*match[2].first) + 1 : 0;
        x = std::stod(match[1]) * std::pow(1024, prefix);
      } else if (row.elements > 0) {
        x = static_cast<double>(row.elements);
      }
      part = along.shown;
    } else if (axis == BenchAxis::RowBytes && isShort &&
               std::regex_match(part, axes().front().part)) {
      continue;  // the count only keeps the output's size equal
    }
    name += (name.empty() ? "" : "/") + part;
  }
  if (!x) return std::nullopt;
  return std::pair(std::move(name), *x);
}

std::vector<BenchCurve> curvesAlong(BenchAxis axis, const std::vector<BenchRow>& rows) {
  std::vector<BenchCurve> curves;
  std::map<std::string, size_t> indexOf;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto place = placeOn(axis, rows[i]);
    if (!place) continue;
    const auto [found, fresh] = indexOf.emplace(place->first, curves.size());
    if (fresh) curves.push_back({axis, place->first, {}});
    curves[found->second].points.push_back({place->second, i});
  }
  for (BenchCurve& curve : curves) {
    std::ranges::stable_sort(curve.points, {}, [&rows](const BenchCurve::Point& point) {
      return std::pair(rows[point.row].file, point.x);
    });
  }
  std::erase_if(curves, [&rows](const BenchCurve& curve) {
    return std::ranges::adjacent_find(
               curve.points, [&rows](const BenchCurve::Point& a, const BenchCurve::Point& b) {
                 return rows[a.row].file == rows[b.row].file && a.x != b.x;
               }) == curve.points.end();
  });
  return curves;
}

TimeChange judge(const BenchRatio& ratio, double smallest, const BenchThresholds& thresholds) {
  if (ratio.p >= thresholds.significance) {
    return smallest >= thresholds.significance ? TimeChange::TooFew : TimeChange::None;
  }
  if (ratio.ratio >= 1 + thresholds.least) return TimeChange::Slower;
  const bool faster = ratio.ratio > 0 && 1 / ratio.ratio >= 1 + thresholds.least;
  return faster ? TimeChange::Faster : TimeChange::None;
}

std::vector<BenchRatio> ratiosToFirst(const std::vector<BenchRow>& rows,
                                      const BenchThresholds& thresholds) {
  std::map<std::string_view, size_t> firstOf;
  std::vector<BenchRatio> ratios;
  std::vector<double> p;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].file == 0) {
      firstOf.emplace(rows[i].name, i);
      continue;
    }
    const auto found = firstOf.find(rows[i].name);
    if (found == firstOf.end()) continue;
    const BenchRow& first = rows[found->second];
    const double before = median(first.seconds);
    ratios.push_back({i, found->second, before > 0 ? median(rows[i].seconds) / before : 0});
    p.push_back(mannWhitney(first.seconds, rows[i].seconds));
  }
  const std::vector<double> corrected = holm(p);
  for (size_t i = 0; i < ratios.size(); ++i) {
    BenchRatio& each = ratios[i];
    each.p = corrected[i];
    const double smallest =
        smallestP(rows[each.first].seconds.size(), rows[each.row].seconds.size());
    each.change = judge(each, smallest * static_cast<double>(ratios.size()), thresholds);
  }
  return ratios;
}

std::vector<BenchScore> scoresOf(const std::vector<BenchRow>& rows,
                                 const std::vector<BenchRatio>& ratios) {
  std::vector<BenchScore> scores;
  for (const BenchRatio& each : ratios) {
    const BenchRow& row = rows[each.row];
    const std::string_view work = partsOf(row.name).front();
    auto score = std::ranges::find_if(scores, [&](const BenchScore& known) {
      return known.file == row.file && known.work == work;
    });
    if (score == scores.end()) {
      score = scores.insert(score, BenchScore{.file = row.file, .work = std::string(work)});
    }
    if (each.ratio <= 0) continue;  // one side took no measurable time
    score->faster += each.change == TimeChange::Faster;
    score->slower += each.change == TimeChange::Slower;
    const auto before = static_cast<double>(score->benchmarks++);
    score->geometricMean =
        std::exp((std::log(score->geometricMean) * before + std::log(each.ratio)) / (before + 1));
  }
  return scores;
}

double spreadOf(const BenchRow& row) {
  const double middle = median(row.seconds);
  const MiddleHalf half = middleHalf(row.seconds);
  return middle > 0 ? (half.to - half.from) / middle : 0;
}

// Warns of files that are not complete, and of those whose caches were flushed by other amounts.
// "0" belongs to benchmarks that run hot by name, or whose tensors exceed the caches.
std::vector<std::string> warningsOf(const std::vector<BenchFile>& files) {
  const auto evicted = [](const BenchFile& file) {
    const auto found = file.context.find("evicted_mib");
    return found == file.context.end() ? "" : found->second;
  };
  const auto said = [&](const BenchFile& file) {
    return file.label + (evicted(file).empty() ? " does not say" : " " + evicted(file) + " MiB");
  };
  std::vector<std::string> warnings;
  for (const BenchFile& file : files) {
    const auto stopped = file.context.find("stopped");
    if (stopped != file.context.end()) {
      warnings.push_back(file.label + ": bench was told to stop " + stopped->second);
    }
  }
  for (const BenchFile& file : files) {
    const std::string first = evicted(files[0]);
    if (evicted(file) == first || evicted(file) == "0" || first == "0") continue;
    warnings.push_back("what was copied to flush caches before each repetition: " + said(files[0]) +
                       ", " + said(file));
  }
  return warnings;
}

// Indexed by TimeChange.
constexpr std::array<std::string_view, 4> kChangeWords{"no difference", "slower", "faster",
                                                       "too few repetitions to say"};

// Reads a counter, or else the last plain number in the name; 0 without either.
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

// Returns a distinct label for each file; whole paths if their parts do not tell them apart.
std::vector<std::string> labelsOf(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    files.push_back(std::filesystem::absolute(path).lexically_normal().replace_extension());
  }
  const std::vector<std::string> names = distinctNames(std::move(files));
  return names.empty() ? paths : names;
}

void readFile(const std::string& path, size_t index, BenchResults& results) {
  const nlohmann::json whole = parseJson(readInput(path), path);
  BenchFile& file = results.files[index];
  const nlohmann::json context = whole.value("context", nlohmann::json::object());
  for (const auto& [key, value] : context.items()) {
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
  std::map<size_t, std::vector<double>> bytes, copied;  // of each repetition
  for (const auto& each : whole.at("benchmarks")) {
    if (each.value("run_type", "iteration") != "iteration") continue;
    const std::string name = each.value("run_name", each.at("name").get<std::string>());
    if (each.value("error_occurred", false)) {
      const bool known = !results.errors.empty() && results.errors.back().name == name &&
                         results.errors.back().file == index;
      if (!known) results.errors.push_back({index, name, each.value("error_message", "")});
      continue;
    }
    const auto [found, fresh] = indexOf.emplace(name, results.benchmarks.size());
    const double seconds =
        each.at("real_time").get<double>() * unitOf(each.value("time_unit", "ns"));
    if (!(seconds >= 0 && seconds < 1e9)) {
      throw InputError(path + ": no benchmark can take the time of " + name);
    }
    if (fresh) {
      BenchRow benchmark{.file = index, .name = name};
      benchmark.elements = elementsOf(each, name, seconds);
      results.benchmarks.push_back(std::move(benchmark));
    }
    results.benchmarks[found->second].seconds.push_back(seconds);
    if (each.contains("bytes_per_second")) {
      bytes[found->second].push_back(seconds * each["bytes_per_second"].get<double>());
    }
    if (each.contains("fraction_of_copy")) {
      copied[found->second].push_back(seconds * each["fraction_of_copy"].get<double>());
    }
  }
  // Divides by the median time: of an even number of times, the median rate is another.
  for (auto& [name, at] : indexOf) {
    BenchRow& row = results.benchmarks[at];
    const double seconds = median(row.seconds);
    if (seconds <= 0) continue;
    if (bytes.contains(at)) row.bytesPerSecond = median(bytes[at]) / seconds;
    if (copied.contains(at)) row.fraction = median(copied[at]) / seconds;
  }
}

}  // namespace

bool BenchResults::measures(size_t file, std::string_view name) const {
  return std::ranges::any_of(
      benchmarks, [&](const BenchRow& row) { return row.file == file && row.name == name; });
}

size_t BenchResults::noLongerMeasured() const {
  return static_cast<size_t>(std::ranges::count_if(
      errors, [&](const BenchError& error) { return error.file > 0 && measures(0, error.name); }));
}

int BenchResults::exitStatus() const {
  if (noLongerMeasured() > 0) return 1;
  if (files.size() > 1 && ratios.empty()) return 3;
  const bool slower = std::ranges::any_of(
      ratios, [](const BenchRatio& each) { return each.change == TimeChange::Slower; });
  return slower ? 1 : 0;
}

BenchResults readBenchResults(const std::vector<std::string>& paths,
                              const BenchThresholds& thresholds) {
  BenchResults results;
  results.thresholds = thresholds;
  for (std::string& label : labelsOf(paths)) {
    results.files.emplace_back().label = std::move(label);
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    try {
      readFile(paths[i], i, results);
    } catch (const nlohmann::json::exception& error) {
      throw InputError(paths[i] + ": not what `bench --json` writes: " + problemOf(error));
    } catch (const InputError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw InputError(paths[i] + ": " + error.what());
    }
  }
  for (BenchAxis axis : {BenchAxis::Size, BenchAxis::Density, BenchAxis::RowBytes}) {
    for (BenchCurve& curve : curvesAlong(axis, results.benchmarks)) {
      results.curves.push_back(std::move(curve));
    }
  }
  results.ratios = ratiosToFirst(results.benchmarks, thresholds);
  results.scores = scoresOf(results.benchmarks, results.ratios);
  results.warnings = warningsOf(results.files);
  return results;
}

std::string timeText(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} s", seconds);
}

std::string benchText(const BenchResults& results) {
  std::string out;
  std::map<size_t, const BenchRatio*> ratioOf;
  std::map<TimeChange, size_t> changes;
  for (const BenchRatio& each : results.ratios) {
    ratioOf[each.row] = &each;
    ++changes[each.change];
  }
  const size_t lost = results.noLongerMeasured();
  if (!changes.empty() || lost > 0) {
    out = fmt::format("{} faster, {} slower, {} alike", changes[TimeChange::Faster],
                      changes[TimeChange::Slower], changes[TimeChange::None]);
    if (const size_t few = changes[TimeChange::TooFew]; few > 0) {
      out += fmt::format(", {} with too few repetitions", few);
    }
    if (lost > 0) out += fmt::format(", {} no longer measured", lost);
    double widest = 0;
    for (const BenchRow& each : results.benchmarks) widest = std::max(widest, spreadOf(each));
    out += fmt::format(
        "; a difference counts from {:g} % with p below {:g}; repetitions spread by up to {:.1f} "
        "%\n",
        100 * results.thresholds.least, results.thresholds.significance, 100 * widest);
  }
  for (size_t i = 0; i < results.benchmarks.size(); ++i) {
    const BenchRow& each = results.benchmarks[i];
    std::string line = fmt::format("{:<60} {:>10}", each.name, timeText(median(each.seconds)));
    if (each.bytesPerSecond > 0) line += fmt::format(" {:>8.1f} GB/s", each.bytesPerSecond / 1e9);
    if (each.fraction > 0) line += fmt::format(" {:>6.1f} % of copy", 100 * each.fraction);
    if (results.files.size() > 1) line += "  " + results.files[each.file].label;
    if (const double spread = spreadOf(each); spread > kWideSpread) {
      line += fmt::format("  (spread {:.0f} %)", 100 * spread);
    }
    if (const auto found = ratioOf.find(i); found != ratioOf.end()) {
      const BenchRatio& ratio = *found->second;
      line += fmt::format("  {:.3f} x {}, p {:.2g}: {}", ratio.ratio, results.files[0].label,
                          ratio.p, kChangeWords.at(static_cast<size_t>(ratio.change)));
    } else if (each.file > 0) {
      line += "  not in " + results.files[0].label;
    }
    for (size_t file = 1; each.file == 0 && file < results.files.size(); ++file) {
      if (!results.measures(file, each.name)) line += "  no time in " + results.files[file].label;
    }
    out += plainLine(line) + '\n';
  }
  for (const BenchScore& each : results.scores) {
    out += plainLine(fmt::format("{}, {} to {}: {} in the geometric mean of {}, {} faster, "
                                 "{} slower",
                                 each.work, results.files[0].label, results.files[each.file].label,
                                 speedText(each.geometricMean),
                                 counted(each.benchmarks, "benchmark"), each.faster, each.slower)) +
           '\n';
  }
  for (const BenchError& each : results.errors) {
    out += plainLine(fmt::format("{:<60} not measured: {}", each.name, each.message)) + '\n';
  }
  for (const std::string& each : results.warnings) out += plainLine("warning: " + each) + '\n';
  if (results.exitStatus() == 3) out += "Nothing is compared: the files share no benchmark.\n";
  return out;
}

ReportDocument toDocument(const BenchResults& results) {
  Json files = arrayOf(results.files, [](const BenchFile& file) -> Json {
    return {
        {"label", file.label}, {"host", file.host}, {"date", file.date}, {"context", file.context}};
  });
  Json benchmarks = Json::array();
  for (const BenchRow& each : results.benchmarks) {
    const MiddleHalf half = middleHalf(each.seconds);
    benchmarks.push_back({{"file", each.file},
                          {"name", each.name},
                          {"elements", each.elements},
                          {"seconds", median(each.seconds)},
                          {"middleHalf", {half.from, half.to}},
                          {"spread", spreadOf(each)},
                          {"repetitions", each.seconds.size()},
                          {"bytesPerSecond", each.bytesPerSecond},
                          {"fraction", each.fraction}});
  }
  Json errors = arrayOf(results.errors, [](const BenchError& each) -> Json {
    return {{"file", each.file}, {"name", each.name}, {"message", each.message}};
  });
  Json curves = Json::array();
  for (const BenchCurve& curve : results.curves) {
    Json points = Json::array();
    for (const auto& [x, row] : curve.points) points.push_back({{"x", x}, {"benchmark", row}});
    curves.push_back({{"axis", axes().at(static_cast<size_t>(curve.axis)).name},
                      {"name", curve.name},
                      {"points", std::move(points)}});
  }
  Json ratios = arrayOf(results.ratios, [](const BenchRatio& each) -> Json {
    return {{"benchmark", each.row},
            {"first", each.first},
            {"ratio", each.ratio},
            {"p", each.p},
            {"change", kChangeWords.at(static_cast<size_t>(each.change))}};
  });
  Json scores = arrayOf(results.scores, [](const BenchScore& each) -> Json {
    return {
        {"file", each.file},     {"work", each.work},     {"benchmarks", each.benchmarks},
        {"faster", each.faster}, {"slower", each.slower}, {"geometricMean", each.geometricMean}};
  });
  return {{"bench", 1},
          {"files", std::move(files)},
          {"benchmarks", std::move(benchmarks)},
          {"errors", std::move(errors)},
          {"curves", std::move(curves)},
          {"ratios", std::move(ratios)},
          {"scores", std::move(scores)},
          {"warnings", results.warnings},
          {"significance", results.thresholds.significance},
          {"least", results.thresholds.least},
          {"wideSpread", kWideSpread}};
}

}  // namespace dmlcts
