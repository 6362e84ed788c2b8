#include "reports/test/sample_journals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "conformance/facts/rules_of.h"
#include "conformance/facts/traits.h"
#include "conformance/language/case_string.h"
#include "conformance/tiers/tiers.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr std::array<std::string_view, 8> kTypes{"f32", "f16", "i32", "i16",
                                                 "i8",  "u32", "u16", "u8"};
constexpr std::array<std::string_view, 4> kLevelNames{"2.1", "3.0", "4.0", "6.4"};
constexpr std::array<std::string_view, 4> kFamilies{"matrix", "layouts", "values", "sizes"};

// A verdict for the i-th case: mostly Pass, sometimes each of the others.
Verdict verdictOf(size_t i) {
  if (i % 199 == 50) return kVerdicts[i / 199 % kVerdicts.size()];
  return i % 211 == 100 ? Verdict::NotSupported : Verdict::Pass;
}

std::vector<std::string> sampleRules(std::string_view op, Level level, bool executed, size_t i) {
  std::vector<std::string> ids;
  for (const Rule& rule : rules()) {
    if (!rule.id.starts_with(op) || !rule.holdsAt(level)) continue;
    if (rule.checked == (executed ? Checked::ByExecuting : Checked::ByRejecting)) {
      ids.emplace_back(rule.id);
    }
  }
  if (executed || ids.empty()) return ids;
  return {ids[i % ids.size()]};
}

void describe(JournalEntry& entry, size_t i) {
  // The messages of verdicts that list no difference.
  static const std::map<Verdict, std::string> kMessages{
      {Verdict::Pass, ""},
      {Verdict::NotSupported, "CheckFeatureSupport(NATIVE_16BIT_SHADER_OPS) says no"},
      {Verdict::NotAsked, "accepted a descriptor that breaks gather_nd.rank-2.1"},
      {Verdict::Skipped, "takes the machine down"},
      {Verdict::Waived, "expected: denormals are flushed"},
      {Verdict::Vacuous, "the output has no defined byte"}};
  entry.levelOnly = entry.verdict == Verdict::NotAsked;
  if (const auto message = kMessages.find(entry.verdict); message != kMessages.end()) {
    entry.message = message->second;
    return;
  }
  const std::string& hostile = hostileStrings()[i % hostileStrings().size()];
  entry.message = "2 of 24 elements differ " + hostile;
  if (entry.verdict == Verdict::Arguable) entry.violated = {entry.op + ".float32-denormals"};
  if (entry.verdict == Verdict::Crash) {
    entry.workerStderr = "before \x1B[31mred\x1B[0m " + hostile;
  }
  entry.differences = {{"output", {0, 0, 1}, 4, "3f800000", "00000000", "not written"},
                       {"output", {0, 1, 1}, 20, "40000000", "3f800000", ""}};
  entry.kinds = {{"wrong-elements", 2}};
  entry.attempts = {"Fail", "Fail"};
  entry.bundle = fmt::format("bundles/{}", i);
}

JournalEntry sampleEntry(size_t i) {
  const bool gather = i % 3 != 0;
  JournalEntry entry;
  entry.op = gather ? "gather_nd" : "nonzero_coordinates";
  entry.level = kLevelNames[i / 3 % kLevelNames.size()];
  entry.type = kTypes[i / 7 % kTypes.size()];
  const bool fixedRank = entry.level == "2.1" || (entry.level == "3.0" && !gather);
  entry.rank = static_cast<uint32_t>(fixedRank ? 4 : 1 + i / 5 % 8);
  entry.family = kFamilies[i / 11 % kFamilies.size()];
  entry.executed = i % 4 != 0 && !(entry.level == "2.1" && !gather);
  entry.verdict = verdictOf(i);
  entry.seconds = 0.0004 + 0.00001 * static_cast<double>(i % 97);
  std::string sizes = std::to_string(1 + i % 5);
  for (uint32_t axis = 1; axis < entry.rank; ++axis) {
    sizes += fmt::format("x{}", 1 + (i >> axis) % 4);
  }
  entry.caseString =
      fmt::format("{} level={} input={}:{} {}fill={} seed={}", entry.op, entry.level, entry.type,
                  sizes, gather ? "indices=i64:1x2 " : "", i % 2 == 0 ? "mixed" : "ramp", i);
  entry.rules = sampleRules(entry.op, *parseLevel(entry.level), entry.executed, i / 4);
  describe(entry, i);
  return entry;
}

}  // namespace

const std::vector<std::string>& hostileStrings() {
  static const std::vector<std::string> all{
      "</script><img src=x onerror=alert(1)>",
      "<!--<script>",
      "]]> & \"quotes\" 'single' <b>",
      "line separators \xE2\x80\xA8 and \xE2\x80\xA9",
      std::string("nul \0 bell \a escape \x1B[2J csi \xC2\x9B"
                  "2J\0",
                  34),
      "not UTF-8: \xFF\xC0\x80\xED\xA0\x80 cut \xE2\x82",
      "right-to-left \xE2\x80\xAE override",
      "`ticks` ``` | pipe | **bold** [link](x) @user #1",
      "new\nline\r\nand\ttab",
      "$(reboot) `reboot` 'x' \"y\" \\ %PATH% !h",
      "{{data}} {{script}}",
      "a | [x](https://evil.example) <img src=//evil.example onerror=alert(1)>",
      "@evil #1 www.evil.example ![x](//evil.example) **bold** ~~gone~~ <!-- evil",
      "| evil |\n| --- |\n# evil\n- evil\n> evil\n1. evil",
      "evil`evil``evil```evil",
      "noncharacters \xEF\xBF\xBE \xEF\xBF\xBF",
  };
  return all;
}

