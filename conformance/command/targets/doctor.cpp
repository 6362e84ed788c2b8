#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "conformance/command/commands.h"
#include "conformance/command/targets/vulkan_drivers.h"
#include "conformance/language/nearest.h"
#include "conformance/run/environment.h"
#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "reports/journal/limits.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

// `dmlcts doctor`: checks step by step whether a target can run here, and prints what to type next.

namespace dmlcts {
namespace {

// A default run writes 50 MB, plus the bundles of its failures.
constexpr uint64_t kEnoughDisk = 300'000'000;
// For two workers and the harness.
constexpr uint64_t kEnoughMemory = 1'500'000'000;
// For a worker to start, to execute a small case, and to leave.
constexpr std::chrono::seconds kPatience{20};

class Doctor {
 public:
  explicit Doctor(std::FILE* out = stdout, bool problemsOnly = false)
      : out_(out), problemsOnly_(problemsOnly) {}

  void good(std::string_view what, const std::string& text) {
    if (!problemsOnly_) fmt::print(out_, "ok       {:<9} {}\n", what, plainLine(text));
  }
  // For parts that only some targets need.
  void absent(std::string_view what, const std::string& text, const std::string& next) {
    fmt::print(out_, "absent   {:<9} {}\n", what, plainLine(text));
    printNext(next);
  }
  // For a fault that the target avoids: runs succeed, and say so.
  void fault(std::string_view what, const std::string& text, const std::string& next) {
    fmt::print(out_, "FAULT    {:<9} {}\n", what, plainLine(text));
    printNext(next);
  }
  // `text` may be a worker's, with several lines.
  void bad(std::string_view what, const std::string& text, const std::string& next) {
    if (first_.empty()) first_ = next;
    const size_t end = std::min(text.find('\n'), text.size());
    fmt::print(out_, "PROBLEM  {:<9} {}\n{}", what, plainLine(text.substr(0, end)),
               indentedText(text.substr(std::min(end + 1, text.size()))));
    printNext(next);
  }
  bool healthy() const { return first_.empty(); }
  // The first command to type.
  const std::string& first() const { return first_; }

 private:
  void printNext(const std::string& next) {
    if (!next.empty()) fmt::print(out_, "{:<18} next: {}\n", "", next);
  }

