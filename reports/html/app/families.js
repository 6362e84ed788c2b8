// Case families and their share of the run.

sections.push({
  id: 'families',
  title: 'Families',
  render(root) {
    const list = (rows) => table('Case families',
      [['Family'], ['Cases', 'number'], ['Executed', 'number'], ['Rejections', 'number'],
        ['Time', 'number'], ['Verdicts']],
      rows.map((row) => [linkToCases({family: [row.family]}, code(row.family)),
        number(sum(row.totals)), number(row.executed), number(row.rejected), timeCell(row.seconds),
        make('span', {class: `totals ${toneOfTotals(row.totals)}`}, listTotals(row.totals))]));
    const passed = data.families.filter((row) => toneOfTotals(row.totals) !== 'bad');
    const others = data.families.filter((row) => !passed.includes(row));
    if (others.length > 0) root.append(list(others));
    if (passed.length > 0) {
      root.append(folded(`${number(passed.length)} ${passed.length === 1 ? 'family' : 'families'} `
        + 'without a failure', list(passed)));
    }
  },
});
