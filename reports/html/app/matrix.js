// operator x level x type x rank: how many cases, what came of them, and why a cell is empty.

const byCell = new Map();
for (const row of data.matrix) {
  byCell.set(JSON.stringify([row.operator, row.level, row.type, row.rank]), row);
}
const cellAt = (operator, level, type, rank) =>
  byCell.get(JSON.stringify([operator, level, type, rank]));

const distinct = (rows, member) => [...new Set(rows.map((row) => row[member]))];
const typeOrder = ['f32', 'f16', 'f64', 'i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8'];
const rankOfType = (type) => (typeOrder.indexOf(type) + typeOrder.length + 1) % (typeOrder.length + 1);
const sortTypes = (types) => types.sort((a, b) => rankOfType(a) - rankOfType(b) || (a < b ? -1 : 1));

function describeCell(row) {
  const parts = [];
  if (row.executed) parts.push(`${number(row.executed)} executed`);
  if (row.rejected) parts.push(`${number(row.rejected)} about rejection`);
  return `${row.operator} ${row.level}, ${row.type}, rank ${row.rank}: `
    + `${counted(sum(row.totals), 'case')} (${parts.join(', ')}): ${listTotals(row.totals)}`;
}

function matrixCell(row, most, tell) {
  if (!row) return make('td', {class: 'hole'}, '·');
  const tone = toneOfTotals(row.totals);
  const bad = failed(row.totals);
  const only = row.executed === 0 ? ' rejections' : '';
  const button = make('button', {
    type: 'button', title: describeCell(row), 'aria-label': describeCell(row),
    onclick: () => tell(describeCell(row)),
  }, bad ? `✕${number(bad)}` : `${tone === 'attention' ? '!' : ''}${number(sum(row.totals))}`);
  const cell = make('td', {class: `cell ${tone}${only}`}, button);
  // Equal steps for equal factors: a cell of 10 cases is not white beside one of 1,000.
  cell.style.setProperty('--heat', (Math.log1p(sum(row.totals)) / Math.log1p(most)).toFixed(2));
  return cell;
}

// [1, 2, 3, 5] as "1 to 3, 5".
function runs(values) {
  const out = [];
  for (const value of values) {
    const last = out[out.length - 1];
    if (last && last[1] === value - 1) last[1] = value;
    else out.push([value, value]);
  }
  return out.map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`)).join(', ');
}

// Which cells, by their types: "f32 f16: rank 1 to 3".
function whichCells(cells, types) {
  const ranksOf = new Map();
  for (const type of types) {
    const ranks = runs(cells.filter(([t]) => t === type).map(([, rank]) => rank));
    if (ranks) ranksOf.set(ranks, [...(ranksOf.get(ranks) || []), type]);
  }
  return [...ranksOf].map(([ranks, which]) =>
    `${which.length === types.length ? 'every type' : which.join(' ')}: rank ${ranks}`).join('; ');
}

function reasonsOf(operator, level, types, empty) {
  if (empty.length === 0) return undefined;
  const known = new Map(data.holes.filter((h) => h.operator === operator && h.level === level)
    .map((h) => [`${h.type} ${h.rank}`, h.reason]));
  const byReason = new Map();
  for (const [type, rank] of empty) {
    const reason = known.get(`${type} ${rank}`) || 'No case of this run covers it.';
    byReason.set(reason, [...(byReason.get(reason) || []), [type, rank]]);
  }
  return make('details', {class: 'holes'},
    make('summary', {}, counted(empty.length, 'empty cell')),
    make('ul', {}, [...byReason].map(([reason, cells]) => make('li', {}, reason,
      make('span', {class: 'where'}, whichCells(cells, types))))));
}

function levelMatrix(operator, level, types, ranks, most, tell) {
  const empty = [];
  const body = make('tbody', {}, types.map((type) => make('tr', {},
    make('th', {scope: 'row'}, code(type)),
    ranks.map((rank) => {
      const row = cellAt(operator, level, type, rank);
      if (!row) empty.push([type, rank]);
      return matrixCell(row, most, tell);
    }))));
  return make('figure', {},
    make('div', {class: 'scroll'},
      make('table', {class: 'matrix'},
        make('caption', {}, `Level ${level}`),
        make('thead', {}, make('tr', {}, make('th', {scope: 'col', class: 'corner'}, 'rank'),
          ranks.map((rank) => make('th', {scope: 'col'}, String(rank))))),
        body)),
    reasonsOf(operator, level, types, empty));
}

sections.push({
  id: 'matrix',
  title: 'Coverage',
  render(root) {
    root.append(make('p', {class: 'aside'},
      'Cases by data type and rank of the input. ',
      make('span', {class: 'key good'}, '12'), ' passed, deeper with more cases; ',
      make('span', {class: 'key good rejections'}, '12'), ' passed, all of them descriptors that ',
      'must be rejected; ', make('span', {class: 'key bad'}, '✕12'), ' failed; ',
      make('span', {class: 'key attention'}, '!12'), ' in part unproven or waived; ',
      make('span', {class: 'key neutral'}, '12'), ' not supported; · no case.'));
    for (const operator of distinct(data.matrix, 'operator')) {
      const rows = data.matrix.filter((row) => row.operator === operator);
      const types = sortTypes(distinct(rows, 'type'));
      const ranks = distinct(rows, 'rank').sort((a, b) => a - b);
      const most = Math.max(...rows.map((row) => sum(row.totals)));
      const told = make('p', {class: 'told', 'aria-live': 'polite'}, 'Choose a cell for its verdicts.');
      const tell = (text) => { told.textContent = text; };
      root.append(make('h3', {}, code(operator)), told,
        make('div', {class: 'matrices'}, distinct(rows, 'level').map((level) =>
          levelMatrix(operator, level, types, ranks, most, tell))));
    }
  },
});
