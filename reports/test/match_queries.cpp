#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/cases/facts/query.h"
#include "conformance/cases/language/case_string.h"
#include "reports/journal/journal.h"

// reports_match_queries JOURNAL: reads a query per line and prints a JSON line for each: the
// indices of the matching cases, {"nothing": ": why"} if none matches, or the error message. The
// page's own query language is compared with it.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: reports_match_queries JOURNAL <QUERIES\n", stderr);
    return 2;
  }
  try {
    std::vector<dmlcts::Case> cases;
    const dmlcts::Journal journal = dmlcts::readJournal(argv[1]);
    for (const dmlcts::JournalEntry& entry : journal.entries) {
      cases.push_back(dmlcts::parseCase(entry.caseString));
      cases.back().family = entry.family;
    }
    for (std::string line; std::getline(std::cin, line);) {
      nlohmann::json found = nlohmann::json::array();
      try {
        const dmlcts::Query query(line);
        for (size_t i = 0; i < cases.size(); ++i) {
          if (query.matches(cases[i])) found.push_back(i);
        }
      } catch (const dmlcts::SyntaxError& error) {
        found = error.what();
      }
      if (found.empty()) found = {{"nothing", dmlcts::whyNothingMatches(std::vector{line})}};
      std::puts(found.dump().c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reports_match_queries: %s\n", error.what());
    return 3;
  }
  return 0;
}