std::vector<Journal> sampleJournals(size_t cases, uint32_t shards) {
  std::vector<Journal> journals(shards);
  for (size_t i = 0; i < cases; ++i) {
    Journal& journal = journals[i % shards];
    journal.entries.push_back(sampleEntry(i));
    journal.headerOf.push_back(0);
  }
  for (const std::string& text : cases == 0 ? std::vector<std::string>() : hostileStrings()) {
    JournalEntry entry = sampleEntry(1);
    entry.caseString += " " + text;
    entry.verdict = Verdict::Fail;
    entry.message = text;
    entry.workerStderr = text;
    entry.differences = {{"output", {0}, 0, "00", "01", text}, {.note = text}};
    journals[0].entries.push_back(entry);
    journals[0].headerOf.push_back(0);
    journals[0].workerFailures.push_back({"between cases", Verdict::Crash, text, text});
  }
  std::map<std::string, uint64_t> tierCases;
  for (const Journal& journal : journals) {
    for (const JournalEntry& entry : journal.entries) ++tierCases[entry.op + " " + entry.level];
  }
  for (uint32_t i = 0; i < shards; ++i) {
    JournalHeader header;
    header.suiteVersion = "0.1.0";
    header.suiteCommit = "0123456789abcdef0123456789abcdef01234567";
    header.commandLine = "dmlcts run --target d3d12 --level 4.0";
    header.host = "Linux x86_64";
    header.startedAt = "2024-05-01T10:00:00Z";
    header.tier = "default";
    header.tierCases = tierCases;
    header.seed = 0xFFFF'FFFF'FFFF'FFFF;
    header.shardIndex = i;
    header.shardCount = shards;
    header.plannedCases = journals[i].entries.size();
    header.planHash = "5f2c9a10b3d4e6f7";
    header.target = "d3d12";
    header.adapter = "Sample Adapter 9000 <b>&";
    header.vendorId = 0x10DE;
    header.deviceId = 0x2335;
    header.driver = "sample 31.0.15.1234";
    header.runtime = "libvkd3d 1.2";
    header.implementation = "dmlcts kernels 0.1.0";
    header.maxLevel = "6.4";
    header.limits = {{"MaxBufferBytes", "4294967296"}, {"WaveLanes", "32"}};
    header.files = {{"libvkd3d.so <1>", std::string(64, 'a')}, {"driver.so", std::string(64, 'b')}};
    journals[i].headers = {header};
    journals[i].name = fmt::format("shard{}.jsonl", i);
  }
  return journals;
}

const std::vector<std::pair<Case, JournalEntry>>& passedCases() {
  static const auto all = [] {
    std::vector<std::pair<Case, JournalEntry>> passed;
    for (size_t i = 0; const Case& each : cases(Tier::Smoke)) {
      if (i++ % 2 != 0) continue;
      const auto slots = tensors(each.descriptor);
      JournalEntry entry;
      entry.caseString = caseString(each);
      entry.family = each.family;
      entry.op = operatorName(each.descriptor);
      entry.level = name(each.level);
      entry.type = info(slots[0].desc->type).name;
      entry.rank = static_cast<uint32_t>(slots[0].desc->sizes.size());
      entry.executed = each.expect == Expect::Execute;
      if (entry.executed) entry.has = wordsOf(inputFactsOf(each)->traits);
      const auto rules = rulesOf(each);
      entry.rules = RuleIds::List(rules.begin(), rules.end());
      entry.verdict = Verdict::Pass;
      passed.emplace_back(each, std::move(entry));
    }
    return passed;
  }();
  return all;
}

JournalEntry executed(std::string caseString, Verdict verdict, double seconds) {
  JournalEntry entry;
  entry.caseString = std::move(caseString);
  entry.family = "matrix";
  entry.op = "gather_nd";
  entry.level = "4.0";
  entry.type = "f32";
  entry.rank = 3;
  entry.executed = true;
  entry.verdict = verdict;
  entry.seconds = seconds;
  return entry;
}

Journal journalOf(std::vector<JournalEntry> entries, JournalHeader header) {
  Journal journal;
  journal.name = "journal.jsonl";
  if (header.target.empty()) header.target = "d3d12";
  if (!header.tier.empty() && header.tierCases.empty()) {
    for (const JournalEntry& each : entries) ++header.tierCases[each.op + " " + each.level];
  }
  header.plannedCases = std::max<uint64_t>(header.plannedCases, entries.size());
  journal.headers = {std::move(header)};
  journal.headerOf.assign(entries.size(), 0);
  journal.entries = std::move(entries);
  return journal;
}

const ComplianceRow& levelOf(const Report& report, std::string_view op, std::string_view level) {
  for (const ComplianceRow& row : report.compliance) {
    if (row.op == op && row.level == level) return row;
  }
  throw std::logic_error("no such level");
}

const RuleRow& ruleOf(const Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.rules, id, &RuleRow::id);
  if (found == report.rules.end()) throw std::logic_error("no such rule");
  return *found;
}

}  // namespace dmlcts
