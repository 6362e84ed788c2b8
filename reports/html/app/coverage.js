// How much of the parameter space the executed cases cover, and what the suite itself catches.

const percent = ({covered, possible}) =>
  (possible === 0 ? '' : ` (${(Math.floor(1000 * covered / possible) / 10).toFixed(1)}\u00a0%)`);
const share = (count) => `${number(count.covered)} of ${number(count.possible)}${percent(count)}`;

sections.push({
  id: 'coverage',
  title: 'Coverage',
  absent: !data.coverage || (data.coverage.length === 0 && !data.mutants),
  render(root) {
    root.append(make('p', {class: 'aside'},
      'Of all combinations of two and of three values of the parameters, less those of level, type '
      + 'and rank that the documents rule out, so many occur in an executed case.'));
    root.append(table('Coverage', [['Operator', 'tight'], ['Parameters', 'wide'], ['Pairs', 'tight'], ['Triples', 'tight']],
      data.coverage.map((row) => [code(row.operator),
        make('details', {},
          make('summary', {}, row.parameters.map(({name}) => name).join(', ')),
          make('dl', {class: 'values'}, row.parameters.flatMap(({name, values}) =>
            [make('dt', {}, name), make('dd', {}, values.join(', '))])),
          row.missingPairs.length > 0 && make('p', {class: 'source'},
            `Pairs in no executed case${row.missingPairs.length === 200 ? ', the first 200' : ''}: `
            + row.missingPairs.join('; '))),
        share(row.pairs), share(row.triples)])));
    if (!data.mutants) return;
    const all = data.mutants.mutants;
    const alive = all.filter((mutant) => !mutant.caught);
    root.append(make('p', {},
      badge(alive.length ? 'bad' : 'good', alive.length ? '✕' : '✓',
        `${number(all.length - alive.length)} of ${counted(all.length, 'mutant')} caught`),
      ` by the ${data.mutants.tier} tier`,
      alive.length ? `; alive: ${alive.map(bareName).join(', ')}.` : '.'));
    root.append(make('details', {}, make('summary', {}, 'By mutant'), table('Mutants',
      [['Mutant', 'id'], ['Caught by', 'wide'], ['How'], ['Cases until then', 'number']],
      all.map((mutant) => [code(bareName(mutant)), mutant.case ? caseLink(mutant.case) : '',
        mutant.caught ? mutant.how : badge('bad', '✕', 'survived'), number(mutant.cases)]))));
  },
});
