#include "reports/summary/mutants.h"

#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Applies `read` to the file's JSON, which must be of version 1.
template <class Read>
auto readFile(const std::string& path, std::string_view writer, const Read& read) {
  const nlohmann::json document = parseJson(readInput(path), path);
  try {
    const int version = document.at("version");
    if (version != 1) {
      throw InputError(path + ": version " + std::to_string(version) + " of what `" +
                       std::string(writer) + "` writes is not known here");
    }
    return read(document);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": not what `" + std::string(writer) + "` writes: " + problemOf(error));
  }
}

}  // namespace

MutantResults readMutants(const std::string& path) {
  return readFile(path, "dmlcts selftest --json", [&](const nlohmann::json& json) {
    MutantResults results;
    if (const uint64_t unfinished = json.value("unfinished", uint64_t{0})) {
      throw InputError(path + ": of a self-test that ended early: " + std::to_string(unfinished) +
                       " mutants were not run");
    }
    results.tier = json.at("tier");
    for (const auto& each : json.at("mutants")) {
      MutantCatch mutant;
      mutant.target = each.at("target");
      mutant.caught = each.at("caught");
      mutant.cases = each.at("cases");
      mutant.family = each.at("family");
      mutant.caseString = each.at("case");
      mutant.how = each.at("how");
      mutant.catches = each.value("catches", mutant.caught ? uint64_t{1} : uint64_t{0});
      // Files of versions that stopped at the first catch lack it.
      mutant.onlyRules = splitWords(each.value("onlyRules", std::string()));
      results.mutants.push_back(std::move(mutant));
    }
    return results;
  });
}

std::vector<GeneratedMutants> readGeneratedMutants(const std::string& path) {
  return readFile(path, "conformance/mutants/generated/run score", [](const nlohmann::json& json) {
    std::vector<GeneratedMutants> all;
    for (const auto& each : json.at("generated")) {
      GeneratedMutants& mutants = all.emplace_back();
      mutants.of = each.at("of");
      for (size_t i = 0; i < mutants.counts.size(); ++i) {
        mutants.counts[i] = each.at(std::string(GeneratedMutants::kCounts[i]));
      }
    }
    return all;
  });
}

}  // namespace dmlcts
