#include "reports/journal/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "reference/rules.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal_members.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

using Shared = std::shared_ptr<const RuleIds::List>;

// Different lists that are remembered; a real journal has some hundreds.
constexpr size_t kMostShared = 10'000;

constexpr auto kByContent = [](const Shared& a, const Shared& b) { return *a < *b; };

using Json = nlohmann::json;

constexpr std::string_view kHeaderBegin = "{\"journal\":";

// Writes an object member by member, without optional members that have default values. Builds no
// JSON document, because every case writes a line.
class Put {
 public:
  template <typename T>
  void operator()(const char* member, const T& value, Member kind) {
    if (kind == Member::Optional && value == T{}) return;
    if (text_.size() > 1) text_ += ',';
    key(member);
    put(value);
  }

  std::string line() const { return text_ + '}'; }

 private:
  void key(std::string_view name) {
    put(name);
    text_ += ':';
  }
  void put(std::string_view value) {
    const bool plain = std::ranges::all_of(
        value, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain) {
      ((text_ += '"') += value) += '"';
    } else {
      text_ += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
  void put(const std::string& value) { put(std::string_view(value)); }
  void put(Verdict value) { put(name(value)); }
  void put(Occurs value) { put(name(value)); }
  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(double value) { text_ += Json(std::isfinite(value) ? value : 0.0).dump(); }
  template <std::integral Value>
  void put(Value value) {
    text_ += std::to_string(value);
  }
  void put(const Difference& value) {
    Put members;
    visitMembers(value, members);
    text_ += members.line();
  }
  void put(const RuleIds& values) { put(values.list()); }
  template <typename Value>
  void put(const std::vector<Value>& values) {
    text_ += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += ',';
      put(values[i]);
    }
    text_ += ']';
  }
  template <typename Value>
  void put(const std::map<std::string, Value>& values) {
    const char* before = "{";
    for (const auto& [name, value] : values) {
      text_ += before;
      key(name);
      put(value);
      before = ",";
    }
    text_ += values.empty() ? "{}" : "}";
  }

  std::string text_ = "{";
};

// Reads members from an object. Throws std::runtime_error with the error.
struct Take {
  const Json& json;

  template <typename T>
  void operator()(const char* member, T& value, Member kind) const {
    const auto found = json.find(member);
    if (found != json.end()) {
      take(*found, member, value);
    } else if (kind == Member::Required) {
      throw std::runtime_error(fmt::format("member \"{}\" is missing", member));
    }
  }

 private:
  static void require(bool holds, const char* member, std::string_view what) {
    if (!holds) throw std::runtime_error(fmt::format("member \"{}\" must be {}", member, what));
  }

