// Coordinates without division. Divides `value`, a coordinate to which at most a tile's elements
// were added, by the size of its axis: what is carried to the next axis outward. Axes of a tile
// and more can wrap only once; for smaller ones the host chose multiplier and shift so that the
// quotient is exact below 2^15. `axis` is (size, multiplier, shift, …).
uint carry(uint value, uint4 axis) {
  return axis.x >= kTileElements ? (value >= axis.x ? 1 : 0) : (value * axis.y) >> axis.z;
}
