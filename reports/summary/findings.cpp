#include "reports/summary/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "conformance/cases/case_string.h"
#include "conformance/cases/query.h"
#include "reference/tensor.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

using nlohmann::json;

std::vector<Remark> remarksOf(const json& note, const char* member) {
  std::vector<Remark> remarks;
  for (const json& each : note.value(member, json::array())) {
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

bool wasAsked(const JournalEntry& entry) {
  return entry.verdict != Verdict::NotAsked && entry.verdict != Verdict::NotSupported &&
         entry.verdict != Verdict::Skipped && entry.verdict != Verdict::InternalError;
}

struct Hit {
  std::string_view rule;  // the broken rule, or empty if not known
  Deviation::Part part = Deviation::Part::BreaksASentence;
};

std::vector<Hit> hitsOf(const JournalEntry& entry) {
  std::vector<Hit> hits;
  for (const std::string& id : entry.violated) {
    if (entry.verdict != Verdict::Arguable && !isFailure(entry.verdict)) continue;
    const Rule* rule = findRule(id);
    const bool documented = rule && rule->standing == Standing::Documented;
    hits.push_back(
        {id, documented ? Deviation::Part::BreaksASentence : Deviation::Part::DocumentsAreSilent});
  }
  if (hits.empty() && isFailure(entry.verdict)) hits.push_back({});
  for (const auto& [id, count] : entry.observations) {
    hits.push_back({id, Deviation::Part::DocumentsAreSilent});
  }
  return hits;
}

// Counts the elements of all its tensors together.
uint64_t elementsOf(const JournalEntry& entry) {
  uint64_t elements = 0;
  const Case testCase = parseCase(entry.caseString);
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    elements += elementCount(slot.desc->sizes).value_or(0);
  }
  return elements;
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

class Gathering {
 public:
  Gathering(Findings& findings, std::span<const FindingNote> notes)
      : findings_(findings), notes_(notes) {
    for (const FindingNote& note : notes) {
      queries_.push_back(note.query.empty() ? std::nullopt : std::optional<Query>(note.query));
    }
  }

  void gather() {
    for (size_t run = 0; run < findings_.runs.size(); ++run) {
      for (const JournalEntry& entry : findings_.runs[run].cases) gather(run, entry);
    }
    for (const FindingNote& note : notes_) {
      if (!byName_.contains(note.id)) {
        throw InputError("note \"" + note.id + "\" matches no case of the journals");
      }
    }
    for (auto& [name, finding] : byName_) {
      countPossible(finding);
      findings_.all.push_back(std::move(finding));
    }
    std::ranges::stable_sort(findings_.all, {}, [](const Deviation& finding) {
      uint64_t found = 0;
      for (const Deviation::Row& row : finding.rows) found += row.found;
      return std::tuple(finding.part, UINT64_MAX - found);
    });
  }

 private:
  void gather(size_t run, const JournalEntry& entry) {
    std::set<const Deviation*> counted;
    for (const Hit& hit : hitsOf(entry)) {
      Deviation& finding = findingFor(entry, hit);
      if (counted.insert(&finding).second) addTo(finding, run, entry, hit);
    }
    for (size_t note = 0; note < notes_.size(); ++note) {
      if (!notes_[note].limit) continue;
      if (!notes_[note].rule.empty() && !contains(entry.rules, notes_[note].rule)) continue;
      if (!matches(note, entry)) continue;
      addTo(ofNote(note), run, entry, {notes_[note].rule, Deviation::Part::Limit});
    }
  }

  bool matches(size_t note, const JournalEntry& entry) const {
    return !queries_[note] || queries_[note]->matches(parseCase(entry.caseString));
  }

  Deviation& named(const std::string& id, const FindingNote* note) {
    const auto [at, fresh] = byName_.try_emplace(id);
    if (fresh) {
      at->second.id = id;
      at->second.note = note;
      at->second.part = Deviation::Part::Limit;
      at->second.rows.resize(findings_.runs.size());
    }
    return at->second;
  }

  Deviation& ofNote(size_t note) { return named(notes_[note].id, &notes_[note]); }

  Deviation& findingFor(const JournalEntry& entry, const Hit& hit) {
    for (size_t i = 0; i < notes_.size(); ++i) {
      const FindingNote& note = notes_[i];
      if (note.limit) continue;
      const bool maybe = hit.rule.empty() && contains(entry.rules, note.rule);
      // A note with a query explains everything that the cases break which break its rule.
      const bool too = !note.query.empty() && contains(entry.violated, note.rule);
      if (!note.rule.empty() && hit.rule != note.rule && !maybe && !too) continue;
      if (matches(i, entry)) return ofNote(i);
    }
    if (!hit.rule.empty()) return named(std::string(hit.rule), nullptr);
    std::string id = entry.op;
    for (const auto& [kind, count] : entry.kinds) id += "." + kind;
    return named(id, nullptr);
  }

  void addTo(Deviation& finding, size_t run, const JournalEntry& entry, const Hit& hit) {
    const bool first = finding.operators.empty();
    finding.part = std::min(finding.part, hit.part);
    finding.operators.insert(entry.op);
    ++finding.rows[run].found;
    ++finding.rows[run].totals[entry.verdict];
    if (finding.note && !finding.note->rule.empty()) {
      finding.rules = {finding.note->rule};
    } else if (!hit.rule.empty()) {
      finding.rules = {std::string(hit.rule)};
    } else if (first) {
      finding.rules = entry.rules;
    } else {
      std::erase_if(finding.rules,
                    [&](const std::string& id) { return !contains(entry.rules, id); });
    }
    finding.known = finding.known || !hit.rule.empty();
    const auto order = [&](const JournalEntry& each) {
      // First come cases that show a limit, small ones, and those that are about the rule.
      return std::tuple(each.verdict == Verdict::Pass && each.observations.empty(),
                        elementsOf(each),
                        finding.rules.size() == 1 && !contains(each.rules, finding.rules.front()),
                        each.caseString.size(), std::string_view(each.caseString));
    };
    if (first || order(entry) < order(*finding.shortest)) {
      finding.shortestRun = run;
      finding.shortest = &entry;
    }
  }

  // Counts the cases that could have shown the finding.
  void countPossible(Deviation& finding) const {
    const bool always = std::ranges::all_of(finding.rules, [](const std::string& id) {
      const Rule* rule = findRule(id);
      return rule && rule->checked == Checked::Always;
    });
    const auto could = [&](const JournalEntry& entry) {
      const bool isLimit =
          finding.part == Deviation::Part::Limit && entry.verdict != Verdict::InternalError;
      return (isLimit || wasAsked(entry)) &&
             (finding.known || finding.operators.contains(entry.op)) &&
             (always || std::ranges::all_of(finding.rules,
                                            [&](const std::string& id) {
                                              return contains(entry.rules, id) ||
                                                     contains(entry.violated, id);
                                            })) &&
             (!finding.note || matches(static_cast<size_t>(finding.note - notes_.data()), entry));
    };
    for (size_t run = 0; run < findings_.runs.size(); ++run) {
      finding.rows[run].of =
          static_cast<uint64_t>(std::ranges::count_if(findings_.runs[run].cases, could));
    }
  }

  Findings& findings_;
  std::span<const FindingNote> notes_;
  std::vector<std::optional<Query>> queries_;  // one per note
  std::map<std::string, Deviation> byName_;
};

void requireSources(const Findings& findings, std::span<const FindingNote> notes) {
  for (const FindingNote& note : notes) {
    if (!note.rule.empty() && !findRule(note.rule)) {
      throw InputError("note \"" + note.id + "\": there is no rule " + note.rule);
    }
    for (const auto* remarks : {&note.text, &note.notExcluded, &note.toSettle}) {
      for (const Remark& remark : *remarks) {
        if (findRule(remark.source) || contains(findings.names, remark.source) ||
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
  const json whole = parseJson(readInput(file), file.string());
  try {
    for (const json& each : whole.at("notes")) {
      notes.push_back({each.at("id"), each.at("title"), each.value("rule", ""),
                       each.value("query", ""), each.value("limit", false), remarksOf(each, "text"),
                       remarksOf(each, "notExcluded"), remarksOf(each, "toSettle")});
      const std::string& id = notes.back().id;
      const bool plain = !id.empty() && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      });
      if (!plain) throw InputError(file.string() + ": \"" + id + "\" is no id: a-z, 0-9 and -");
    }
  } catch (const json::exception& error) {
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

Findings gatherFindings(size_t journals, const ReadJournal& read,
                        std::span<const FindingNote> notes) {
  Findings findings;
  for (size_t i = 0; i < journals; ++i) {
    std::vector<Journal> one;
    one.push_back(read(i));
    const Journal& journal = one.front();
    const std::filesystem::path file(journal.name);
    findings.names.push_back(
        (file.filename() == "journal.jsonl" ? file.parent_path().filename() : file.stem())
            .string());
    Report& report = findings.runs.emplace_back(summarize(std::move(one)));
    requireUsable(journal.name, journal, report);
  }
  requireSources(findings, notes);
  Gathering(findings, notes).gather();
  return findings;
}

}  // namespace dmlcts
