// Any bytes are read, or refused as documented, by each reader of a short text or a frame.

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"
#include "conformance/language/npy.h"
#include "conformance/run/expectations/expectations.h"
#include "fuzz/database.h"
#include "fuzz/libfuzzer/one_second.h"
#include "gpu/wire/protocol.h"

namespace {

using namespace dmlcts;

// Matching terminates.
void readQuery(std::string_view text) {
  static const Case kCase = parseCase(
      "gather_nd level=3.0 input=f32:3x4x5 indices=i64:1x2x3 output=1x1x2 index=negative seed=1");
  try {
    Query(text).matches(kCase);
  } catch (const SyntaxError&) {
  }
}

// An error names the file.
void readExample(std::string_view text) {
  try {
    parseExample(std::string(text), "file");
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("file:")) std::abort();
  }
}

void readArray(std::string_view file) {
  const std::vector<uint32_t> sizes{2, 3};
  try {
    const auto elements = readNpy(file, DataType::Float32, sizes);
    std::ostringstream again;
    writeNpy(again, DataType::Float32, sizes, elements);
    if (readNpy(again.view(), DataType::Float32, sizes) != elements) std::abort();
  } catch (const std::invalid_argument&) {
  }
  const std::string name = fileSpelled(file);
  if (!name.empty() && fileSpelled(spelledFile(name)) != name) std::abort();
}

void readExpectations(std::string_view text) {
  try {
    Expectations::parse(text, "expectations", {});
  } catch (const std::runtime_error&) {
  }
}

// In either direction.
void readFrame(std::span<const uint8_t> payload) {
  try {
    gpu::ProgramState program;
    gpu::decodeOrder(payload, program);
  } catch (const gpu::ProtocolError&) {
  }
  try {
    gpu::decodeReply(payload);
  } catch (const gpu::ProtocolError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OneSecond limit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  readQuery(text);
  readExample(text);
  readArray(text);
  readExpectations(text);
  readFrame({data, size});
  return 0;
}
