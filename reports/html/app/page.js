// Shared by all sections: the data, element construction, formatting, and the list of sections. A
// section is {id, title, pages, absent, late, render(root), select(chosen)}. `pages` lists the
// kinds of page that have it (default: "report"). render fills an empty element once; `late`
// sections need `cases` and are rendered after the first screen. select (optional) is called with a
// Selection (cases.js) when the filter changes. names (optional) are the cases that the section
// lists under the current filter.

const data = JSON.parse(document.getElementById('data').textContent);
const sections = [];

// Spells out characters that would hide or reorder text; tabs and newlines stay.
const visible = (text) => text.replace(
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
  (c) => `\\u{${c.charCodeAt(0).toString(16).toUpperCase()}}`);

// make('td', {class: 'number'}, 'text', child, …). All text goes through text nodes: the data are
// never parsed as markup.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false || child === '') continue;
    element.append(typeof child === 'string' ? visible(child) : child);
  }
  return element;
}

const code = (text) =>
  make('code', {}, text.replace(/[\n\t]/g, (c) => (c === '\n' ? '\\n' : '\\t')));
const number = new Intl.NumberFormat('en-US').format;

// Items for the first rows of a list, and one for the others; `moreOf` gets their number.
const firstItems = (rows, most, itemOf, moreOf) => [
  ...rows.slice(0, most).map((row) => make('li', {}, ...[itemOf(row)].flat())),
  ...(rows.length > most ? [make('li', {}, moreOf(number(rows.length - most)))] : [])];

// Groups values by a key, in order of appearance: [[key, values], …].
function groupsOf(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  return [...groups];
}

// The kind of the page, and its result in one sentence.
const titleParts = (kind, tone, text) => {
  const mark = {good: '✓', attention: '!', bad: '✕'}[tone];
  return [make('p', {class: 'product'}, 'dmlcts ', make('span', {}, kind)),
    make('h1', {class: tone}, mark && make('span', {class: 'mark', 'aria-hidden': 'true'}, mark), make('span', {}, text))];
};

const warningList = (warnings) => warnings.length === 0 ? '' : make('ul', {class: 'remarks'},
  warnings.map((warning) => make('li', {}, badge('attention', '!', 'Warning'), `: ${warning}.`)));
const counted = (value, noun) => `${number(value)} ${noun}${Number(value) === 1 ? '' : 's'}`;

const timeCell = (value) => make('span', {'data-sort': String(value)}, seconds(value));

function seconds(value) {
  if (value >= 120) return `${number(Math.round(value / 60))} min`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  return `${(value * 1000).toFixed(value < 0.01 ? 2 : 0)} ms`;
}

// Every verdict: its symbol (so that nothing depends on colour alone), its tone, its meaning.
// Verdicts that need attention come first.
const verdicts = {
  Fail: ['✕', 'bad', 'broke a rule that Microsoft’s documentation states'],
  Crash: ['✕', 'bad', 'the worker died'],
  DeviceRemoved: ['✕', 'bad', 'the device was lost'],
  Timeout: ['✕', 'bad', 'no answer within the deadline'],
  Flaky: ['✕', 'bad', 'went wrong once and not again: the message says how'],
  UnexpectedPass: ['✕', 'bad', 'an expectation no longer holds'],
  InternalError: ['!', 'attention', 'the harness itself failed'],
  NotSupported: ['–', 'attention', 'the target says, by a query, that it has no such thing: fails the run'],
  Arguable: ['?', 'attention', 'broke a rule that the documentation implies but does not state; a vendor may read it otherwise'],
  Vacuous: ['!', 'attention', 'cannot distinguish a correct target from a broken one'],
  Skipped: ['⊘', 'attention', 'never sent: an expectation file says that it takes the machine down'],
  Waived: ['~', 'attention', 'failed as an expectation file says'],
  NotAsked: ['○', 'neutral', 'in a mode that the target lacks, above the highest level, or to be rejected for its level alone by a device that never does that'],
  Pass: ['✓', 'good', 'as the documentation says'],
};
// Cases drawn at random plan nothing and claim nothing of levels, and some may well show nothing.
const isRandom = data.page === 'report' && data.tool.tier === 'fuzz';
if (isRandom) {
  verdicts.Vacuous = ['○', 'neutral', 'drawn so that a broken target would not have differed from a right one'];
}
const symbolOf = (verdict) => (verdicts[verdict] || ['?'])[0];
const toneOf = (verdict) => (verdicts[verdict] || ['', 'neutral'])[1];

// Returns "2.3x faster" for a ratio of times, after to before.
function speedText(ratio) {
  const times = ratio < 1 && ratio > 0 ? 1 / ratio : ratio;
  const text = times.toFixed(times < 2 ? 2 : 1);
  return text === '1.00' ? 'as fast' : `${text}x ${ratio < 1 ? 'faster' : 'slower'}`;
}

