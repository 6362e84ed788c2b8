#include "gpu/worker/host.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gpu/d3d12/platform/adapter.h"
#include "gpu/d3d12/target.h"
#include "gpu/directml/target.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/worker/serve.h"

namespace dmlcts::gpu {
namespace {

struct Arguments {
  std::string target = "d3d12";
  D3D12Options d3d12;
  DirectMlOptions directMl;
  bool adapters = false;
};

std::vector<std::string> modeMutantNames() {
  std::vector<std::string> names;
  for (const ModeMutant& mutant : kModeMutants) names.emplace_back(mutant.name);
  return names;
}

std::vector<std::string> targetNames() {
#ifdef _WIN32
  return {"d3d12", "directml"};
#else
  return {"d3d12"};
#endif
}

void describe(CLI::App& app, Arguments& arguments) {
  app.add_option("--target", arguments.target, "what to host")
      ->check(CLI::IsMember(targetNames()))
      ->capture_default_str();
  app.add_option("--adapter", arguments.d3d12.adapter,
                 "index, id (a LUID like 0xc3f1, or a UUID) or part of the name; see --adapters")
      ->option_text("WHICH [the default adapter]");
  app.add_flag("--debug-layer", arguments.d3d12.debugLayer,
               "Direct3D 12's debug layer, its messages on stderr");
  app.add_option("--mode-mutant", arguments.d3d12.modeMutant,
                 "execute one mode wrongly on purpose, to test the harness")
      ->check(CLI::IsMember(modeMutantNames()));
  app.add_option_function<std::string>(
         "--shader-model",
         [&arguments](const std::string& model) {
           arguments.d3d12.shaderModel =
               model == name(ShaderModel::Sm5_1) ? ShaderModel::Sm5_1 : ShaderModel::Sm6_0;
         },
         "of our kernels: 5.1 is DXBC, 6.0 is DXIL; without, 6.0 where the device has it")
      ->check(CLI::IsMember({"5.1", "6.0"}));
  app.add_flag_callback(
      "--low-limits", [&arguments] { arguments.d3d12.limits = PlanLimits::low(); },
      "plan for views of 128 KiB and dispatches of 3 groups, as for huge tensors");
#ifdef _WIN32
  app.add_option("--directml", arguments.directMl.library,
                 "path of DirectML.dll; the one that Windows finds when left out")
      ->check(CLI::ExistingFile)
      ->take_last();
#endif
  app.add_flag("--adapters", arguments.adapters, "print this system's adapters, and leave");
}

int listAdapters() {
  std::printf("%s", describe(adapters()).c_str());
  return kExitDone;
}

std::unique_ptr<Target> makeTarget(Arguments& arguments) {
#ifdef _WIN32
  if (arguments.target == "directml") {
    arguments.directMl.adapter = arguments.d3d12.adapter;
    arguments.directMl.debugLayer = arguments.d3d12.debugLayer;
    arguments.directMl.modeMutant = arguments.d3d12.modeMutant;
    return makeDirectMlTarget(arguments.directMl);
  }
#endif
  return makeD3D12Target(arguments.d3d12);
}

}  // namespace

int host(int argc, const char* const* argv, const std::function<StandardStreams()>& take) {
  Arguments arguments;
  CLI::App app("Hosts a target under test for dmlcts, on stdin and stdout.", "dmlcts-worker");
  describe(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::printf("%s", app.help().c_str());
    return kExitDone;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "dmlcts-worker: %s\n", error.what());
    return kExitMalformed;
  }
  if (arguments.adapters) return listAdapters();

  const StandardStreams streams = take();
  return serve([&] { return makeTarget(arguments); }, *streams.in, *streams.out);
}

}  // namespace dmlcts::gpu
