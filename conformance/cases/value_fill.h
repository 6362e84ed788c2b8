#pragma once

#include <cstdint>
#include <span>

#include "conformance/cases/fill.h"
#include "conformance/cases/hash.h"
#include "reference/descriptor.h"
#include "reference/element.h"

namespace dmlcts {

// What a Fill puts into each element of an input tensor. A pure function of fill, type, element
// count, seed and element index.
class ValueFill {
 public:
  ValueFill(const Fill& fill, DataType type, uint64_t elementCount, uint64_t seed);

  // Writes the bits of the elements first, first + step, first + 2 * step, … (indices with the last
  // dimension fastest), all below elementCount.
  void write(uint64_t first, uint64_t step, std::span<uint64_t> bits) const;

  // What lies between the elements of a strided tensor: the opposite of what the elements mostly
  // are, so that reading a gap shows. 8 bytes for each `word`.
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
  FloatFormat format_;  // where it is one
  uint64_t one_;        // the bits of 1
  uint64_t count_;
  // Several streams, so that what decides a position never decides its value too.
  Stream values_;
  Stream positions_;
  Stream gaps_;
  Stream blocks_;
  uint64_t firstBlock_;  // of blocks_
  uint32_t width_;       // of the type, in bits
  uint64_t mask_;
};

}  // namespace dmlcts
