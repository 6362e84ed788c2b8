#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "conformance/run/judging/judge.h"
#include "reports/journal/folder.h"

namespace dmlcts {

// Everything that someone else needs to reproduce a failure, in one folder:
//
//   case.txt           the case string, the replay command, verdict, first differences in hex
//   environment.txt    the target's identity and this suite's version
//   INPUT.npy          each input as an array of its elements; INPUT.bytes.npy its whole buffer
//   OUTPUT.expected.npy, OUTPUT.actual.npy   each output, if there is one
//   dxdispatch.json    a model that runs the case with Microsoft's DxDispatch
//   reproducer.cpp     a program that reproduces the case on DirectML without this suite
//                      (reproducer.h), if the case can be written as one
struct Bundle {
  const PreparedCase& prepared;
  const Judgement& judgement;
  const gpu::Identity& identity;
  const gpu::Answer* answer = nullptr;  // null if there was none (crash, timeout)
  std::string shrunkFrom;               // the case string it was shrunk from, or ""
  std::string replayArguments = {};     // RunOptions
};

// Writes the bundle as Folder::replaceFolder() does; `path` is relative to the folder.
void writeBundle(const Folder& folder, const std::filesystem::path& path, const Bundle& bundle);

// False for a folder of which a file is missing or empty: a loss of power can leave that.
bool isWholeBundle(const std::filesystem::path& folder);

// Returns "DML_OPERATOR_GATHER_ND" and the like.
std::string operatorConstant(const Descriptor& descriptor);

// Literal inputs of a model. Small: inputs up to 1 KiB; others are a bundle's INPUT.bytes.npy
// files. All: every input, each at most 1 KiB.
enum class Literal { Small, All };

// Returns a model that runs the case with Microsoft's DxDispatch (microsoft/DirectML,
// DxDispatch/models/_schema.json). A case about creation only gets inputs of zeros. With
// Literal::All, returns nothing if an input is larger or a tensor too large to create.
std::optional<std::string> dxDispatchModel(const PreparedCase& prepared, Literal literal);

}  // namespace dmlcts
