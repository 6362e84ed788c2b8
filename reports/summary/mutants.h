#pragma once

#include <string>

#include "reports/text/escape.h"

namespace dmlcts {

// Reads what report.json gives of deliberately faulty implementations: {tier, mutants} from the
// results of `dmlcts selftest --json FILE`. A mutant's `onlyRules` are the rules that every catch
// exercises: without their cases, it would have survived. Throws InputError "FILE: what is wrong".
ReportDocument readMutants(const std::string& path);

}  // namespace dmlcts
