#include <fmt/format.h>

#include <set>

#include "reports/compare/matrix.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

Json toDocument(const std::vector<MatrixCell>& cells) {
  return arrayOf(cells, [](const MatrixCell& cell) -> Json {
    return {{"status", name(cell.status)},
            {"count", cell.count},
            {"of", cell.of},
            {"statement", cell.statement},
            {"seconds", cell.seconds}};
  });
}

Json toDocument(const std::vector<MatrixLine>& lines) {
  return arrayOf(lines, [](const MatrixLine& line) {
    Json row = Json::object();
    if (!line.op.empty()) row["operator"] = line.op;
    if (!line.level.empty()) row["level"] = line.level;
    if (!line.rule.empty()) row["rule"] = line.rule;
    row["differs"] = line.differs;
    row["cells"] = toDocument(line.cells);
    return row;
  });
}

Json toDocument(const Configuration& configuration) {
  Json json{{"name", configuration.name}, {"problem", configuration.problem}};
  if (!configuration.report) return json;
  const Report& report = *configuration.report;
  json["target"] = report.run.target;
  json["version"] = versionOf(report.run);
  json["driver"] = driverOf(report.run);
  json["suite"] = suiteOf(report.run);
  json["specification"] = report.run.specification + (report.run.strict ? ", strict" : "");
  json["tier"] = report.run.tier;
  json["startedAt"] = report.run.startedAt;
  json["headline"] = conclude(report).headline;
  json["filtered"] = !report.filters.empty();
  json["doubt"] = whyUnproven(report);
  json["exitStatus"] = exitStatus(report);
  json["totals"] = toDocument(report.totals);
  json["workerFailures"] = report.workerFailures.size();
  json["caseSeconds"] = report.seconds;
  return json;
}

}  // namespace

Totals totalsIn(const ReportDocument& document) {
  Totals totals;
  for (const auto& [verdict, count] : document.items()) {
    const auto known = parseVerdict(verdict);
    if (!known) throw InputError("\"" + verdict + "\" is no verdict that this version knows");
    totals[*known] = count;
  }
  return totals;
}

ReportDocument toDocument(const Matrix& matrix) {
  constexpr size_t kMaxChanges = 5;  // of each kind; the page of the diff has more
  Json configurations =
      arrayOf(matrix.configurations, [](const Configuration& each) { return toDocument(each); });
  Json neighbours = Json::array();
  for (const Neighbours& each : matrix.neighbours) {
    Json diff = toDocument(each.diff, kMaxChanges);
    Json facts = Json::array();  // facts that differ between the two runs
    for (size_t i = 0; i < diff["before"].size(); ++i) {
      const Json& before = diff["before"][i];
      const Json& after = diff["after"][i];
      static const std::set<std::string> kOfTheRun{"Started", "Host", "Command", "Files"};
      if (before[1] == after[1] || kOfTheRun.contains(before[0].get<std::string>())) continue;
      facts.push_back({{"what", before[0]}, {"before", before[1]}, {"after", after[1]}});
    }
    Json& pair =
        neighbours.emplace_back(Json{{"before", matrix.configurations[each.before].name},
                                     {"after", matrix.configurations[each.after].name},
                                     {"otherSpecification", each.diff.otherSpecification()},
                                     {"facts", std::move(facts)}});
    for (const char* member :
         {"headline", "regression", "exitStatus", "warnings", "unchanged", "counts", "changes"}) {
      pair[member] = std::move(diff[member]);
    }
  }
  Json findings = arrayOf(matrix.findings, [](const Deviation& each) -> Json {
    Json drivers = arrayOf(each.drivers, [](const Deviation::OnDriver& on) -> Json {
      return {{"driver", on.driver},
              {"has", on.has},
              {"lacks", on.lacks},
              {"since", on.since},
              {"notBefore", on.notBefore},
              {"until", on.until},
              {"notAfterwards", on.notAfterwards}};
    });
    Json cells = arrayOf(each.rows, [](const Deviation::Row& row) -> Json {
      return {{"found", row.found}, {"of", row.of}};
    });
    const bool isCause = each.part == Deviation::Part::BreaksASentence;
    return {{"target", each.target},
            {"query", each.query},
            {"rule", isCause ? "" : each.rule.id},
            {"headline", each.headline},
            {"shortest", each.shortest->caseString},
            {"message", each.shortest->message},
            {"cells", std::move(cells)},
            {"drivers", std::move(drivers)}};
  });
  return {{"matrixReport", 1},
          {"linked", true},
          {"headline", headlineOf(matrix)},
          {"warnings", matrix.warnings},
          {"configurations", std::move(configurations)},
          {"neighbours", std::move(neighbours)},
          {"byOperator", toDocument(matrix.operators)},
          {"byLevel", toDocument(matrix.levels)},
          {"byRule", toDocument(matrix.rules)},
          {"findings", std::move(findings)}};
}

std::string matrixText(const ReportDocument& matrix) {
  std::string out;
  for (const Json& each : matrix.at("configurations")) {
    std::string what = each.at("problem");
    if (what.empty()) {
      const Totals totals = totalsIn(each.at("totals"));
      const double seconds = each.at("caseSeconds");
      what = counted(totals.all(), "case") + ": " + listVerdicts(totals);
      if (seconds > 0) {
        what += fmt::format("; {:.0f} cases/s", static_cast<double>(totals.all()) / seconds);
      }
      for (const char* member : {"doubt", "driver", "suite"}) {
        if (each.at(member) != "") what += "; " + each.at(member).get<std::string>();
      }
    }
    out += plainLine(each.at("name").get<std::string>() + ": " + what.substr(0, what.find('\n')));
    out += '\n';
  }
  for (const Json& each : matrix.value("warnings", Json::array())) {
    out += plainLine("warning: " + each.get<std::string>()) + '\n';
  }
  return out + matrix.at("headline").get<std::string>() + '\n';
}

}  // namespace dmlcts
