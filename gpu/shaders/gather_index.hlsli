// Index tuples: where in the input a slice begins.

// One index, sign-extended to 64 bits, at a byte address of the indices.
uint2 loadIndex(uint address) {
  uint2 index = uint2(indexBytes.Load(address), 0);
  if (constantOf(kGatherIndexBytes) == 8) {
#ifndef MUTANT_UPPER_DWORD_IGNORED
    index.y = indexBytes.Load(address + 4);
#endif
  } else if (constantOf(kGatherSigned) != 0 && (index.x >> 31) != 0) {
    index.y = ~0u;
  }
  return index;
}

// The coordinate that an index means along an axis of `size`. Negative ones count from its end.
// What is out of range has no defined result, but must stay inside the buffer: it is clamped.
uint resolveIndex(uint2 index, uint size) {
  uint coordinate = size - 1;
  if (index.y == 0) {
    coordinate = min(index.x, size - 1);
  } else if (constantOf(kGatherSigned) != 0 && (index.y >> 31) != 0) {
    coordinate = 0;
#ifndef MUTANT_NEGATIVE_NOT_WRAPPED
    if (index.y == ~0u && index.x >= 0u - size) coordinate = index.x + size;
#endif
  }
  return coordinate;
}

// What an axis of kGatherAxes adds to the place in the input, per coordinate: input units.
uint inputStride(uint4 axis) {
#ifdef MUTANT_BATCH_IGNORED
  return axis.y == 0 ? axis.w : 0;
#else
  return axis.w;
#endif
}

// The input unit at which the slice of the tuple at `address` begins.
uint sliceStart(uint address) {
  uint tupleSize = constantOf(kGatherTupleSize);
  uint start = constantOf(kGatherStart);
  for (uint i = 0; i < tupleSize; ++i) {
    uint4 axis = axisOf(kGatherTuple, i);
    uint2 index = loadIndex(address);
    start += resolveIndex(index, axis.x) * axis.y;
    address += constantOf(kGatherTupleStride);
  }
  return start;
}
