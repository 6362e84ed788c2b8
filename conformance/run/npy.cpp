#include "conformance/run/npy.h"

#include <fmt/format.h>

#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Returns NumPy's name of a type: byte order, kind, width.
std::string dtype(DataType type) {
  const DataTypeInfo& about = info(type);
  const char kind = about.isFloat ? 'f' : about.isSigned ? 'i' : 'u';
  return fmt::format("{}{}{}", about.bytes == 1 ? '|' : '<', kind, about.bytes);
}

}  // namespace

void writeNpy(std::ostream& out, DataType type, std::span<const uint32_t> sizes,
              std::span<const uint8_t> bytes) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", dtype(type),
                  fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
  // Magic, version and length take 10 bytes; data starts at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());

  out.write("\x93NUMPY\x01\x00", 8);
  out.put(static_cast<char>(length & 0xFF)).put(static_cast<char>(length >> 8));
  out << header;
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
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

}  // namespace dmlcts
