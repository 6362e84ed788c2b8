#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/run/judge.h"
#include "conformance/run/required_target.h"
#include "gpu/process/peer.h"

namespace dmlcts {

enum class Platform {
  Native,  // this system's own worker; for `directml` on Linux, Wine
  Wine,    // the Windows worker, on Wine's Direct3D 12
};

// How to start a worker for a target.
struct TargetOptions {
  std::string target = "d3d12";           // see knownTargets()
  std::optional<Platform> platform = {};  // native unless it says otherwise
  std::string adapter = "";               // index, id or part of the name; "" for the default
  bool debugLayer = false;                // Direct3D 12's
  std::string shaderModel = "";           // of our kernels, 5.1 or 6.0; "": what the device has
  std::string kernelVariant = "";         // of our kernels; "" as they are shipped
  std::string directMl = "";        // path of DirectML.dll; "" for the one that the platform has
  std::optional<bool> strict = {};  // our own kernels and the oracle, unless it says otherwise
  bool inProcess = false;           // on a thread of this process
  std::string worker = "";          // any command line that speaks the worker protocol, instead
  RequiredTarget required = {};     // what must answer
};

struct TargetInfo {
  std::string name;
  std::string description;
};

// Every target that this build can host.
std::vector<TargetInfo> knownTargets();

// The command that hosts the target. Throws std::invalid_argument for an unknown name, an
// unreadable command line, or options that are not for that target.
gpu::WorkerCommand workerCommand(const TargetOptions& options);

// What makes `dmlcts replay` ask the same target in the same mode, quoted for a shell: the options
// that are not as they are by default.
std::string replayArguments(const TargetOptions& options, const std::string& mode,
                            std::chrono::milliseconds timeout, uint32_t repeat);

// What its verdicts follow.
Strictness strictnessFor(const TargetOptions& options);

// What the target's worker says of the adapters that it could use, a line each, as it says it: text
// of unknown origin. "" when it has none, does not know the question or does not come to an end.
// Throws as workerCommand does.
std::string adapterLines(const TargetOptions& options);

// Hosts "reference" or "mutant:NAME" in this process; the exit status.
int serveOracleTarget(const std::string& target, gpu::StandardStreams streams);

}  // namespace dmlcts
