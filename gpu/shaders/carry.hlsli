// Coordinates without division. Divides `value`, a coordinate to which at most a tile's elements
// were added, by the size of its axis: what is carried to the next axis outward. Axes of 4,096 and
// more can wrap only once; for smaller ones the host chose multiplier and shift so that the
// quotient is exact below 2^14. `axis` is (size, multiplier, shift, …).
uint carry(uint value, uint4 axis) {
  return axis.x >= kTileElements ? (value >= axis.x ? 1 : 0) : (value * axis.y) >> axis.z;
}
