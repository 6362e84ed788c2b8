// Every case of the run, unpacked from columns.

const casesPerPage = 10;

// Unpacks an element of type text/plain: base64 of zlib's format.
async function unpack(id) {
  const text = document.getElementById(id).textContent;
  if (text === '') return '';
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).text();
}

// Case string -> the words that it omits or shortens, and facts of its inputs; see reports/README.md.
const otherWords = new Map();
const unknownFacts = () => [...otherWords.values()].filter((words) => !/(^| )denormals=/.test(words)).length;

// {cases, matrix, holes}; a case is {name, operator, level, type, rank, family, executed, verdict, note,
// rules (ids), ruleIndices}.
let loadedCases;
const allCases = () => loadedCases;

async function loadCases() {
  const {strings, ruleLists, names, matrix = [], holes = [], ...texts} = JSON.parse(await unpack('index')
    || '{"strings":[],"ruleLists":[],"names":""}');
  const lists = ruleLists.map((indices) => ({ruleIndices: indices, rules: indices.map((index) => data.rules[index].id)}));
  const columns = Object.entries(texts).map(([key, text]) => [key, text.split(',')]);
  const cases = names.split('\n').slice(0, -1).map((name, i) => {
    const row = {name};
    for (const [key, numbers] of columns) row[key] = Number(numbers[i]);
    otherWords.set(name, strings[row.words]);
    for (const key of ['operator', 'level', 'type', 'family', 'verdict', 'note']) row[key] = strings[row[key]];
    return Object.assign(row, lists[row.rules]);
  });
  if (data.page === 'diff') {
    cases.push(...Object.values(data.changes).flat().map((row) => ({...row, name: row.case})));
    for (const {name, words} of cases) otherWords.set(name, words);
  }
  loadedCases = {cases, matrix, holes};
}

// Cases that a query lets through; `loosely` as the filter box takes it.
class Selection {
  constructor(text, loosely) {
    this.queries = parseQueries(text, loosely);
    this.matches = matcherOf(this.queries);
    this.of = data.cases ?? loadedCases.cases.length;
    this.cases = loadedCases.cases.filter(this.matches);
    this.size = this.cases.length;
  }
  // Returns {cases, failed, totals} for each rule, by index.
  perRule() {
    const counts = data.rules.map(() => ({cases: 0, failed: 0, totals: {}}));
    for (const {ruleIndices, verdict} of this.cases) {
      for (const index of ruleIndices) {
        const count = counts[index];
        ++count.cases;
        count.failed += toneOf(verdict) === 'bad' ? 1 : 0;
        count.totals[verdict] = (count.totals[verdict] || 0) + 1;
      }
    }
    return counts;
  }
}

const casesIn = (chosen) => (chosen || loadedCases).cases;

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
  itemOf: ({verdict, note}) => [verdictBadge(verdict), note],
  noteOf(shown, listed, chosen) {
    const size = chosen ? listed : data.cases;
    return shown < size ? `The first ${number(shown)} of ${counted(size, 'case')}.` : `${counted(size, 'case')}.`;
  },
});
