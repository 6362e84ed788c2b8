// The cases as columns, the filter over them, and the section that lists them.

const casesPerPage = 10;

// Unpacks an element of type text/plain: base64 of zlib's format.
async function unpack(id) {
  const text = document.getElementById(id).textContent;
  if (text === '') return '';
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).text();
}

const {factTitles} = data;  // key -> title
const cellKey = ({operator, level, type, rank}) => `${operator} ${level} ${type} ${rank}`;
const isFailing = (verdict) => toneOf(verdict) === 'bad' || verdict === 'InternalError';

// Set by loadCases(). Each of `columns` has lists of texts and, for each case, the number of its
// list. `failing` are the cases of report.json's "failures", in its order; `cells` has each case's
// element of `matrix`.
const cases = {rows: [], lines: [], byName: new Map(), failing: [], columns: {}, matrix: [], cells: [], holes: []};

class CaseRow {
  constructor(at, name) {
    this.at = at;
    this.name = name;
  }
  all(key) {
    const {texts, numbers} = cases.columns[key];
    return texts[numbers[this.at]];
  }
  text(key) { return this.all(key)[0] || ''; }
  get verdict() { return this.text('verdict'); }
}

async function loadCases() {
  const {names, columns, matrix = [], holes = []} = JSON.parse(await unpack('index') || '{"names": "", "columns": {}}');
  const rows = names.split('\n').slice(0, -1).map((name, at) => new CaseRow(at, name));
  Object.assign(cases, {rows, matrix, holes, lines: names.toLowerCase().split('\n').slice(0, -1),
    byName: new Map(rows.map((row) => [row.name, row]))});
  for (const [key, {texts, numbers}] of Object.entries(columns)) {
    cases.columns[key] = {texts: texts.map((text) => (text === '' ? [] : text.split('\n'))),
      numbers: Uint32Array.from(numbers.split(',').slice(0, -1), Number)};
  }
  cases.failing = rows.filter(({verdict}) => isFailing(verdict));
  const cellOf = new Map(matrix.map((cell) => [cellKey(cell), cell]));
  cases.cells = rows.map((row) => cellOf.get(cellKey({operator: row.text('operator'), level: row.text('level'),
    type: row.text('type'), rank: row.text('rank')})));
}

// Returns a fact's values and their numbers of cases, as a Map.
function valuesOf(key, rows = cases.rows) {
  const {texts, numbers} = cases.columns[key];
  const counts = new Uint32Array(texts.length), values = new Map();
  for (const {at} of rows) ++counts[numbers[at]];
  counts.forEach((n, i) => {
    if (n > 0) for (const value of texts[i]) values.set(value, (values.get(value) || 0) + n);
  });
  return values;
}

const nameOf = (row) => row.name || row.case;
const rowOf = (name) => cases.byName.get(name.replaceAll('\n', ' '));

// Cases that the filter leaves: each word of `q` is in a case's lower-cased line or in "key=value"
// of a fact, and each fact in `facts`, key -> values, has one of these.
class Selection {
  constructor({q, facts}) {
    const flags = (key, test) => {
      const {texts, numbers} = cases.columns[key];
      return [numbers, Uint8Array.from(texts, (list) => list.some(test))];
    };
    this.leaves = new Uint8Array(cases.rows.length).fill(1);
    for (const [key, some] of Object.entries(facts)) {
      const [numbers, allowed] = flags(key, (value) => some.includes(value));
      this.leaves.forEach((leaves, at) => { this.leaves[at] = leaves && allowed[numbers[at]]; });
    }
    const searched = Object.keys(cases.columns).filter((key) => key !== 'tensors');
    for (const word of q.toLowerCase().split(/\s+/).filter(Boolean)) {
      const found = searched.map((key) => flags(key, (value) => `${key}=${value}`.toLowerCase().includes(word)))
        .filter(([, allowed]) => allowed.includes(1));  // few columns have a word
      this.leaves.forEach((leaves, at) => {
        if (leaves) this.leaves[at] = found.some(([numbers, allowed]) => allowed[numbers[at]]) || cases.lines[at].includes(word);
      });
    }
    this.rows = cases.rows.filter(({at}) => this.leaves[at]);
  }
  // True for a case, failure or change that it leaves.
  matches = (row) => this.leaves[(row.at === undefined ? rowOf(nameOf(row)) : row).at] === 1;
}

const casesIn = (chosen) => (chosen || cases).rows;

// Adds a section that lists cases, failures or changes. `rowsIn` returns those of a Selection, or all;
// `itemOf` a row's verdict and its message; `noteOf` the line above.
function listCases({begin = () => [], step, rowsIn, itemOf, noteOf, ...section}) {
  sections.push({
    ...section,
    render(root) {
      root.append(...begin());
      this.list = new GrowingList(root, step);
      this.select(undefined);
    },
    select(chosen) {
      this.rows = rowsIn(chosen);
      this.list.show(this.rows, (row) => {
        const [verdict, message] = itemOf(row);
        return [verdict, ' ', caseLink(nameOf(row), section.id), make('span', {class: 'message'}, message)].flat();
      }, (shown) => noteOf(shown, this.rows.length, chosen));
    },
    get names() { return this.rows.map(nameOf); },
  });
}

listCases({
  id: 'cases',
  title: 'Cases',
  late: true,
  step: casesPerPage,
  rowsIn: casesIn,
  itemOf: (row) => [verdictBadge(row.verdict), row.all('note').join('\n')],
  noteOf(shown, listed, chosen) {
    const size = chosen ? listed : data.cases;
    return shown < size ? `The first ${number(shown)} of ${counted(size, 'case')}.` : `${counted(size, 'case')}.`;
  },
});
