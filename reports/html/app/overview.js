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
    ` ${number(rule.failed || rule.waived)} of ${counted(rule.cases, 'case')}`));
  const more = row.failedRules.length - shown.length;
  if (more > 0) shown.push(make('li', {}, `and ${number(more)} more`));
  return shown.length > 0 ? make('ul', {class: 'plain'}, shown) : '';
}

// "holds at 2.1; broken at 3.0 to 6.4 by gather_nd.negative-indices": a line that can be quoted. The
// rule named is the one whose cases fail most often.
function statement(rows) {
  const groups = [];
  for (const {status, level, failedRules: [worst]} of rows) {
    const last = groups[groups.length - 1];
    const rule = worst && worst.id;
    if (last && last.status === status && last.rule === rule) last.to = level;
    else groups.push({status, rule, from: level, to: level});
  }
  return groups.filter(({status}) => status !== 'NotRun').map(({status, rule, from, to}) => {
    const [symbol, tone, words] = statuses[status];
    return make('span', {class: 'part'}, badge(tone, symbol, words),
      ` at ${from === to ? from : `${from} to ${to}`}`, rule && ' by ', rule && ruleLink(rule));
  });
}

function complianceStatement() {
  return make('div', {class: 'statements'}, distinct(data.compliance, 'operator').map((operator) =>
    make('p', {class: 'statement'}, code(operator),
      statement(data.compliance.filter((row) => row.operator === operator)))));
}

function waiverList() {
  if (data.waivers.length === 0) return '';
  const shown = data.waivers.slice(0, 8).map(({reason, cases}) => make('li', {}, reason, ' (',
    linkTo({section: 'cases', q: 'verdict=Waived'}, counted(cases, 'case')), ')'));
  const more = data.waivers.length - shown.length;
  if (more > 0) shown.push(make('li', {}, `and ${number(more)} more reasons, in report.json`));
  return make('div', {class: 'left-out'}, make('p', {}, 'Waived'), make('ul', {}, shown));
}

function notRunList() {
  if (data.notRun.length === 0) return '';
  const shown = data.notRun.slice(0, 6).map((row) => make('li', {},
    make('strong', {}, row.what), row.cases ? ` (${counted(row.cases, 'case')})` : '', `: ${row.why}`));
  if (data.notRun.length > shown.length) {
    shown.push(make('li', {}, linkTo({section: 'not-run'}, 'all that was not run')));
  }
  return make('div', {class: 'left-out'}, make('p', {}, 'Not run'), make('ul', {}, shown));
}

sections.push({
  id: 'compliance',
  title: 'Compliance per level',
  render(root) {
    for (const operator of distinct(data.compliance, 'operator')) {
      const rows = data.compliance.filter((row) => row.operator === operator);
      const run = rows.filter((row) => row.status !== 'NotRun');
      root.append(make('h3', {}, code(operator)));
      if (run.length === 0) continue;
      root.append(table(`Compliance of ${operator}`,
        [['Level'], ['Status'], ['Cases', 'number'], ['Verdicts'],
          ['Rules exercised by failed or waived cases']],
        run.map((row) => {
          const [symbol, tone, words] = statuses[row.status];
          return [linkTo({section: 'cases', q: `${operator} level=${row.level}`}, row.level),
            badge(tone, symbol, words), number(sum(row.totals)), listTotals(row.totals),
            failedRules(row)];
        })));
    }
  },
});

sections.push({
  id: 'not-run',
  title: 'Not run',
  absent: data.page !== 'report' || data.notRun.length <= 6,
  render(root) {
    root.append(table('What was not run, and why', [['What'], ['Why', 'wide'], ['Cases', 'number']],
      data.notRun.map((row) => [row.what, row.why, row.cases ? number(row.cases) : ''])));
  },
});
