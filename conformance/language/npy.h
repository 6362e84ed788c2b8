#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"
#include "reference/descriptor.h"

// NumPy arrays, format 1.0, in C order and little-endian; and the fills that take their elements.

namespace dmlcts {

// Writes an array. `bytes` are the packed little-endian elements.
void writeNpy(std::ostream& out, DataType type, std::span<const uint32_t> sizes,
              std::span<const uint8_t> bytes);

// Returns the elements of a file that writeNpy() or numpy.save() wrote. Throws
// std::invalid_argument, with both headers, for an array of another type, size or order.
std::vector<uint8_t> readNpy(std::string_view file, DataType type, std::span<const uint32_t> sizes);

// Returns 16 digits for an array, whoever wrote its file.
std::string npyHash(DataType type, std::span<const uint32_t> sizes, std::span<const uint8_t> bytes);

// Returns the elements of a strided tensor, packed in row-major order.
std::vector<uint8_t> packedElements(const TensorDesc& tensor, std::span<const uint8_t> bytes);

// Returns the bits of an element; 0 before the file was read.
uint64_t npyElement(const NpyFill& npy, DataType type, uint64_t element);

// Returns a fill of the case whose file was not read, or null.
const NpyFill* unreadFill(const Case& testCase);

// A file's name as a case string spells it: %XX for bytes that would end a word or an argument.
std::string spelledFile(std::string_view utf8);
// Returns the name, or "" for a text that spells none.
std::string fileSpelled(std::string_view text);

}  // namespace dmlcts
