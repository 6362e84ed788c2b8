// A picture of a tensor's elements in memory.

const typeBytes = {f32: 4, f16: 2, u32: 4, u16: 2, u8: 1, i32: 4, i16: 2, i8: 1, f64: 8, u64: 8, i64: 8};

const packedStrides = (sizes) =>
  sizes.map((_, axis) => sizes.slice(axis + 1).reduce((product, size) => product * size, 1));

// One more than the highest address, in elements.
const addressSpan = ({sizes, strides}) => (sizes.includes(0) ? 0
  : sizes.reduce((end, size, axis) => end + (size - 1) * (strides || packedStrides(sizes))[axis], 1));

const cellsShown = 192;

// Returns the number of elements at each of the first addresses, and the first of these; undefined
// for empty tensors.
function occupation({sizes, strides}) {
  if (sizes.length === 0 || sizes.some((size) => size === 0)) return undefined;
  const steps = strides || packedStrides(sizes);
  const cells = new Map();
  const coordinate = sizes.map(() => 0);
  for (let index = 0; index < 20000; ++index) {
    const at = coordinate.reduce((sum, c, axis) => sum + c * steps[axis], 0);
    if (at < cellsShown) {
      const cell = cells.get(at);
      if (cell) ++cell.count;
      else cells.set(at, {index, count: 1});
    }
    let axis = sizes.length - 1;
    while (axis >= 0 && ++coordinate[axis] === sizes[axis]) coordinate[axis--] = 0;
    if (axis < 0) break;
  }
  return cells;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http:' + '//www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Draws memory from the tensor's first byte on, a cell per element. Cells with an element are
// numbered, gaps hatched; two lines mark an address of several elements.
function layoutPicture(tensor) {
  const cells = occupation(tensor);
  if (!cells) return undefined;
  const bytes = typeBytes[tensor.type] || 1;
  const span = addressSpan(tensor);
  const whole = Math.max(span, Math.min(Number(tensor.total) / bytes, span + cellsShown));
  const shown = Math.min(Math.floor(whole), cellsShown);
  const steps = tensor.strides || packedStrides(tensor.sizes);
  const row = [...steps].sort((a, b) => a - b).find((step) => step >= 6 && step <= 24)
    || Math.min(shown, 16);
  const side = 26, lead = 44;
  const rows = Math.ceil(shown / row);
  const id = `hatch-${tensor.name}`;
  const picture = svg('svg', {
    viewBox: `0 0 ${lead + row * side + 1} ${rows * side + 1}`, class: 'layout', role: 'img',
    width: lead + row * side + 1,
    'aria-label': `Memory of ${tensor.name}, ${shown} of ${whole} elements`,
  }, svg('defs', {}, svg('pattern',
    {id, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
    svg('rect', {width: 2, height: 6, class: 'hatch'}))));
  for (let at = 0; at < shown; ++at) {
    const x = lead + at % row * side, y = Math.floor(at / row) * side;
    const cell = cells.get(at);
    if (at % row === 0) {
      picture.append(svg('text', {x: lead - 6, y: y + 17, class: 'address'}, String(at)));
    }
    const what = !cell ? 'no element' : `element ${cell.index}`
      + (cell.count > 1 ? ` and ${cell.count - 1} more` : '');
    const square = svg('rect', {x: x + 0.5, y: y + 0.5, width: side, height: side,
      class: cell ? 'element' : 'gap', ...(cell ? {} : {fill: `url(#${id})`})},
    svg('title', {}, `address ${at}: ${what}`));
    picture.append(square);
    if (cell) picture.append(svg('text', {x: x + side / 2, y: y + 17}, String(cell.index)));
    if (cell && cell.count > 1) {
      picture.append(svg('path', {d: `M${x + 4} ${y + 20}h18m-18 3h18`, class: 'shared'}));
    }
  }
  return make('figure', {class: 'memory'}, make('div', {class: 'scroll', tabindex: '0'}, picture),
    make('figcaption', {}, shown < whole
      ? `The first ${number(shown)} of ${number(Math.floor(whole))} elements' worth of memory. `
      : '', 'A number is the element that lies there, counted with the last dimension fastest; '
      + 'hatched is a gap or tail; two lines: shared by several elements.'));
}

// Reads hex digits as bits of that type.
function decode(hexDigits, type) {
  const bytes = typeBytes[type];
  if (!bytes || hexDigits.length !== 2 * bytes) return '';
  const bits = BigInt(`0x${hexDigits}`);
  if (type[0] === 'u') return String(bits);
  if (type[0] === 'i') return String(BigInt.asIntN(8 * bytes, bits));
  const [exponentBits, fractionBits] = {2: [5, 10], 4: [8, 23], 8: [11, 52]}[bytes];
  const sign = bits >> BigInt(8 * bytes - 1) ? '-' : '';
  const exponent = Number(bits >> BigInt(fractionBits)) & ((1 << exponentBits) - 1);
  const fraction = Number(bits & ((1n << BigInt(fractionBits)) - 1n));
  if (exponent === (1 << exponentBits) - 1) {
    if (fraction === 0) return `${sign}infinity`;
    return `${sign}${fraction >= 2 ** (fractionBits - 1) ? 'quiet' : 'signalling'} NaN`;
  }
  const bias = (1 << (exponentBits - 1)) - 1;
  const value = exponent === 0 ? fraction * 2 ** (1 - bias - fractionBits)
    : (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
  const digits = {2: 5, 4: 9, 8: 17}[bytes];
  return `${sign}${Number(value.toPrecision(digits))}${exponent === 0 && fraction ? ' (denormal)' : ''}`;
}