  std::FILE* out_;
  bool problemsOnly_;
  std::string first_;
};

#ifndef _WIN32
void checkVulkan(Doctor& doctor) {
  const VulkanSetUp vulkan = vulkanSetUp();
  if (vulkan.problem.empty()) {
    doctor.good("loader", "Vulkan " + vulkan.loader);
  } else {
    doctor.bad("loader", vulkan.problem, "apt-get install libvulkan1");
  }
  size_t loadable = 0;
  for (const VulkanDriver& driver : vulkan.drivers) {
    if (!driver.problem.empty()) continue;
    ++loadable;
    doctor.good("driver", fmt::format("{} ({})", driver.manifest, driver.library));
  }
  // The loader ignores a driver that it cannot load.
  std::string problems;
  for (const VulkanDriver& driver : vulkan.drivers) {
    if (driver.problem.empty()) continue;
    const std::string problem = fmt::format("{}: {}", driver.manifest, driver.problem);
    problems += (problems.empty() ? "" : "; ") + problem;
    if (loadable == 0 && !vulkan.chosenBy.empty()) continue;
    doctor.absent("driver", problem, "install the driver's libraries, or remove the file");
  }
  if (loadable > 0) return;
  if (!vulkan.chosenBy.empty()) {
    doctor.bad("driver",
               fmt::format("{} leaves no Vulkan driver{}{}", vulkan.chosenBy,
                           problems.empty() ? "" : ": ", problems),
               "unset VK_DRIVER_FILES VK_ICD_FILENAMES, or name an installed driver in it");
  } else {
    doctor.bad("driver", "no Vulkan driver is installed",
               "apt-get install mesa-vulkan-drivers (a CPU driver, among others)");
  }
}
#endif

void checkDirectMl(Doctor& doctor) {
  try {
    workerCommand({.target = "directml"});
    doctor.good("DirectML", "set up; dmlcts doctor --target directml tries it");
  } catch (const std::invalid_argument& error) {
    doctor.absent("DirectML", error.what(), "gpu/directml/setup, for --target directml");
  }
}

// Runs one executable case of each operator.
void checkCases(Doctor& doctor, Lane& lane, const TargetOptions& options) {
  ScheduleOptions smoke;
  smoke.tier = "smoke";
  std::set<std::string_view> seen;
  const Schedule schedule = chooseCases(smoke);
  for (const ScheduledCase& each : schedule.cases) {
    if (each.testCase.expect != Expect::Execute) continue;
    const std::string_view op = operatorName(each.testCase.descriptor);
    if (!seen.insert(op).second) continue;
    const Judgement judgement = lane.tryCase(each.testCase).judgement;
    if (judgement.verdict == Verdict::Pass) {
      doctor.good("shader", fmt::format("{} executed, with the right result", op));
    } else if (judgement.verdict == Verdict::Arguable) {
      doctor.good("shader", fmt::format("{} executed, with an arguable result", op));
    } else {
      doctor.bad("shader", fmt::format("{}: {} {}", op, name(judgement.verdict), judgement.message),
                 replayLine(replayArguments(options, "", LaneOptions().timeout, 1), each.text));
      if (judgement.verdict == Verdict::Timeout) return;  // the others would cost as much
    }
  }
}

void checkTarget(Doctor& doctor, const TargetOptions& options) {
  const std::string targets = options.worker.empty()
                                  ? "dmlcts targets"
                                  : "dmlcts targets --worker " + shellWord(options.worker);
  const std::string start = "give --worker a command that starts";
  try {
    LaneOptions lane{workerCommand(options)};
    lane.strictness = strictnessFor(options);
    lane.required = options.required;
    lane.timeout = kPatience;
    lane.startTimeout = lane.leaveTimeout = options.startTimeout.value_or(kPatience);
    Lane worker(lane);
    const gpu::Identity& identity = worker.identity();
    doctor.good("worker", fmt::format("{}, {}", identity.target, identity.implementation));
    std::string device = identity.adapter;
    for (const std::string& more : {identity.driver, identity.runtime}) {
      if (!more.empty()) device += "; " + more;
    }
    if (!identity.shaderModel.empty()) device += "; shader model " + identity.shaderModel;
    doctor.good("device", device);
    if (const auto level = identity.limits.find(limit::kReportedLevel);
        level != identity.limits.end()) {
      doctor.good("level", fmt::format("{}, which is newer than this suite: asked up to {}",
                                       level->second, name(identity.maxLevel)));
    }
    if (const auto fault = identity.limits.find(limit::kDriverFault);
        fault != identity.limits.end()) {
      if (lane.strictness == Strictness::Strict) {
        doctor.bad("driver", fault->second, "another version of the driver, or --no-strict");
      } else {
        doctor.fault("driver", fault->second, "another version of the driver");
      }
    }
    checkCases(doctor, worker, options);
  } catch (const WorkerStartError& error) {
    doctor.bad("device", error.what(),
               !doctor.healthy()        ? "as above"
               : options.worker.empty() ? targets
                                        : start);
  } catch (const WrongTarget& error) {
    doctor.bad("device", error.what(), targets + ", for what answers");
  } catch (const std::invalid_argument& error) {  // what the worker says of its options
    doctor.bad("worker", error.what(), targets);
  } catch (const std::runtime_error& error) {
    doctor.bad("worker", error.what(),
               options.worker.empty() ? "cmake --build build --target dmlcts-worker" : start);
  }
}

// False where the options name nothing that could be asked.
bool checkOptions(Doctor& doctor, const TargetOptions& options) {
  const std::vector<TargetInfo> known = knownTargets();
  if (options.worker.empty() &&
      std::ranges::find(known, options.target, &TargetInfo::name) == known.end()) {
    std::vector<std::string_view> names;
    for (const TargetInfo& each : known) names.push_back(each.name);
    doctor.bad("target",
               fmt::format("no target \"{}\"{}", options.target, didYouMean(options.target, names)),
               "dmlcts targets --all");
    return false;
  }
  try {
    workerCommand(options);
    return true;
  } catch (const std::invalid_argument& error) {
    doctor.bad("worker", error.what(),
               options.target == "directml" && options.worker.empty() ? "gpu/directml/setup"
                                                                      : "dmlcts doctor --help");
    return false;
  }
}

bool isWritable([[maybe_unused]] const std::filesystem::path& folder) {
#ifdef _WIN32
  return true;
#else
  return ::access(folder.c_str(), W_OK) == 0;
#endif
}

void checkRoom(Doctor& doctor, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(folder, error);
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
  const uint64_t free = std::filesystem::space(place, error).available;
  const auto gigabytes = [](uint64_t bytes) { return static_cast<double>(bytes) / 1e9; };
  const std::string disk = fmt::format("{:.1f} GB free in {}", gigabytes(free), place.string());
  if (error) {
    doctor.bad("disk", place.string() + ": " + error.message(), "dmlcts run --report ELSEWHERE");
  } else if (!std::filesystem::is_directory(place, error)) {
    doctor.bad("disk", place.string() + " is not a folder", "dmlcts run --report ELSEWHERE");
  } else if (!isWritable(place)) {
    doctor.bad("disk", place.string() + " cannot be written in", "dmlcts run --report ELSEWHERE");
  } else if (free < kEnoughDisk) {
    doctor.bad("disk", disk, "dmlcts run --report ELSEWHERE");
  } else {
    doctor.good("disk", disk);
  }
  const uint64_t memory = availableMemory();
  if (memory == UINT64_MAX) return;
  const std::string text = fmt::format("{:.1f} GB free", gigabytes(memory));
  if (memory < kEnoughMemory) {
    doctor.bad("memory", text, "dmlcts run --jobs 1");
  } else {
    doctor.good("memory", text);
  }
}

}  // namespace

bool printMissing([[maybe_unused]] const TargetOptions& options, std::FILE* out) {
  Doctor doctor(out, true);
#ifndef _WIN32
  if (options.worker.empty() && options.target == "d3d12") checkVulkan(doctor);
#endif
  return !doctor.healthy();
}

void addDoctorCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("doctor", "Check that a target can run here, or say what to type");
  auto options = std::make_shared<TargetOptions>();
  auto folder = std::make_shared<std::string>("report");
  addTargetOptions(*command, *options);
  withDefault(*command, "--report", *folder, "folder that a run would write to");
  command->callback([options, folder, &context] {
    Doctor doctor;
    const bool ours = options->worker.empty() && options->target == "d3d12";
    // Whatever happens to one check, the others follow, and the verdict.
    const auto check = [&](const char* what, const auto& checks) {
      try {
        checks();
      } catch (const std::exception& error) {
        doctor.bad(what, error.what(), "dmlcts doctor --help");
      }
    };
#ifndef _WIN32
    if (ours) check("driver", [&] { checkVulkan(doctor); });
#endif
    bool askable = false;
    check("worker", [&] { askable = checkOptions(doctor, *options); });
    if (askable) check("worker", [&] { checkTarget(doctor, *options); });
    if (ours) check("DirectML", [&] { checkDirectMl(doctor); });
    check("disk", [&] { checkRoom(doctor, pathOf(*folder)); });
    std::string run = "dmlcts run";
    if (const std::string same = replayArguments(*options, "", LaneOptions().timeout, 1);
        same != "--target d3d12") {
      run += " " + same;
    }
    if (*folder != "report") run += " --report " + shellWord(*folder);
    fmt::print("\n{}\n", doctor.healthy() ? "All that a run needs is here: " + run
                                          : "No run can succeed here. First: " + doctor.first());
    context.status = doctor.healthy() ? kAsExpected : askable ? kHarnessFailure : kBadUsage;
  });
}

}  // namespace dmlcts
