// 64-bit unsigned sums, as (low, high). Shader model 5.1 has neither 64-bit integers nor the upper
// half of a product.

uint2 addWide(uint2 a, uint2 b) {
  uint low = a.x + b.x;
  return uint2(low, a.y + b.y + (low < a.x ? 1 : 0));
}

uint2 subtractWide(uint2 a, uint2 b) {
  return uint2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1 : 0));
}

uint2 multiplyWide(uint a, uint b) {
  uint low = (a & 0xFFFF) * (b & 0xFFFF);
  uint middle1 = (a >> 16) * (b & 0xFFFF);
  uint middle2 = (a & 0xFFFF) * (b >> 16);
  uint middle = middle1 + (low >> 16);  // cannot overflow: (2^16-1)^2 + 2^16-1 < 2^32
  uint middleSum = middle + middle2;
  uint carry = middleSum < middle ? 0x10000 : 0;
  return uint2((middleSum << 16) | (low & 0xFFFF),
               (a >> 16) * (b >> 16) + (middleSum >> 16) + carry);
}

// sum + a * b; the upper half is kept only where `wide`.
uint2 addProduct(uint2 sum, uint a, uint b, bool wide) {
  if (wide) {
    sum = addWide(sum, multiplyWide(a, b));
  } else {
    sum.x += a * b;
  }
  return sum;
}
