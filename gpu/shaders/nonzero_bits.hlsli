// Tests a packed input's 16-byte texels for non-zero elements, by ELEMENT_BYTES.

// The bits of a dword that make its elements non-zero: FLOAT32 and FLOAT16 have a sign that does
// not.
uint testMask() {
  return constantOf(kMarkTestMask);
}

// Returns a bit for each non-zero element of a texel.
#if ELEMENT_BYTES == 4

uint nonzeroBits(uint4 texel) {
  uint4 set = (texel & testMask()) != 0 ? uint4(1, 2, 4, 8) : 0;
  return set.x | set.y | set.z | set.w;
}

#elif ELEMENT_BYTES == 2

uint nonzeroBits(uint4 texel) {
  uint4 tested = texel & testMask();
  uint4 low = (tested & 0xFFFF) != 0 ? uint4(1, 4, 16, 64) : 0;
  uint4 high = (tested >> 16) != 0 ? uint4(2, 8, 32, 128) : 0;
  uint4 set = low | high;
  return set.x | set.y | set.z | set.w;
}

#else

// Adding ones to all of a byte's bits but the top one carries into that unless they are all 0; the
// multiplication then gathers a dword's top bits in its highest.
uint nonzeroBits(uint4 texel) {
  uint4 top = (texel | ((texel & 0x7F7F7F7F) + 0x7F7F7F7F)) & 0x80808080;
  uint4 bits = top * 0x204081 >> 28 << uint4(0, 4, 8, 12);
  return bits.x | bits.y | bits.z | bits.w;
}

#endif

static const uint kTexelElements = 16 / ELEMENT_BYTES;
