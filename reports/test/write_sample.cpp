#include <cstdio>
#include <exception>
#include <string>

#include "reports/render/writers.h"
#include "reports/test/sample_journals.h"

// reports_sample FOLDER [CASES]: writes a report of invented journals, for work on the page.
int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: reports_sample FOLDER [CASES]\n", stderr);
    return 2;
  }
  try {
    const size_t cases = argc > 2 ? std::stoul(argv[2]) : 2000;
    const dmlcts::Report report = dmlcts::summarize(dmlcts::sampleJournals(cases, 2));
    dmlcts::writeReportFiles(dmlcts::Folder(argv[1]), report);
    std::fputs(dmlcts::terminalSummary(report).c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reports_sample: %s\n", error.what());
    return 3;
  }
  return 0;
}
