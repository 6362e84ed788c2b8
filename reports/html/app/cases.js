// Every case of the run, unpacked from groups of cases that share everything but their names.

const casesShown = 100;

// Yields {operator, level, type, rank, family, executed, verdict, note, rules, name}; a new object
// per group, of which only `name` changes from case to case.
function* allCases() {
  const {strings, groups} = data.caseIndex;
  for (const [op, level, type, rank, family, executed, verdict, note, rules, packed] of groups) {
    const entry = {
      operator: strings[op], level: strings[level], type: strings[type], rank,
      family: strings[family], executed: executed === 1, verdict: strings[verdict],
      note: strings[note], rules: rules.map((index) => data.rules[index].id), name: '',
    };
    for (let i = 0; i < packed.length; i += 2) {
      entry.name = entry.name.slice(0, packed[i]) + packed[i + 1];
      yield entry;
    }
  }
}

sections.push({
  id: 'cases',
  title: 'All cases',
  render(root) {
    this.note = make('p', {class: 'aside', 'aria-live': 'polite'});
    this.list = make('ul', {class: 'cases'});
    root.append(this.note, this.list);
    this.filter(() => true);
  },
  filter(matches) {
    let found = 0;
    const items = [];
    for (const entry of allCases()) {
      if (!matches(`${entry.name} ${entry.verdict} ${entry.family} ${entry.rules.join(' ')}`)) continue;
      if (++found > casesShown) continue;
      items.push(make('li', {}, verdictBadge(entry.verdict), ' ', code(entry.name),
        make('span', {class: 'message'}, entry.note)));
    }
    this.list.replaceChildren(...items);
    this.note.textContent = found > casesShown
      ? `The first ${casesShown} of ${counted(found, 'case')}; the filter above narrows them.`
      : `${counted(found, 'case')}.`;
    return found;
  },
});
