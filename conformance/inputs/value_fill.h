#pragma once

#include <cstdint>
#include <span>

#include "conformance/language/fill.h"
#include "conformance/language/hash.h"
#include "reference/descriptor.h"
#include "reference/element.h"

namespace dmlcts {

// The elements that a Fill puts into an input tensor. A pure function of fill, type, element count,
// seed and element index.
class ValueFill {
 public:
  ValueFill(const Fill& fill, DataType type, uint64_t elementCount, uint64_t seed);

  // Writes the bits of elements first, first + step, first + 2 * step, … (row-major), all below
  // elementCount.
  void write(uint64_t first, uint64_t step, std::span<uint64_t> bits) const;

  // Returns the 8 bytes of gap at `word`, for strided tensors. Contrasts with most elements, so
  // that reading a gap shows.
  uint64_t gap(uint64_t word) const;

 private:
  uint64_t zero(uint64_t draw) const;
  uint64_t nonzero(uint64_t draw) const;
  uint64_t nonzeroFloat(uint64_t draw) const;
  uint64_t nonzeroInteger(uint64_t draw) const;
  uint64_t denormal(uint64_t draw) const;
  uint64_t nan(uint64_t draw) const;
  uint64_t extreme(uint64_t draw) const;
  uint64_t ramp(uint64_t element) const;
  uint64_t unique(uint64_t element) const;

  const Fill& fill_;
  DataType type_;
  bool isFloat_;
  FloatFormat format_;  // if it is a float
  uint64_t one_;        // the bits of 1
  uint64_t count_;
  // Separate streams, so that a position's draw never also determines its value.
  Stream values_;
  Stream positions_;
  Stream gaps_;
  Stream blocks_;
  uint64_t firstBlock_;  // first entry of blocks_
  uint32_t width_;       // of the type in bits
  uint64_t mask_;
};

}  // namespace dmlcts
