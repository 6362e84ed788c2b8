#include "reports/compare/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "conformance/cases/facts/query.h"
#include "conformance/cases/language/case_string.h"
#include "reference/tensor.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

std::vector<Remark> remarksOf(const nlohmann::json& note, const char* member) {
  std::vector<Remark> remarks;
  for (const nlohmann::json& each : note.value(member, nlohmann::json::array())) {
    remarks.push_back({each.at("says"), each.at("source")});
  }
  return remarks;
}

void requireUsable(const std::string& name, const Journal& journal, const Report& report) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(name + ": no journal for findings: " + why);
  };
  if (journal.headers.empty()) refuse("it is empty");
  for (const JournalHeader& header : journal.headers) {
    if (header.specification != kSpecificationEdition)
      refuse(fmt::format("its specification edition is {}, not {}", header.specification,
                         kSpecificationEdition));
    if (header.strict) refuse("its specification edition is strict");
    if (header.suiteCommit.ends_with("-dirty")) refuse("its suite has uncommitted changes");
  }
  if (report.totals[Verdict::Waived] + report.totals[Verdict::UnexpectedPass] > 0) {
    refuse("its run had expectations");
  }
  if (report.totals[Verdict::Skipped] > 0) refuse("its run skipped cases");
  if (!report.complete()) refuse("it is incomplete");
  if (report.caseCount != report.cases.size()) refuse("it has more cases than reports list");
}