  static void take(const Json& from, const char* member, std::string& value) {
    require(from.is_string(), member, "a string");
    value = from.get<std::string>();
  }
  static void take(const Json& from, const char* member, bool& value) {
    require(from.is_boolean(), member, "true or false");
    value = from.get<bool>();
  }
  template <std::integral Number>
  static void take(const Json& from, const char* member, Number& value) {
    require(from.is_number_unsigned() && std::in_range<Number>(from.get<uint64_t>()), member,
            std::is_signed_v<Number> ? "a whole number below 2^31"
            : sizeof(Number) == 4    ? "a whole number below 2^32"
                                     : "a whole number");
    value = from.get<Number>();
  }
  static void take(const Json& from, const char* member, double& value) {
    require(from.is_number(), member, "a number");
    value = from.get<double>();
  }
  static void take(const Json& from, const char* member, Verdict& value) {
    require(from.is_string(), member, "a string");
    const auto verdict = parseVerdict(from.get_ref<const std::string&>());
    require(verdict.has_value(), member, "a verdict that this version knows");
    value = *verdict;
  }
  static void take(const Json& from, const char* member, Occurs& value) {
    require(from.is_string(), member, "a string");
    // A later version may know more.
    value = parseOccurs(from.get_ref<const std::string&>()).value_or(Occurs::Unknown);
  }
  static void take(const Json& from, const char* member, Difference& value) {
    require(from.is_object(), member, "a list of objects");
    visitMembers(value, Take{from});
    require(
        (value.expected + value.actual).find_first_not_of("0123456789abcdef") == std::string::npos,
        member, "bits in hexadecimal digits");
  }
  template <typename Value>
  static void take(const Json& from, const char* member, std::vector<Value>& value) {
    require(from.is_array(), member, "a list");
    for (const Json& item : from) take(item, member, value.emplace_back());
  }
  static void take(const Json& from, const char* member, RuleIds& value) {
    RuleIds::List ids;
    take(from, member, ids);
    value = RuleIds(std::move(ids));
  }
  template <typename Value>
  static void take(const Json& from, const char* member, std::map<std::string, Value>& value) {
    require(from.is_object(), member, "an object");
    for (const auto& [key, item] : from.items()) take(item, member, value[key]);
  }
};

JournalHeader takeHeader(const Json& json) {
  JournalHeader header;
  // A newer version may differ in everything else.
  Take{json}("journal", header.version, Member::Required);
  if (header.version != kJournalVersion) {
    throw std::runtime_error(fmt::format(
        "journal version {}, but this dmlcts reads version {}; use the dmlcts that wrote it",
        header.version, kJournalVersion));
  }
  visitMembers(header, Take{json});
  if (header.specification.empty()) throw std::runtime_error("member \"specification\" is missing");
  if (header.shardCount > kMostShards) {
    throw std::runtime_error(
        fmt::format("shardCount {} is above {}", header.shardCount, kMostShards));
  }
  if (header.shardIndex >= header.shardCount) {
    throw std::runtime_error(fmt::format("shardIndex {} is not below shardCount {}",
                                         header.shardIndex, header.shardCount));
  }
  return header;
}

// Refuses verdicts that contradict the entry's violated rules or the run's specification edition.
void refuseContradictions(const JournalEntry& entry, const JournalHeader& header) {
  const auto refuse = [&](std::string_view what) {
    throw std::runtime_error(fmt::format("verdict {} {}", name(entry.verdict), what));
  };
  if (entry.verdict == Verdict::Pass && !(entry.violated.empty() && entry.kinds.empty())) {
    refuse("with violated rules or kinds of failure");
  }
  if (entry.verdict != Verdict::Arguable) return;
  if (header.strict) refuse("in a strict run");
  if (entry.violated.empty()) refuse("without a violated rule");
  if (header.specification != kSpecificationEdition) return;
  for (const std::string& id : entry.violated) {
    const Rule* rule = findRule(id);
    if (!rule || rule->standing != Standing::Inferred) refuse("for " + id + ", no inferred rule");
  }
}

// Refuses a case that takes whatever a local file has: ours say which content they mean. A received
// journal could carry that file's values into a bundle.
void refuseAnyContent(const JournalEntry& entry) {
  const std::string_view text = entry.caseString;
  for (size_t at = 0; (at = text.find("npy(", at)) != text.npos; ++at) {
    const std::string_view rest = text.substr(at, text.find(')', at) - at);
    if (rest.find(',') == rest.npos) {
      throw std::runtime_error("\"case\" names a file without the hash of its content");
    }
  }
}

void checkName(const char* member, const std::string& problem) {
  if (!problem.empty()) throw std::runtime_error(fmt::format("\"{}\" {}", member, problem));
}

// Refuses what could not name a file or a value in a query: bundles are folders, and drafted
// expectations have families.
void refuseNames(const JournalEntry& entry) {
  if (!entry.op.empty()) checkName("operator", whyNotName(entry.op));
  if (!entry.family.empty()) checkName("family", whyNotName(entry.family));
  if (!entry.bundle.empty()) checkName("bundle", whyNotNames(entry.bundle));
  for (const std::string& id : entry.rules) checkName("rules", whyNotName(id));
  for (const std::string& id : entry.violated) checkName("violated", whyNotName(id));
  for (const auto& [id, times] : entry.observations) checkName("observations", whyNotName(id));
}

Json parseLine(const std::string& line) {
  try {
    return parseJson(line, "");
  } catch (const InputError&) {
    if (line.find(kHeaderBegin, 1) == line.npos) throw;
    throw std::runtime_error(
        "a header follows a cut line: these journals were joined after a crash; give them as "
        "separate files");
  }
}

// `header`: that the line follows.
JournalLine takeLine(const std::string& line, std::optional<JournalHeader>& header) {
  const Json json = parseLine(line);
  if (!json.is_object()) throw std::runtime_error("not a JSON object");
  if (json.contains("journal")) {
    header = takeHeader(json);
    return *header;
  }
  if (!header) throw std::runtime_error("not a journal: its first line is not a journal header");
  if (json.contains("workerFailure")) {
    JournalWorkerFailure workerFailure;
    visitMembers(workerFailure, Take{json});
    return workerFailure;
  }
  if (json.contains("investigated")) {
    JournalInvestigation investigation;
    visitMembers(investigation, Take{json});
    return investigation;
  }
  if (json.contains("bundleOf")) {
    JournalBundle bundle;
    visitMembers(bundle, Take{json});
    checkName("bundle", whyNotNames(bundle.bundle));
    return bundle;
  }
  JournalLine taken(std::in_place_type<JournalEntry>);
  auto& entry = std::get<JournalEntry>(taken);
  visitMembers(entry, Take{json});
  refuseContradictions(entry, *header);
  refuseNames(entry);
  refuseAnyContent(entry);
  return taken;
}

bool mayBeCutHeader(const std::string& line) {
  return line.starts_with(kHeaderBegin.substr(0, line.size()));
}

// Calls `take` with each line; returns an unfinished last line.
std::optional<std::string> parseLines(std::istream& in, const std::string& name,
                                      const std::function<void(JournalLine&&)>& take) {
  std::optional<JournalHeader> header;
  std::string line;
  for (uint64_t number = 1; nextLine(in, name, line); ++number) {
    const auto where = [&](std::string_view what) {
      return InputError(fmt::format("{}:{}: {}", name, number, what));
    };
    if (in.eof() && (header || mayBeCutHeader(line))) return line;
    const auto taken = [&] {
      try {
        return takeLine(line, header);
      } catch (const std::runtime_error& error) {
        throw where(error.what());
      }
    };
    take(taken());
  }
  return std::nullopt;
}

// Returns the members as a reader gets them from `line`: invalid UTF-8 and characters that could
// control a terminal have been replaced there.
template <typename Members>
Members asRead(Members written, const std::string& line) {
  if (line.find("\uFFFD") == line.npos && !mayHide(line)) return written;
  Members read;
  const Json json = parseJson(line, "");
  visitMembers(read, Take{json});
  return read;
}

}  // namespace

