#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/target_identity.h"
#include "gpu/process/peer.h"

namespace dmlcts {

enum class Platform {
  Native,  // this system's own worker; for `directml` on Linux, Wine
  Wine,    // the Windows worker, on Wine's Direct3D 12
};

// Options for starting a target's worker.
struct TargetOptions {
  std::string target = "d3d12";           // see knownTargets()
  std::optional<Platform> platform = {};  // native by default
  std::string adapter = "";               // index, id or part of the name; "" for the default
  bool debugLayer = false;                // Direct3D 12's
  std::string shaderModel = "";           // for our kernels, 5.1 or 6.0; "": what the device has
  std::string directMl = "";        // path or, off Windows, version of DirectML; "": the platform's
  std::optional<bool> strict = {};  // by default true only for d3d12 and reference
  bool inProcess = false;           // on a thread of this process
  std::optional<std::chrono::milliseconds> startTimeout = {};  // see setDeadlines()
  std::string worker = "";       // any command line that speaks the worker protocol, instead
  RequiredTarget required = {};  // the required identity
};

struct TargetInfo {
  std::string name;
  std::string description;
};

// Returns every target that this build can host.
std::vector<TargetInfo> knownTargets();

// Finds a script for Windows programs in the source tree above this program. Throws
// std::invalid_argument where that tree is not set up, and on Windows.
std::string wineScript(const std::filesystem::path& script);

// Returns the command that hosts the target. Throws std::invalid_argument for an unknown name, an
// unreadable command line, or options that do not fit the target.
gpu::WorkerCommand workerCommand(const TargetOptions& options);

// Returns the options that make `dmlcts replay` ask the same target in the same mode, quoted for a
// shell. Apart from --target or --worker, defaults are left out.
std::string replayArguments(const TargetOptions& options, const std::string& mode,
                            std::chrono::milliseconds timeout, uint32_t repeat);

// Returns how strictly the target's verdicts are judged.
Strictness strictnessFor(const TargetOptions& options);

// Returns the worker's list of usable adapters, one per line: text of unknown origin. "" if it has
// none, does not know the option or does not end in time. Throws as workerCommand does.
std::string adapterLines(const TargetOptions& options);

// Output of a program that ended, or was stopped after a minute or for printing without end.
struct Printed {
  std::string out;
  std::string err;  // its last 64 KiB
  gpu::Ending ending;
};
Printed printedBy(const gpu::WorkerCommand& command);

// Hosts "reference" or "mutant:NAME" in this process; the exit status.
int serveOracleTarget(const std::string& target, gpu::StandardStreams streams);

}  // namespace dmlcts
