// Index tuples: where in the input a slice begins.

// The upper dwords of indices of 32 bits, as if they were signed.
uint4 upperOf(uint4 indices) { return asuint(asint(indices) >> 31); }

// One index, as 64 bits, at a byte address of the indices.
uint2 loadIndex(uint address) {
  uint2 index;
  index.x = indexBytes.Load(address);
  index.y = upperOf(index.x).x;
  if (constantOf(kGatherIndexBytes) == 8) {
    index.y = indexBytes.Load(address + 4);
  }
  return index;
}

// The coordinates that indices mean along an axis of kGatherTuple. Negative ones count from its end: their
// upper dwords are all ones, those of the others 0, and so mask what is added. What is out of range has
// no defined result, but must stay inside the buffer: it is clamped.
uint4 coordinatesOf(uint4 lower, uint4 upper, uint4 axis) {
  return min(lower + (upper & axis.z), axis.x);
}

uint coordinateOf(uint2 index, uint4 axis) { return coordinatesOf(index.x, index.y, axis).x; }

// Distance in the input, in input units, per coordinate of an axis of kGatherAxes.
uint inputStride(uint4 axis) {
  return axis.w;
}

// The input unit at which the slice of the tuple at `address` begins.
uint sliceStart(uint address) {
  uint tupleSize = constantOf(kGatherTupleSize);
  uint start = constantOf(kGatherStart);
  for (uint i = 0; i < tupleSize; ++i) {
    uint4 axis = axisOf(kGatherTuple, i);
    uint2 index = loadIndex(address);
    start += coordinateOf(index, axis) * axis.y;
    address += constantOf(kGatherTupleStride);
  }
  return start;
}
