// Per operator and level: does it hold, and if not, which rules do the failed cases exercise?

const statuses = {
  Holds: ['✓', 'good', 'holds'],
  Waived: ['~', 'attention', 'holds but for waived failures'],
  Broken: ['✕', 'bad', 'broken'],
  Unproven: ['!', 'attention', 'unproven'],
  NotSupported: ['–', 'neutral', 'not supported'],
  NotRun: ['', 'neutral', 'not run'],
};

function failedRules(row) {
  const shown = row.failedRules.slice(0, 4).map((rule) => make('li', {},
    make('a', {href: `#rule-${rule.id}`}, code(rule.id)),
    ` ${number(rule.failed)} of ${counted(rule.cases, 'case')}`));
  const more = row.failedRules.length - shown.length;
  if (more > 0) shown.push(make('li', {}, `and ${number(more)} more`));
  return shown.length > 0 ? make('ul', {class: 'plain'}, shown) : '';
}

sections.push({
  id: 'compliance',
  title: 'Compliance per level',
  render(root) {
    const operators = [...new Set(data.compliance.map((row) => row.operator))];
    for (const operator of operators) {
      const rows = data.compliance.filter((row) => row.operator === operator);
      const run = rows.filter((row) => row.status !== 'NotRun');
      const rest = rows.filter((row) => row.status === 'NotRun').map((row) => row.level);
      root.append(make('h3', {}, code(operator)));
      if (run.length > 0) {
        root.append(table(`Compliance of ${operator}`,
          [['Level'], ['Status'], ['Cases', 'number'], ['Verdicts'],
            ['Rules exercised by failed cases']],
          run.map((row) => {
            const [symbol, tone, words] = statuses[row.status];
            return [row.level, badge(tone, symbol, words), number(sum(row.totals)),
              listTotals(row.totals), failedRules(row)];
          })));
      }
      if (rest.length > 0) root.append(make('p', {class: 'aside'}, `Not run: ${rest.join(', ')}.`));
    }
  },
});
