// Every case of the run, unpacked from groups of cases that differ only in their names and facts.

const casesPerPage = 10;

// Unpacks an element of type text/plain: base64 of zlib's format.
async function unpack(id) {
  const text = document.getElementById(id).textContent;
  if (text === '') return '';
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).text();
}

// Case string -> facts for queries that only the harness knows, {attributes, has, denormals}; null
// if the harness does not know them either.
const caseFacts = new Map();
const setFacts = (name, known) => caseFacts.set(name, known
  && {attributes: [known[0]], has: known[1].split(' '), denormals: [String(known[2])]});
// Case string -> the words that it omits or shortens; see reports/README.md.
const spelledOut = new Map();
const unknownFacts = () => [...caseFacts.values()].filter((known) => known === null).length;

// {groups, matrix, holes}; a group is {operator, level, type, rank, family, executed, verdict, note,
// rules (ids), ruleIndices, names}.
let loadedCases;
const allCases = () => loadedCases;

async function loadCases() {
  const text = await unpack('index');
  const {strings, groups, matrix, holes, facts: table, spelled: lines} = JSON.parse(text
    || '{"strings":[],"groups":[],"facts":[],"spelled":""}');
  const spelled = lines.split('\n');
  loadedCases = {
    matrix: matrix || [], holes: holes || [],
    groups: groups.map(([op, level, type, rank, family, executed, verdict, note, rules, packed, runs]) => {
      const names = [];
      let name = '';
      for (let i = 0; i < packed.length; i += 3) {
        name = name.slice(0, packed[i]) + packed[i + 1];
        names.push(name);
        spelledOut.set(name, spelled[packed[i + 2]]);
      }
      let at = 0;
      for (let i = 0; i < runs.length; i += 2) {
        for (const end = at + runs[i]; at < end; ++at) setFacts(names[at], table[runs[i + 1]]);
      }
      return {operator: strings[op], level: strings[level], type: strings[type], rank,
        family: strings[family], executed: executed === 1, verdict: strings[verdict],
        note: strings[note], ruleIndices: rules,
        rules: rules.map((index) => data.rules[index].id), names};
    }),
  };
}

// Cases that a query lets through; `loosely` as the filter box takes it.
class Selection {
  constructor(text, loosely) {
    this.queries = parseQueries(text, loosely);
    this.matches = matcherOf(this.queries);
    this.of = data.cases;
    this.groups = loadedCases.groups;
    this.size = 0;
    for (const group of this.groups) {
      group.chosen = 0;
      for (const name of group.names) group.chosen += this.matches(group, name) ? 1 : 0;
      this.size += group.chosen;
    }
  }
  // Returns {cases, failed, totals} for each rule, by index.
  perRule() {
    const counts = data.rules.map(() => ({cases: 0, failed: 0, totals: {}}));
    for (const {ruleIndices, verdict, chosen} of this.groups) {
      if (chosen === 0) continue;
      for (const index of ruleIndices) {
        const count = counts[index];
        count.cases += chosen;
        count.failed += toneOf(verdict) === 'bad' ? chosen : 0;
        count.totals[verdict] = (count.totals[verdict] || 0) + chosen;
      }
    }
    return counts;
  }
}

function* casesIn(chosen) {
  for (const group of loadedCases.groups) {
    if (chosen && group.chosen === 0) continue;
    const whole = !chosen || group.chosen === group.names.length;
    for (const name of group.names) if (whole || chosen.matches(group, name)) yield [group, name];
  }
}

// Returns the group of a case; undefined if the run lacks the case.
const groupOf = (name) => loadedCases.groups.find((group) => group.names.includes(name));

sections.push({
  id: 'cases',
  title: 'Cases',
  late: true,
  render(root) {
    this.list = new GrowingList(root, casesPerPage);
    this.select(undefined);
  },
  select(chosen) {
    const size = chosen ? chosen.size : data.cases;
    this.chosen = chosen;
    this.all = undefined;
    this.list.show(casesIn(chosen), size,
      ([group, name]) => [verdictBadge(group.verdict), ' ', caseLink(name, this.id),
        make('span', {class: 'message'}, group.note)],
      (shown) => (shown < size ? `The first ${number(shown)} of ${counted(size, 'case')}.` : `${counted(size, 'case')}.`));
  },
  get names() { return this.all ??= [...casesIn(this.chosen)].map(([, name]) => name); },
});
