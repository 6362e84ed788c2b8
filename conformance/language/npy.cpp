#include "conformance/language/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "conformance/language/hash.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr size_t kMostShown = 120;                   // of a wrong header
constexpr size_t kBeforeHeader = kMagic.size() + 2;  // the header's length

std::string headerOf(DataType type, std::span<const uint32_t> sizes) {
  const DataTypeInfo& about = info(type);
  const char kind = about.isFloat ? 'f' : about.isSigned ? 'i' : 'u';
  return fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                     about.bytes == 1 ? '|' : '<', kind, about.bytes, fmt::join(sizes, ", "),
                     sizes.size() == 1 ? "," : "");
}

// Returns what precedes the elements.
std::string beforeElements(DataType type, std::span<const uint32_t> sizes) {
  std::string text = headerOf(type, sizes);
  text.append(63 - (kBeforeHeader + text.size()) % 64, ' ');  // elements begin at a multiple of 64
  text += '\n';
  const auto length = static_cast<uint16_t>(text.size());
  text.insert(0, {static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)});
  return text.insert(0, kMagic);
}

std::string withoutBlanks(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return c == ' ' || c == '\n'; });
  return rest;
}

bool standsForItself(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && (std::isalnum(byte) || std::string_view("._-+~@:/").find(c) != size_t(-1));
}

}  // namespace

void writeNpy(std::ostream& out, DataType type, std::span<const uint32_t> sizes,
              std::span<const uint8_t> bytes) {
  out << beforeElements(type, sizes);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

std::vector<uint8_t> readNpy(std::string_view file, DataType type,
                             std::span<const uint32_t> sizes) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  if (!file.starts_with(kMagic)) refuse("is no NumPy array of format 1.0, as numpy.save writes it");
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(file[at]); };
  const size_t length = file.size() < kBeforeHeader
                            ? file.size()
                            : byte(kMagic.size()) | byte(kMagic.size() + 1) << 8;
  if (file.size() - std::min(kBeforeHeader, file.size()) < length) refuse("ends in its header");
  const std::string header = withoutBlanks(file.substr(kBeforeHeader, length));
  const std::string wanted = withoutBlanks(headerOf(type, sizes));
  if (header != wanted) {
    refuse(fmt::format("has the header {}, but the case needs {}", header.substr(0, kMostShown),
                       wanted));
  }
  const std::string_view elements = file.substr(kBeforeHeader + length);
  const uint64_t width = std::max<uint64_t>(info(type).bytes, 1);
  if (elements.size() % width != 0 || elementCount(sizes) != elements.size() / width) {
    refuse(fmt::format("has {} bytes behind the header {}", elements.size(), wanted));
  }
  return {elements.begin(), elements.end()};
}

std::string npyHash(DataType type, std::span<const uint32_t> sizes,
                    std::span<const uint8_t> bytes) {
  Fnv1a hash;
  hash.add(beforeElements(type, sizes));
  for (uint8_t byte : bytes) hash.add(byte);
  return fmt::format("{:016x}", hash.value());
}

std::vector<uint8_t> packedElements(const TensorDesc& tensor, std::span<const uint8_t> bytes) {
  const uint32_t width = info(tensor.type).bytes;
  const auto strides = elementStrides(tensor).value();
  std::vector<uint8_t> packed(elementCount(tensor.sizes).value() * width);
  uint64_t at = 0;
  ElementWalk walk(tensor.sizes, strides);
  do {
    storeBits(packed, at, width, loadBits(bytes, walk.offset() * width, width));
    at += width;
  } while (walk.next());
  return packed;
}

uint64_t npyElement(const NpyFill& npy, DataType type, uint64_t element) {
  const uint32_t width = info(type).bytes;
  if (!npy.elements || npy.elements->size() < width) return 0;
  return loadBits(*npy.elements, element % (npy.elements->size() / width) * width, width);
}

const NpyFill* unreadFill(const Case& testCase) {
  const auto isUnread = [](const auto& fill, auto kind) {
    return fill.kind == kind && !fill.npy.elements;
  };
  if (isUnread(testCase.fill, FillKind::Npy)) return &testCase.fill.npy;
  return isUnread(testCase.index, IndexKind::Npy) ? &testCase.index.npy : nullptr;
}

std::string spelledFile(std::string_view utf8) {
  std::string text;
  for (char c : utf8) {
    text +=
        standsForItself(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return text;
}

std::string fileSpelled(std::string_view text) {
  std::string name;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      if (!standsForItself(text[at])) return "";
      name += text[at];
      continue;
    }
    uint8_t byte = 0;
    const std::string_view digits = text.substr(at + 1, 2);
    const char* end = digits.data() + digits.size();
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end || !byte) {
      return "";
    }
    name += static_cast<char>(byte);
    at += 2;
  }
  return name;
}

}  // namespace dmlcts