RuleIds::RuleIds(List ids) {
  if (ids.empty()) return;
  static std::mutex mutex;
  static std::set<Shared, decltype(kByContent)> all;
  ids_ = std::make_shared<const List>(std::move(ids));
  const std::lock_guard lock(mutex);
  if (const auto found = all.find(ids_); found != all.end()) {
    ids_ = *found;
  } else if (all.size() < kMostShared) {
    all.insert(ids_);
  }
}

const RuleIds::List& RuleIds::list() const {
  static const List kNone;
  return ids_ ? *ids_ : kNone;
}

template <class Line>
std::string toJsonLine(const Line& line) {
  Put members;
  visitMembers(line, members);
  return members.line();
}
template std::string toJsonLine(const JournalHeader&);
template std::string toJsonLine(const JournalEntry&);
template std::string toJsonLine(const JournalWorkerFailure&);
template std::string toJsonLine(const JournalInvestigation&);
template std::string toJsonLine(const JournalBundle&);

template <class Line>
Line JournalWriter::write(Line line) {
  const std::string text = toJsonLine(line);
  file_.appendLine(text);
  return asRead(std::move(line), text);
}
template JournalEntry JournalWriter::write(JournalEntry);
template JournalWorkerFailure JournalWriter::write(JournalWorkerFailure);
template JournalInvestigation JournalWriter::write(JournalInvestigation);
template JournalBundle JournalWriter::write(JournalBundle);

JournalHeader JournalWriter::begin(JournalHeader header) {
  try {
    return write(std::move(header));
  } catch (...) {
    file_.discard();
    throw;
  }
}

void Journal::add(JournalLine&& line) {
  if (auto* header = std::get_if<JournalHeader>(&line)) {
    headers.push_back(std::move(*header));
  } else if (auto* workerFailure = std::get_if<JournalWorkerFailure>(&line)) {
    workerFailures.push_back(std::move(*workerFailure));
  } else if (auto* investigation = std::get_if<JournalInvestigation>(&line)) {
    investigations.push_back(std::move(*investigation));
  } else if (auto* bundle = std::get_if<JournalBundle>(&line)) {
    bundles[bundle->caseString] = std::move(bundle->bundle);
  } else {
    entries.push_back(std::get<JournalEntry>(std::move(line)));
    headerOf.push_back(headers.size() - 1);
  }
}

void Journal::nameBundles() {
  if (bundles.empty()) return;
  for (JournalEntry& entry : entries) {
    const auto found = bundles.find(entry.caseString);
    if (found != bundles.end()) entry.bundle = found->second;
  }
}

Journal parseJournal(std::istream& in, const std::string& name) {
  Journal journal;
  journal.name = name;
  journal.cutLine = parseLines(in, name, [&](JournalLine&& line) { journal.add(std::move(line)); });
  journal.nameBundles();
  return journal;
}

Journal readJournal(const std::filesystem::path& path) {
  return parseJournal(*openInput(path), path.string());
}

std::optional<std::string> readJournal(const std::filesystem::path& path,
                                       const std::function<void(JournalLine&&)>& take) {
  return parseLines(*openInput(path), path.string(), take);
}

}  // namespace dmlcts