// Counts the elements of all its tensors together; most for a case of another version.
uint64_t elementsOf(const JournalEntry& entry) {
  const auto testCase = caseOf(entry);
  if (!testCase) return UINT64_MAX;
  uint64_t elements = 0;
  for (const TensorSlot& slot : tensors(testCase->descriptor)) {
    elements += elementCount(slot.desc->sizes).value_or(0);
  }
  return elements;
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

using Runs = std::span<const Configuration>;

// Calls visit(run, entry) for each case of the target's runs; "" for all runs.
template <class Visit>
void forEachCase(Runs runs, const std::string& target, const Visit& visit) {
  for (size_t run = 0; run < runs.size(); ++run) {
    const auto& report = runs[run].report;
    if (!report || (!target.empty() && report->run.target != target)) continue;
    for (const JournalEntry& entry : report->cases) visit(run, entry);
  }
}

// Adds a case that shows it.
void show(Deviation& deviation, size_t run, const JournalEntry& entry) {
  deviation.rows.at(run).found += entry.count();
  deviation.rows.at(run).totals[entry.verdict] += entry.count();
  const auto order = [&](const JournalEntry& each) {
    // First come cases that show a limit, small ones, and those that are about the rule.
    return std::tuple(each.verdict == Verdict::Pass && each.observations.empty(), elementsOf(each),
                      !contains(each.rules, deviation.rule.id), each.caseString.size(),
                      std::string_view(each.caseString));
  };
  if (deviation.shortest && order(entry) >= order(*deviation.shortest)) return;
  deviation.shortestRun = run;
  deviation.shortest = &entry;
}

std::string distinctId(std::string id, const std::vector<Deviation>& all) {
  const std::string first = id;
  const auto isTaken = [&] { return std::ranges::find(all, id, &Deviation::id) != all.end(); };
  for (int number = 2; isTaken(); ++number) id = fmt::format("{}.{}", first, number);
  return id;
}

// Collects one target's failures from all runs. Runs without a failure are skipped: they may have
// run a larger tier, whose passing cases would be false counterexamples.
Report failuresOf(Runs runs, const std::string& target) {
  Report together;
  std::unordered_map<std::string_view, size_t> indexOf;
  forEachCase(runs, target, [&](size_t run, const JournalEntry& entry) {
    if (runs[run].report->failures.empty()) return;
    if (entry.verdict != Verdict::Pass && !isFailure(entry.verdict)) return;
    const auto [at, fresh] = indexOf.try_emplace(entry.caseString, together.cases.size());
    if (fresh) {
      together.cases.push_back(entry);
    } else if (isFailure(entry.verdict) && !isFailure(together.cases[at->second].verdict)) {
      // The map's key points into a report, so it stays valid.
      together.cases[at->second] = entry;
    }
  });
  for (size_t i = 0; i < together.cases.size(); ++i) {
    if (isFailure(together.cases[i].verdict)) together.failures.push_back(i);
  }
  together.clusters = findClusters(together);
  return together;
}

void addCauses(Runs runs, const std::string& target, std::vector<Deviation>& all) {
  const Report together = failuresOf(runs, target);
  for (const Cluster& cluster : together.clusters) {
    Deviation cause{.target = target,
                    .rule = cluster.rule,
                    .query = cluster.query,
                    .headline = headlineOf(cluster)};
    cause.rows.resize(runs.size());
    std::unordered_set<std::string_view> cases;
    for (size_t index : cluster.cases) cases.insert(together.cases[index].caseString);
    forEachCase(runs, target, [&](size_t run, const JournalEntry& entry) {
      const bool failed = isFailure(entry.verdict);
      if (!failed && entry.verdict != Verdict::Pass && entry.verdict != Verdict::Arguable) return;
      if (!cases.contains(entry.caseString)) return;
      cause.rows[run].of += entry.count();
      if (failed) show(cause, run, entry);
    });
    std::string id = cause.rule.broken ? cause.rule.id : cause.shortest->op;
    for (const auto& [kind, count] : cause.shortest->kinds) {
      if (!cause.rule.broken) id += "." + kind;
    }
    cause.id = distinctId(std::move(id), all);
    all.push_back(std::move(cause));
  }
}

// Adds rules that are not kept although no case fails for them.
void addUnkeptRules(Runs runs, const std::string& target, std::vector<Deviation>& all) {
  std::map<std::string, Deviation> byRule;
  forEachCase(runs, target, [&](size_t run, const JournalEntry& entry) {
    const auto add = [&](const std::string& rule, const char* headline) {
      Deviation& unkept = byRule[rule];
      unkept.rule = {rule, true};
      unkept.headline = headline;
      unkept.rows.resize(runs.size());
      // A case can break a rule that it does not exercise.
      if (!contains(entry.rules, rule)) unkept.rows[run].of += entry.count();
      show(unkept, run, entry);
    };
    const bool isArguable = entry.verdict == Verdict::Arguable;
    std::set<std::string> broken;
    if (isArguable) broken = {entry.violated.begin(), entry.violated.end()};
    if (isArguable && broken.empty()) broken = {"a rule that the journal does not name"};
    for (const std::string& rule : broken) {
      add(rule, "an inferred rule is broken, which a vendor could argue about");
    }
    for (const auto& [rule, count] : entry.observations) {
      if (!broken.contains(rule)) add(rule, "what no page promises is not kept");
    }
  });
  for (auto& [id, unkept] : byRule) {
    unkept.target = target;
    unkept.part = Deviation::Part::DocumentsAreSilent;
    for (size_t run = 0; run < runs.size(); ++run) {
      const auto& report = runs[run].report;
      if (!report || report->run.target != target) continue;
      const auto row = std::ranges::find(report->rules, id, &RuleRow::id);
      if (row == report->rules.end()) continue;
      const Totals& totals = row->totalsIn(*report);
      uint64_t& of = unkept.rows[run].of;
      of = totals.all() - notAsked(totals) + (row->is(Checked::Always) ? 0 : of);
    }
    unkept.id = distinctId(id, all);
    all.push_back(std::move(unkept));
  }
}

// Finds the versions that have the deviation, separately for each driver.
void date(Runs runs, Deviation& deviation) {
  std::map<std::string, SeenByVersion> drivers;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].report || runs[i].report->run.target != deviation.target) continue;
    const JournalHeader& run = runs[i].report->run;
    SeenInVersion& seen = drivers[driverOf(run)][versionOf(run)];
    seen.asked = seen.asked || deviation.rows[i].of > 0;
    seen.found = seen.found || deviation.rows[i].found > 0;
  }
  for (const auto& [driver, versions] : drivers) {
    Deviation::OnDriver on{spanOf(versions), driver};
    if (!on.has.empty() || !on.lacks.empty()) deviation.drivers.push_back(std::move(on));
  }
}

bool matches(const FindingNote& note, const JournalEntry& entry) {
  return !note.query || note.query->matches(parseCase(entry.caseString));
}

// A person may know the rule where the journals do not.
bool isAbout(const FindingNote& note, const Deviation& deviation) {
  const JournalEntry& shortest = *deviation.shortest;
  const bool isCause = deviation.part == Deviation::Part::BreaksASentence;
  return (note.rule.empty() || deviation.rule.id == note.rule ||
          (isCause && (contains(shortest.violated, note.rule) ||
                       (!deviation.rule.broken && contains(shortest.rules, note.rule))))) &&
         matches(note, shortest);
}

void addLimit(Runs runs, const FindingNote& note, std::vector<Deviation>& all) {
  Deviation limit{.part = Deviation::Part::Limit, .rule = {note.rule, true}};
  limit.rows.resize(runs.size());
  forEachCase(runs, "", [&](size_t run, const JournalEntry& entry) {
    if (!note.rule.empty() && !contains(entry.rules, note.rule)) return;
    if (!matches(note, entry)) return;
    show(limit, run, entry);
    limit.rows[run].of = limit.rows[run].found;
  });
  if (!limit.shortest) return;
  limit.note = &note;
  limit.id = distinctId(note.id, all);
  all.push_back(std::move(limit));
}

