// The page of `dmlcts report bench`: benchmark curves against the copy ceiling.

function renderBenchHeader(root) {
  root.append(
    make('p', {class: 'product'}, 'dmlcts ', make('span', {}, 'benchmarks')),
    make('h1', {class: 'neutral'}, make('span', {}, counted(data.benchmarks.length, 'measurement')
      + ` from ${counted(data.files.length, 'file')}`)),
    table('Files', [['File'], ['Host'], ['Date'], ['Context', 'wide']], data.files.map((file) =>
      [file.label, file.host, file.date,
        Object.entries(file.context).map(([key, value]) => `${key}: ${value}`).join('; ')])));
}

const gigabytes = (bytes) => bytes / 1e9;

function benchGroup(name) {
  const mine = data.benchmarks.filter((row) => row.group === name);
  const lines = [];
  const sized = mine.some((row) => row.elements > 0);
  const throughput = mine.some((row) => row.bytesPerSecond > 0);
  const note = (row) => `${row.name}${row.fraction ? `: ${(100 * row.fraction).toFixed(1)} % of copy` : ''}`;
  data.files.forEach((file, index) => {
    const rows = mine.filter((row) => row.file === index)
      .sort((a, b) => a.elements - b.elements);
    const label = (what) => (data.files.length > 1 ? `${file.label}: ${what}` : what);
    const points = (valueOf) => rows.filter((row) => valueOf(row) > 0)
      .map((row) => ({x: row.elements, y: valueOf(row), note: note(row)}));
    const value = throughput ? (row) => gigabytes(row.bytesPerSecond) : (row) => row.seconds * 1e6;
    if (rows.length > 0) lines.push({label: label('measured'), points: points(value)});
    if (rows.some((row) => row.fraction > 0)) {
      lines.push({label: label('copy of the same bytes'), points: points((row) =>
        (row.fraction > 0 ? gigabytes(row.bytesPerSecond / row.fraction) : 0))});
    }
  });
  const chart = sized && mine.length > 1 ? lineChart(lines, {title: throughput ? 'Throughput by size' : 'Time by size', x: 'elements (logarithmic)',
    y: throughput ? 'GB/s' : 'time (µs, logarithmic)', logX: true, logY: !throughput}) : '';
  return [make('h3', {}, code(name)), chart, table(name,
    [['Benchmark'], ['File'], ['Elements', 'number'], ['Time', 'number'], ['GB/s', 'number'],
      ['Of copy', 'number']],
    mine.map((row) => [code(row.name), data.files[row.file].label,
      row.elements ? number(row.elements) : '', `${(row.seconds * 1e6).toFixed(2)} µs`,
      row.bytesPerSecond ? gigabytes(row.bytesPerSecond).toFixed(2) : '',
      row.fraction ? `${(100 * row.fraction).toFixed(1)} %` : '']))];
}

sections.push({
  id: 'curves',
  title: 'Curves',
  pages: ['bench'],
  render(root) {
    for (const name of distinct(data.benchmarks, 'group')) root.append(...benchGroup(name));
  },
});
