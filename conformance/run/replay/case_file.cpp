#include "conformance/run/replay/case_file.h"

#include <fmt/format.h>

#include <iostream>
#include <string_view>
#include <unordered_map>

#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/run/environment.h"
#include "conformance/run/judging/in_pieces.h"
#include "reports/journal/input_file.h"

namespace dmlcts {

namespace {

// Copies of all tensor bytes in memory while a case runs. Each side of the pipe has buffers, a
// frame in transit, and expected or computed bytes.
constexpr uint64_t kCopies = 8;
constexpr uint64_t kUnquestioned = uint64_t{64} << 20;  // tensor bytes; fits on any machine

constexpr size_t kMostLines = 100'000;                  // more than the default tier has
constexpr size_t kMostLength = 65536;                   // bytes of a line
constexpr size_t kMostProblems = 20;                    // named of one file
constexpr uint64_t kMostFileBytes = uint64_t{1} << 30;  // of .npy files
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Removes the comment.
std::string_view withoutComment(std::string_view line) {
  for (size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::optional<std::string> whyNotRunnable(const Case& testCase) {
  if (auto problem = caseProblem(testCase)) return problem;
  if (const NpyFill* npy = unreadFill(testCase)) return npy->file + " was not read";
  if (testCase.expect != Expect::Execute || isTooLargeForMessages(testCase)) return std::nullopt;
  uint64_t bytes = 0;  // at most 2^35 each
  for (const TensorSlot& slot : tensors(testCase.descriptor)) bytes += slot.desc->totalBytes;
  const uint64_t available = bytes > kUnquestioned ? availableMemory() : UINT64_MAX;
  if (kCopies * bytes <= available) return std::nullopt;
  return fmt::format(
      "its tensors have {:.1f} GiB; to run and judge it takes about {:.1f} GiB of memory, and "
      "{:.1f} GiB are left here",
      static_cast<double>(bytes) / (1 << 30), static_cast<double>(kCopies * bytes) / (1 << 30),
      static_cast<double>(available) / (1 << 30));
}

void NpyFiles::read(Case& testCase) {
  const auto slots = tensors(testCase.descriptor);
  if (testCase.fill.kind == FillKind::Npy) read(testCase.fill.npy, *slots[0].desc);
  if (testCase.index.kind == IndexKind::Npy) {
    read(testCase.index.npy, *slots[indicesSlot(testCase.descriptor).value()].desc);
  }
}

void NpyFiles::read(NpyFill& npy, const TensorDesc& tensor) {
  const std::filesystem::path path = folder_ / pathOf(fileSpelled(npy.file));
  const std::string name = path.string();
  File& file = files_[fmt::format("{} {} {}", npy.file, info(tensor.type).name,
                                  fmt::join(tensor.sizes, "x"))];
  if (!file.elements) {
    const std::string problem = whyNotInput(path);
    if (!problem.empty()) throw InputError(name + ": " + problem);
    if (!is_regular_file(path)) throw InputError(name + ": is a pipe, not a file");
    try {
      auto elements = readNpy(readInput(path), tensor.type, tensor.sizes);
      if ((bytes_ += elements.size()) > kMostFileBytes) {
        throw InputError(name + ": the cases' files have more than 1 GiB: split the cases");
      }
      file.hash = npyHash(tensor.type, tensor.sizes, elements);
      file.elements = std::make_shared<const std::vector<uint8_t>>(std::move(elements));
    } catch (const std::invalid_argument& error) {
      throw InputError(name + ": " + error.what());
    }
  }
  if (!npy.hash.empty() && npy.hash != file.hash) {
    throw InputError(fmt::format("{}: has changed: its hash is {}, the case string has {}", name,
                                 file.hash, npy.hash));
  }
  const std::u8string utf8 = path.generic_u8string();
  npy = {spelledFile({reinterpret_cast<const char*>(utf8.data()), utf8.size()}), file.hash,
         file.elements};
}

std::string nameOfCaseFile(const std::string& file) {
  return file == kStandardInput ? "standard input" : file;
}

std::vector<Case> readCases(const std::string& file, const CaseCheck& check) {
  const std::string name = nameOfCaseFile(file);
  if (file == kStandardInput) return parseCases(std::cin, name, check);
  return parseCases(*openInput(pathOf(file)), name, check, pathOf(file).parent_path());
}

std::vector<Case> parseCases(std::istream& in, const std::string& name, const CaseCheck& check,
                             const std::filesystem::path& folder) {
  NpyFiles files(folder);
  std::vector<Case> cases;
  std::unordered_map<std::string, size_t> lines;  // line numbers by case string
  std::string buffer(kMostLength + 1, '\0');
  size_t number = 1;
  std::vector<std::string> problems;
  const auto add = [&](const std::string& problem) {
    problems.push_back(fmt::format("{}:{}: {}", name, number, problem));
  };
  const auto fail = [&](const std::string& problem) {
    add(problem);
    throw InputError(fmt::format("{}", fmt::join(problems, "\n")));
  };
  for (; in.getline(buffer.data(), static_cast<std::streamsize>(buffer.size())); ++number) {
    if (number > kMostLines) {
      fail(fmt::format("a file of cases has at most {} lines: split it", kMostLines));
    }
    const auto length = static_cast<size_t>(in.gcount()) - (in.eof() ? 0 : 1);
    std::string_view line(buffer.data(), length);
    if (line.find('\0') != line.npos) fail("has a NUL byte: the file must be UTF-8 text");
    if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = withoutComment(line);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (problems.size() == kMostProblems) fail("is not read: there are too many problems");
    try {
      Case testCase = parseCase(line);
      files.read(testCase);
      const auto [first, isNew] = lines.emplace(caseString(testCase), number);
      if (const auto problem = check(testCase)) {
        add(*problem);
      } else if (!isNew) {
        add(fmt::format("is the case of {}:{} again: remove one", name, first->second));
      } else {
        cases.push_back(std::move(testCase));
      }
    } catch (const SyntaxError& error) {
      add(error.what());
    } catch (const InputError& error) {
      add(error.what());
    }
  }
  if (in.bad()) throw InputError(name + ": cannot be read");
  if (!in.eof()) fail(fmt::format("is longer than {} bytes", kMostLength));
  if (!problems.empty()) throw InputError(fmt::format("{}", fmt::join(problems, "\n")));
  if (cases.empty()) throw InputError(name + ": has no case string");
  return cases;
}

}  // namespace dmlcts
