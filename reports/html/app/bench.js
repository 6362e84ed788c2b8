// The page of `dmlcts report bench`: curves against the copy ceiling, and target against target.

function renderBenchHeader(root) {
  root.append(
    ...titleParts('benchmarks', 'neutral',
      `${counted(data.benchmarks.length, 'measurement')} from ${counted(data.files.length, 'file')}`),
    table('Files', [['File'], ['Target'], ['Adapter'], ['Driver'], ['Runtime'], ['Copy', 'number'],
      ['Measured']],
    data.files.map(({label, date, host, context}) => {
      const copy = Number(context.copy_bytes_per_second);
      const model = context.shader_model && `shader model ${context.shader_model}`;
      return [label, context.target || '', context.adapter || '', context.driver || '',
        [context.runtime, model].filter(Boolean).join(', '), copy > 0 ? `${number(Math.round(gigabytes(copy)))} GB/s` : '',
        [date, context.host || host].filter(Boolean).join(', ')];
    })));
  const wide = data.benchmarks.filter(isWide);
  const warnings = [...data.warnings];
  if (wide.length > 0) {
    warnings.push(`of ${number(wide.length)} of ${counted(data.benchmarks.length, 'measurement')} the spread is above `
      + `${100 * data.wideSpread} %: compare them again, on a machine that does nothing else`);
  }
  root.append(warningList(warnings));
}

const gigabytes = (bytes) => bytes / 1e9;
const percentOf = (fraction) => `${(100 * fraction).toFixed(1)} %`;
const ofCopy = (row) => (row.fraction ? percentOf(row.fraction) : '');

function duration(value) {
  const [factor, unit] = value >= 1 ? [1, 's'] : value >= 1e-3 ? [1e3, 'ms'] : [1e6, 'µs'];
  return `${(value * factor).toFixed(2)} ${unit}`;
}

const isWide = ({spread}) => spread > data.wideSpread;
const spreadOf = (row) => (row.repetitions < 2 ? ''
  : isWide(row) ? badge('attention', '!', percentOf(row.spread)) : percentOf(row.spread));

const benchNote = (row) => [row.name,
  row.repetitions < 2 ? duration(row.seconds) : `${duration(row.seconds)}, middle half of ${row.repetitions}: `
    + row.middleHalf.map(duration).join(' to '),
  row.fraction ? `${ofCopy(row)} of copy` : ''].filter(Boolean).join(', ');

// Makes a line for each file that has a value, its points in the order of x.
function fileLines(curve, valueOf, xOf = ({x}) => x) {
  return data.files.map((file, index) => ({
    label: file.label, stroke: index,
    points: curve.points.map((point) => ({point, row: data.benchmarks[point.benchmark]}))
      .filter(({row}) => row.file === index && valueOf(row) > 0)
      .map(({point, row}) => ({x: xOf(point), y: valueOf(row), note: benchNote(row)})),
  })).filter(({points}) => points.length > 0);
}

// The time that copying as many bytes on the same device takes.
const copyTime = (row) => row.seconds * row.fraction * 1e6;

function sizeChart(curve) {
  const measured = fileLines(curve, (row) => row.seconds * 1e6);
  const copies = fileLines(curve, copyTime).map((line) =>
    ({...line, label: `${line.label}: copy of as many bytes`, reference: true}));
  return lineChart([...measured, ...copies], {title: curve.name, logX: true, logY: true,
    x: 'elements (logarithmic)', y: 'time (µs, logarithmic)'});
}

// Fractions of the copy's speed, with the ceiling at 100 %.
function fractionChart(curve, options) {
  const lines = fileLines(curve, (row) => 100 * row.fraction, options.xOf);
  if (lines.length === 0) return undefined;
  const xs = options.categories || [...new Set(lines.flatMap(({points}) => points.map(({x}) => x)))];
  lines.push({label: 'copy', reference: true, stroke: -1, points: xs.map((x) => ({x, y: 100, note: ''}))
    .sort((a, b) => (options.categories ? 0 : a.x - b.x))});
  return lineChart(lines, {title: curve.name, y: '% of copy', ...options});
}

const tableOf = (curve, title, textOf) => table(`${curve.name}, numbers`,
  [[title, 'number'], ...data.files.map(({label}) => [label, 'number'])],
  [...new Set(curve.points.map(({x}) => x))].sort((a, b) => a - b).map((x) =>
    [textOf(x), ...data.files.map((_, index) => {
      const point = curve.points.find((each) =>
        each.x === x && data.benchmarks[each.benchmark].file === index);
      if (!point) return '';
      const row = data.benchmarks[point.benchmark];
      return duration(row.seconds) + (row.fraction ? `, ${ofCopy(row)}` : '');
    })]));

const withNumbers = (curve, chart, title, textOf) => make('div', {class: 'curve'},
  chart || make('h3', {}, code(curve.name)),
  make('details', chart ? {} : {open: ''}, make('summary', {}, 'Numbers: time, and % of copy'),
    tableOf(curve, title, textOf)));

