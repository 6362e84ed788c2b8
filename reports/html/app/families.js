// Case families: how much of the run each is.

sections.push({
  id: 'families',
  title: 'Families',
  render(root) {
    root.append(table('Case families',
      [['Family'], ['Cases', 'number'], ['Executed', 'number'], ['Rejections', 'number'],
        ['Time', 'number'], ['Verdicts']],
      data.families.map((row) => [linkTo({section: 'cases', q: `family=${row.family}`}, code(row.family)),
        number(sum(row.totals)), number(row.executed), number(row.rejected), seconds(row.seconds),
        make('span', {class: `totals ${toneOfTotals(row.totals)}`}, listTotals(row.totals))])));
  },
});
