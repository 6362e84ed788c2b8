// operator x level x type x rank: the number of cases, their verdicts, and why a cell is empty.

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

// Makes one cell for types with the same verdicts; [] if none has a case.
function matrixCell(alike, most, why) {
  if (alike.length === 0) return make('td', {class: 'hole', title: why}, '·');
  const row = together(alike);
  const tone = toneOfTotals(row.totals);
  const bad = failed(row.totals);
  const only = row.executed === 0 ? ' rejections' : '';
  const link = linkToCases({operator: [row.operator], level: [row.level], type: alike.map(({type}) => type),
    rank: [String(row.rank)]}, bad ? `✕${number(bad)}` : `${tone === 'attention' ? '!' : ''}${number(sum(row.totals))}`);
  link.title = describeCell(row);
  link.setAttribute('aria-label', describeCell(row));
  const cell = make('td', {class: `cell ${tone}${only}`}, link);
  // Logarithmic, so that a cell of 10 cases still shows beside one of 1,000.
  cell.style.setProperty('--heat', (Math.log1p(sum(row.totals) / alike.length) / Math.log1p(most)).toFixed(2));
  return cell;
}

function together(alike) {
  if (alike.length === 1) return alike[0];
  const totals = {};
  for (const row of alike) {
    for (const [verdict, count] of Object.entries(row.totals)) totals[verdict] = (totals[verdict] || 0) + count;
  }
  const all = (member) => alike.reduce((count, row) => count + row[member], 0);
  return {...alike[0], type: alike.map((row) => `${row.type} (${number(sum(row.totals))})`).join(', '),
    totals, executed: all('executed'), rejected: all('rejected')};
}

// Writes [1, 2, 3, 5] as "1 to 3, 5".
function runs(values) {
  const out = [];
  for (const value of values) {
    const last = out[out.length - 1];
    if (last && last[1] === value - 1) last[1] = value;
    else out.push([value, value]);
  }
  return out.map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`)).join(', ');
}

// Lists cells by their types: "f32 f16: rank 1 to 3".
function whichCells(cells, types) {
  const ranksOf = (type) => runs(cells.filter(([t]) => t === type).map(([, rank]) => rank));
  return groupsOf(types, ranksOf).filter(([ranks]) => ranks).map(([ranks, which]) =>
    `${which.length === types.length ? 'every type' : which.join(' ')}: rank ${ranks}`).join('; ');
}

function reasonsOf(types, empty, known) {
  if (empty.length === 0) return undefined;
  return make('details', {class: 'holes'},
    make('summary', {}, counted(empty.length, 'empty cell')),
    make('ul', {}, groupsOf(empty, ([type, rank]) => known(type, rank)).map(([reason, cells]) => make('li', {}, reason,
      make('span', {class: 'where'}, whichCells(cells, types))))));
}

function levelMatrix(operator, level, types, ranks, cells, filtered) {
  const most = Math.max(...cells.map((cell) => sum(cell.totals)));
  const byCell = new Map(cells.map((cell) => [`${cell.type} ${cell.rank}`, cell]));
  const reasons = new Map(cases.holes
    .filter((hole) => hole.operator === operator && hole.level === level)
    .map((hole) => [`${hole.type} ${hole.rank}`, hole.reason]));
  const known = (type, rank) =>
    reasons.get(`${type} ${rank}`) || (filtered ? 'No case that the filter lets through.'
      : 'No case of this run covers it.');
  const cellOf = (type, rank) => byCell.get(`${type} ${rank}`);
  const empty = types.flatMap((type) => ranks.filter((rank) => !cellOf(type, rank)).map((rank) => [type, rank]));
  // Types share a row if every rank has the same result, apart from numbers.
  const says = (type) => JSON.stringify(ranks.map((rank) => {
    const cell = cellOf(type, rank);
    return cell ? [toneOfTotals(cell.totals), failed(cell.totals) > 0, cell.executed === 0] : known(type, rank);
  }));
  const body = make('tbody', {}, groupsOf(types, says).map(([, alike]) => make('tr', {},
    make('th', {scope: 'row'}, code(alike.length > 1 && alike.length === types.length ? 'every type' : alike.join(', '))),
    ranks.map((rank) => matrixCell(alike.map((type) => cellOf(type, rank)).filter(Boolean), most,
      known(alike[0], rank))))));
  return make('figure', {},
    make('table', {class: 'matrix'},
      make('caption', {}, `Level ${level}`),
      make('thead', {}, make('tr', {}, make('th', {scope: 'col', class: 'corner'}, 'rank'),
        ranks.map((rank) => make('th', {scope: 'col'}, String(rank))))),
      body),
    reasonsOf(types, empty, known));
}

// Counts cases of a cell in the form of report.json's "matrix".
function countCell(cell, rows) {
  const executed = rows.filter((row) => row.text('expect') === 'execute').length;
  return {...cell, totals: Object.fromEntries(valuesOf('verdict', rows)), executed, rejected: rows.length - executed};
}

sections.push({
  id: 'matrix',
  title: 'Coverage matrix',
  late: true,
  render(root) {
    root.append(make('p', {class: 'aside'},
      'Cases by data type and rank of the input, types with the same outcome in one row; a cell leads to '
        + 'its cases. ',
      make('span', {class: 'key good'}, '12'), ' passed, deeper with more cases; ',
      make('span', {class: 'key good rejections'}, '12'), ' passed, all of them descriptors that ',
      'must be rejected; ', make('span', {class: 'key bad'}, '✕12'), ' failed; ',
      make('span', {class: 'key attention'}, '!12'), ' in part waived, not supported or not proved; ',
      make('span', {class: 'key neutral'}, '12'), ' not asked; · no case, for the reasons below.'));
    this.body = make('div', {class: 'matrices'});
    root.append(this.body);
    this.select(undefined);
  },
  select(chosen) {
    const rowsOf = new Map(groupsOf(chosen ? chosen.rows : [], ({at}) => cases.cells[at]));
    const failing = new Set(cases.failing.filter((row) => chosen?.matches(row)).map(({at}) => cases.cells[at]));
    const left = chosen ? (cell) => rowsOf.has(cell) : () => true;
    const fails = chosen ? (cell) => failing.has(cell) : ({totals}) => failed(totals) > 0;
    const counts = (cell) => (chosen ? countCell(cell, rowsOf.get(cell)) : cell);
    const parts = [];
    for (const [operator, all] of groupsOf(cases.matrix, (cell) => cell.operator)) {
      const byLevel = new Map(groupsOf(all.filter(left), (cell) => cell.level));
      if (byLevel.size === 0) continue;
      const types = sortTypes(distinct(all, 'type'));
      const ranks = distinct(all, 'rank').sort((a, b) => a - b);
      const draw = (level) => levelMatrix(operator, level, types, ranks, byLevel.get(level).map(counts), chosen !== undefined);
      const levels = [...byLevel.keys()];
      const bad = (level) => byLevel.get(level).some(fails);
      // The level chosen before, else the newest that fails, else the newest.
      const level = levels.includes(this.level) ? this.level
        : [...levels].reverse().find(bad) || levels[levels.length - 1];
      const place = make('div', {}, draw(level));
      const choice = make('select', {'aria-label': `Level of ${operator}`, onchange: () => {
        this.level = choice.value;
        place.replaceChildren(draw(choice.value));
      }}, levels.map((each) => make('option', {value: each, selected: each === level ? '' : undefined},
        `Level ${each}${bad(each) ? ', fails' : ''}`)));
      parts.push(make('article', {}, make('h3', {}, code(operator), ' ', choice), place));
    }
    this.body.replaceChildren(...parts);
  },
});