function ratioBadge({ratio, change}) {
  const says = speedText(ratio);
  if (change === 'slower') return badge('bad', '▼', says);
  return change === 'faster' ? badge('good', '▲', says) : badge('neutral', '–', `${change} (${says})`);
}

const pText = (p) => (p < 1e-300 ? '< 1e-300' : p < 0.0001 ? p.toExponential(1) : p.toFixed(4));

const badge = (tone, symbol, text) =>
  make('span', {class: `badge ${tone}`}, make('span', {'aria-hidden': 'true'}, symbol), ' ', text);
const verdictBadge = (verdict) => badge(toneOf(verdict), symbolOf(verdict), verdict);

const sum = (totals) => Object.values(totals).reduce((a, b) => a + b, 0);
const failed = (totals) =>
  Object.keys(totals).reduce((n, v) => n + (toneOf(v) === 'bad' ? totals[v] : 0), 0);

// "9 Fail, 2 Crash, 100 Pass"
const listTotals = (totals) =>
  Object.keys(verdicts).filter((v) => totals[v]).map((v) => `${number(totals[v])} ${v}`).join(', ');

// The worst tone among verdicts colours a cell or row.
function toneOfTotals(totals) {
  const tones = Object.keys(totals).map(toneOf);
  return ['bad', 'attention', 'good', 'neutral'].find((tone) => tones.includes(tone)) || 'neutral';
}

const distinct = (rows, member) => [...new Set(rows.map((row) => row[member]))];

const bySortKey = new Intl.Collator('en', {numeric: true}).compare;
const sortKey = (cell) =>
  cell.querySelector('[data-sort]')?.dataset.sort ?? cell.textContent.replaceAll(',', '');
const sortedBy = new Map();  // caption of a table -> [column, descending]

// Orders rows by a column: numbers by value, other texts by their words and the numbers in them.
function sortRows(body, column, isNumber, descending) {
  const compare = isNumber ? (a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0) : bySortKey;
  const rows = [...body.rows].map((row) => [sortKey(row.cells[column]), row]);
  rows.sort(([a], [b]) => (descending ? compare(b, a) : compare(a, b)));
  body.append(...rows.map(([, row]) => row));
}

// A table with a header row; each header is a button that sorts by its column. Cells are strings or
// elements, which may have data-sort; columns: [title, class]. Narrow screens show each row as a
// block, with the titles as labels.
function table(caption, columns, rows) {
  const body = make('tbody');
  for (const cells of rows) {
    body.append(make('tr', {}, cells.map((cell, i) => {
      const attributes = {class: columns[i][1], 'data-label': columns[i][0]};
      if (i > 0) return make('td', attributes, cell);
      return make('th', {scope: 'row', ...attributes}, cell);
    })));
  }
  const heads = columns.map(([title, kind], i) => make('th', {scope: 'col', class: kind},
    rows.length > 1 && title ? make('button', {type: 'button', class: 'sort', onclick: () => sort(i)}, title) : title));
  function show(column, descending) {
    heads.forEach((head, i) => head.toggleAttribute('aria-sort', i === column));
    heads[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    sortRows(body, column, /number/.test(columns[column][1]), descending);
  }
  // The first press puts the largest numbers on top, and words in their order.
  function sort(column) {
    const [before, descending] = sortedBy.get(caption) || [];
    const next = before === column ? !descending : /number/.test(columns[column][1]);
    sortedBy.set(caption, [column, next]);
    show(column, next);
  }
  if (sortedBy.has(caption) && rows.length > 1) show(...sortedBy.get(caption));
  return make('table', {class: 'rows'},
    make('caption', {class: 'unseen'}, caption), make('thead', {}, make('tr', {}, heads)), body);
}

// A list that shows `step` more of its rows at each press of a button.
class GrowingList {
  constructor(root, step) {
    this.step = step;
    this.note = make('p', {class: 'aside', 'aria-live': 'polite'});
    this.list = make('ul', {class: 'cases'});
    this.more = make('button', {type: 'button', onclick: () => this.grow()}, 'Show more');
    root.append(this.note, this.list, this.more);
  }
  // `itemOf` makes a row's content, `noteOf` the line above from the number of rows that are shown.
  show(rows, itemOf, noteOf) {
    Object.assign(this, {rows, itemOf, noteOf});
    this.list.replaceChildren();
    this.grow();
  }
  grow() {
    const before = this.list.children.length;
    this.list.append(...this.rows.slice(before, before + this.step).map((row) => make('li', {}, this.itemOf(row))));
    const shown = this.list.children.length;
    this.more.hidden = shown >= this.rows.length;
    this.note.textContent = this.noteOf(shown);
  }
}

// Folds details behind a summary line.
const folded = (summary, ...content) => make('details', {}, make('summary', {}, summary), ...content);

// A button that copies text, even on a file: page, where some browsers have no clipboard.
function copyButton(text, label) {
  const button = make('button', {type: 'button', class: 'copy', onclick: copy}, label);
  async function copy() {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make('textarea', {class: 'unseen'});
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
    }
    button.textContent = done ? 'Copied' : 'Not copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}
