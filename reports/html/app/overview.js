// The compliance statement: per operator and level, does it hold, and which rule breaks it? Then
// what was not run, and why.

const statuses = {
  Holds: ['✓', 'good', 'holds'],
  Waived: ['~', 'attention', 'holds but for waived failures'],
  Broken: ['✕', 'bad', 'broken'],
  Unproven: ['!', 'attention', 'unproven'],
  NotSupported: ['–', 'neutral', 'not supported'],
  NotRun: ['', 'neutral', 'not run'],
};

function failedRules(row) {
  const shown = row.failedRules.slice(0, 4).map((rule) => make('li', {}, ruleLink(rule.id),
    ` ${number(rule.failed)} of ${counted(rule.cases, 'case')}`));
  const more = row.failedRules.length - shown.length;
  if (more > 0) shown.push(make('li', {}, `and ${number(more)} more`));
  return shown.length > 0 ? make('ul', {class: 'plain'}, shown) : '';
}

// "holds at 2.1 to 6.4; broken at 3.1": one line that can be quoted.
function statement(rows) {
  const groups = [];
  for (const row of rows) {
    const last = groups[groups.length - 1];
    if (last && last.status === row.status) last.to = row.level;
    else groups.push({status: row.status, from: row.level, to: row.level});
  }
  return make('p', {class: 'statement'}, groups.filter(({status}) => status !== 'NotRun').map((g) => {
    const [symbol, tone, words] = statuses[g.status];
    return make('span', {class: 'part'}, badge(tone, symbol, words),
      g.from === g.to ? ` at ${g.from}` : ` at ${g.from} to ${g.to}`);
  }));
}

sections.push({
  id: 'compliance',
  title: 'Compliance per level',
  render(root) {
    for (const operator of distinct(data.compliance, 'operator')) {
      const rows = data.compliance.filter((row) => row.operator === operator);
      const run = rows.filter((row) => row.status !== 'NotRun');
      const open = run.some((row) => row.status !== 'Holds');
      root.append(make('h3', {}, code(operator)), statement(rows));
      if (run.length === 0) continue;
      root.append(make('details', open ? {open: ''} : {}, make('summary', {}, 'By level'),
        table(`Compliance of ${operator}`,
          [['Level'], ['Status'], ['Cases', 'number'], ['Verdicts'],
            ['Rules exercised by failed cases']],
          run.map((row) => {
            const [symbol, tone, words] = statuses[row.status];
            return [linkTo({section: 'cases', q: `${operator} level=${row.level}`}, row.level),
              badge(tone, symbol, words), number(sum(row.totals)), listTotals(row.totals),
              failedRules(row)];
          }))));
    }
  },
});

sections.push({
  id: 'not-run',
  title: 'Not run',
  absent: !data.notRun || data.notRun.length === 0,
  render(root) {
    root.append(table('What was not run, and why', [['What'], ['Why', 'wide'], ['Cases', 'number']],
      data.notRun.map((row) => [row.what, row.why, row.cases ? number(row.cases) : ''])));
  },
});
