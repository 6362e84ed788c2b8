// What the kernels that make the mask share. Their constants begin alike: see layout.h.

static const uint kTileWords = kTileElements / 32;

// The bits of a dword that make its elements non-zero: FLOAT32 and FLOAT16 have a sign that does
// not.
uint testMask() {
#ifdef MUTANT_MINUS_ZERO_COUNTED
  return ~0u;
#else
  return constantOf(kMarkTestMask);
#endif
}

// A word of the mask as it is stored.
uint asStored(uint mask, uint word) {
#ifdef MUTANT_TILE_END_LOST
  if (word % kTileWords == kTileWords - 1) mask &= 0x7FFFFFFF;
#endif
  return mask;
}
