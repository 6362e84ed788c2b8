// Coverage of the parameter space by the executed cases, and the mutants that the suite catches.

// One decimal, and 100 only if complete.
const percent = ({covered, possible}) => (covered === possible ? '100 %'
  : `${Math.min(99.9, 100 * covered / possible).toFixed(1)} %`);

sections.push({
  id: 'coverage',
  title: 'Coverage',
  absent: data.page !== 'report' || (data.coverage.length === 0 && !data.mutants),
  render(root) {
    root.append(make('p', {class: 'aside'},
      'Of all pairs of values of two parameters (operator, level, types, rank, layouts, values, '
      + 'indices, size, attributes) that a case can have, so many occur in one that the target '
      + 'executed.' + (data.weak ? ` ${counted(data.weak, 'weak case')} count towards none: `
      + 'of the wrong answers that their tensors could show, their data show one kind alone.' : '')));
    root.append(table('Coverage', [['Run', 'number'], ['Possible', 'number'], ['Share', 'number'],
      ['Missing', 'wide']],
    data.coverage.map((row) => [number(row.covered), number(row.possible), percent(row),
      row.missing.length === 0 ? 'none' : make('details', {},
        make('summary', {}, number(row.possible - row.covered)
          + (row.possible - row.covered > row.missing.length ? `, the first ${row.missing.length}` : '')),
        make('ul', {class: 'source'}, row.missing.map((text) => make('li', {}, text))))])));
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