void addNote(const FindingNote& note, Findings& findings) {
  for (Deviation& each : findings.all) {
    if (note.limit || each.note || !isAbout(note, each)) continue;
    each.note = &note;
    if (!note.rule.empty()) each.rule = {note.rule, true};
    each.id.clear();
    each.id = distinctId(note.id, findings.all);
  }
  if (note.limit) addLimit(findings.runs, note, findings.all);
  if (std::ranges::find(findings.all, &note, &Deviation::note) == findings.all.end()) {
    throw InputError("note \"" + note.id + "\" matches no case of the journals");
  }
}

void requireSources(const Findings& findings, std::span<const FindingNote> notes) {
  for (const FindingNote& note : notes) {
    if (!note.rule.empty() && !findRule(note.rule)) {
      throw InputError("note \"" + note.id + "\": there is no rule " + note.rule);
    }
    for (const auto* remarks : {&note.text, &note.notExcluded, &note.toSettle}) {
      for (const Remark& remark : *remarks) {
        if (findRule(remark.source) ||
            std::ranges::find(findings.runs, remark.source, &Configuration::name) !=
                findings.runs.end() ||
            remark.source.starts_with("docs/") || remark.source.starts_with("reference/") ||
            remark.source.starts_with("reports/")) {
          continue;
        }
        throw InputError("note \"" + note.id + "\": \"" + remark.source +
                         "\" is no rule, no journal that was given, and nothing in docs/, "
                         "reference/ or reports/");
      }
    }
  }
}

}  // namespace

std::vector<FindingNote> readFindingNotes(const std::filesystem::path& file) {
  std::vector<FindingNote> notes;
  const nlohmann::json whole = parseJson(readInput(file), file.string());
  try {
    for (const nlohmann::json& each : whole.at("notes")) {
      notes.push_back({each.at("id"), each.at("title"), each.value("rule", ""),
                       each.contains("query")
                           ? std::optional<Query>(each["query"].get<std::string>())
                           : std::nullopt,
                       each.value("limit", false), remarksOf(each, "text"),
                       remarksOf(each, "notExcluded"), remarksOf(each, "toSettle")});
      const std::string& id = notes.back().id;
      const bool plain = !id.empty() && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      });
      if (!plain) throw InputError(file.string() + ": \"" + id + "\" is no id: a-z, 0-9 and -");
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file.string() + ": " + problemOf(error));
  }
  return notes;
}

void requireNotes(const Findings& findings) {
  for (const Deviation& each : findings.all) {
    if (each.note) continue;
    throw InputError(fmt::format("the finding {} has no note; its shortest case: {}", each.id,
                                 each.shortest->caseString));
  }
}

std::string versionOf(const JournalHeader& run) {
  return run.implementation.empty() ? run.suiteVersion : run.implementation;
}

std::string driverOf(const JournalHeader& run) {
  std::string text;
  const auto add = [&](const char* what, const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + (what + part);
  };
  add("", run.adapter);
  add("", run.driver);
  add("", run.runtime);
  add("shader model ", run.shaderModel);
  add("mode ", run.mode);
  return text.empty() ? "no driver" : text;
}

uint64_t notAsked(const Totals& totals) {
  return totals[Verdict::NotAsked] + totals[Verdict::NotSupported] + totals[Verdict::Skipped] +
         totals[Verdict::InternalError];
}

std::vector<Deviation> deviationsOf(std::span<const Configuration> runs) {
  std::vector<Deviation> all;
  std::vector<std::string> targets;  // in order of appearance
  for (const Configuration& each : runs) {
    if (!each.report || contains(targets, each.report->run.target)) continue;
    targets.push_back(each.report->run.target);
    addCauses(runs, targets.back(), all);
    addUnkeptRules(runs, targets.back(), all);
  }
  for (Deviation& each : all) date(runs, each);
  return all;
}

Findings gatherFindings(size_t journals, const ReadJournal& read,
                        std::span<const FindingNote> notes) {
  Findings findings;
  for (size_t i = 0; i < journals; ++i) {
    std::vector<Journal> one;
    one.push_back(read(i));
    const Journal& journal = one.front();
    const std::filesystem::path file(journal.name);
    const auto name =
        file.filename() == "journal.jsonl" ? file.parent_path().filename() : file.stem();
    Configuration& run = findings.runs.emplace_back(
        Configuration{.name = name.string(), .report = summarize(std::move(one))});
    requireUsable(journal.name, journal, *run.report);
  }
  requireSources(findings, notes);
  findings.all = deviationsOf(findings.runs);
  for (const FindingNote& note : notes) addNote(note, findings);
  std::ranges::stable_sort(findings.all, {}, [](const Deviation& finding) {
    uint64_t found = 0;
    for (const Deviation::Row& row : finding.rows) found += row.found;
    return std::tuple(finding.part, UINT64_MAX - found);
  });
  return findings;
}

}  // namespace dmlcts