const ofCopyAside = 'What part of a copy of as many bytes, made by the same device, is reached, by the ';
const densityText = (x) => `${x} %`;

// Axis, section, title, aside, title of the axis in a table, text of a value, chart of a curve.
for (const [axis, id, title, aside, head, textOf, chartOf] of [
  ['rowBytes', 'by-row-bytes', 'By row size', `${ofCopyAside}size of a gathered row.`, 'Row',
    (x) => `${number(x)} B`,
    (curve) => fractionChart(curve, {x: 'bytes of a row (logarithmic)', logX: true})],
  ['density', 'by-density', 'By density', `${ofCopyAside}share of elements that are not zero.`, 'Not zero',
    densityText, (curve) => fractionChart(curve, {x: 'elements that are not zero',
      categories: [...new Set(curve.points.map(({x}) => x))].sort((a, b) => a - b).map(densityText),
      xOf: ({x}) => densityText(x)})],
  ['size', 'by-size', 'By size', 'Time of one execution by number of elements, beside the time of a copy of as many bytes.',
    'Elements', number, sizeChart],
]) {
  const curves = (data.page === 'bench' ? data.curves : []).filter((curve) => curve.axis === axis);
  sections.push({
    id,
    title,
    pages: ['bench'],
    absent: curves.length === 0,
    render(root) {
      root.append(make('p', {class: 'aside'}, aside), make('div', {class: 'curves'},
        curves.map((curve) => withNumbers(curve, chartOf(curve), head, textOf))));
    },
  });
}

// Counts the faster and slower benchmarks of each kind in a file, compared with the first file.
const scoreTable = () => table('By kind of work', [['Work'], ['File'], ['Geometric mean'],
  ['Faster', 'number'], ['Slower', 'number'], ['Of', 'number']],
data.scores.map((each) => [code(each.work), data.files[each.file].label,
  badge(...(each.slower > each.faster ? ['bad', '▼'] : each.faster > each.slower ? ['good', '▲']
    : ['neutral', '–']), speedText(each.geometricMean)),
  number(each.faster), number(each.slower), number(each.benchmarks)]));

sections.push({
  id: 'compared',
  title: 'File against file',
  pages: ['bench'],
  absent: data.page !== 'bench' || data.ratios.length === 0,
  render(root) {
    const first = data.files[0].label;
    const names = distinct(data.ratios.map(({benchmark}) => data.benchmarks[benchmark]), 'name');
    const bars = data.files.map((file, index) => ({label: file.label,
      values: names.map((name) => data.benchmarks.find((row) => row.file === index && row.name === name))
        .map((row) => (row ? {y: 100 * row.fraction, note: benchNote(row)} : {y: 0, note: 'not measured'}))}));
    root.append(make('p', {class: 'aside'}, `Benchmarks that ${first} has as well. p is of the Mann-Whitney `
      + 'U test over repetitions, two-sided, corrected for the number of rows (Holm); a difference '
      + `counts where p < ${data.significance} and the medians differ by ${100 * data.least} % or more.`),
    scoreTable(),
    bars.some(({values}) => values.some(({y}) => y > 0))
      ? barChart(names, bars, {title: 'Part of copy reached', x: '% of copy'}) : '',
    table('File against file', [['Benchmark'], ['File'], [`Time in ${first}`, 'number'],
      ['Time', 'number'], ['Change'], ['p', 'number']],
    data.ratios.map((each) => {
      const row = data.benchmarks[each.benchmark];
      return [code(row.name), data.files[row.file].label,
        duration(data.benchmarks[each.first].seconds), duration(row.seconds), ratioBadge(each),
        pText(each.p)];
    })));
  },
});

sections.push({
  id: 'not-measured',
  title: 'Not measured',
  pages: ['bench'],
  absent: data.page !== 'bench' || data.errors.length === 0,
  render(root) {
    root.append(table('Not measured', [['Benchmark'], ['File'], ['Why', 'wide']],
      data.errors.map(({name, file, message}) => [code(name), data.files[file].label, message])));
  },
});

sections.push({
  id: 'measurements',
  title: 'All measurements',
  pages: ['bench'],
  render(root) {
    root.append(make('p', {class: 'aside'}, 'Spread: the middle half of the repetitions (third less '
      + 'first quartile), in percent of the median.'), table('All measurements', [['Benchmark'], ['File'], ['Elements', 'number'],
      ['Time', 'number'], ['Spread', 'number'], ['GB/s', 'number'], ['Of copy', 'number']],
    data.benchmarks.map((row) => [code(row.name), data.files[row.file].label,
      row.elements ? number(row.elements) : '', duration(row.seconds), spreadOf(row),
      row.bytesPerSecond ? gigabytes(row.bytesPerSecond).toFixed(1) : '', ofCopy(row)])));
  },
});
