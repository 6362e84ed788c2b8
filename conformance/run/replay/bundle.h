#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "conformance/run/judging/judge.h"
#include "reports/journal/folder.h"

namespace dmlcts {

// Everything that someone else needs to reproduce a failure, in one folder:
//
//   README.md          the text to paste into a bug report: case string, target, descriptor in
//                      DirectML's words, first differences in hex, rules, replay commands
//   INPUT.npy          each input as an array of its elements; INPUT.bytes.npy its whole buffer
//   OUTPUT.expected.npy, OUTPUT.actual.npy   each output, if there is one
//   dxdispatch.json    a model that runs the case with Microsoft's DxDispatch (dxdispatch.h)
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

}  // namespace dmlcts
